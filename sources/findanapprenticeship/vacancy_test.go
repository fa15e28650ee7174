package findanapprenticeship

import (
	"testing"

	"labour/sources"
	"labour/sources/jsonrows"
)

// readOne reads one vacancy with these members besides its reference and title.
func readOne(t *testing.T, members string) sources.Advert {
	t.Helper()
	a, err := advert(jsonrows.RawRow(`{"vacancyReference":"1000","title":"x"` + members + `}`))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestLevelsOfCourses are 2 to 7, as a number or a text; any other is not stated.
func TestLevelsOfCourses(t *testing.T) {
	for level, want := range map[string]int{"1": 0, "2": 2, "7": 7, "8": 0, `"3"`: 3, `"x"`: 0, "-2": 0, "null": 0} {
		if got := readOne(t, `,"course":{"level":`+level+`}`).CourseLevel; got != want {
			t.Errorf("level %s is %d, want %d", level, got, want)
		}
	}
}

// TestNumbersOfVacancies: without their prefix, if digits follow it; a course has a positive number.
func TestNumbersOfVacancies(t *testing.T) {
	for in, want := range map[string]string{"VAC1": "1", "vac12": "12", "VAC": "VAC", "VAC1x": "VAC1x", " 7 ": "7",
		"":     "",
		"ABC1": "ABC1"} {
		if got := reference(in); got != want {
			t.Errorf("the reference %q is %q, want %q", in, got, want)
		}
	}
	for lars, want := range map[string]sources.Origin{"1": sources.OriginApprenticeship, "0": sources.OriginJobBoard,
		"-1": sources.OriginJobBoard, "1a": sources.OriginJobBoard} {
		if got := origin("1000", lars); got != want {
			t.Errorf("the course %s is of %q, want %q", lars, got, want)
		}
	}
}

// TestPayIsTheAdvertsOwn: its amount and words, or else its kind of wage.
func TestPayIsTheAdvertsOwn(t *testing.T) {
	for wage, want := range map[string]string{
		`"wageAmount":14.5,"wageUnit":"Weekly"`:                             "£14.5 weekly",
		`"wageAmount":14.5,"wageUnit":"Unspecified"`:                        "£14.5",
		`"wageAmount":14.5`:                                                 "£14.5",
		`"wageAmount":0.01,"wageAdditionalInformation":"<p>and\n tips</p>"`: "£0.01, and tips",
		`"wageAmount":0,"wageType":"NationalMinimum"`:                       "National Minimum Wage",
		`"wageAdditionalInformation":"tips","wageType":"CompetitiveSalary"`: "tips",
		`"wageAmount":-1,"wageType":"ApprenticeshipMinimum"`:                "National Minimum Wage for apprentices",
		`"wageType":"Other"`:                                                "",
	} {
		if got := readOne(t, `,"wage":{`+wage+`}`).SalaryText; got != want {
			t.Errorf("%s is %q, want %q", wage, got, want)
		}
	}
}

// TestPlacesOfVacancies: the last line of an address that is given, never the first; of a national
// vacancy none.
func TestPlacesOfVacancies(t *testing.T) {
	for address, want := range map[string]string{
		`"addressLine1":"1 Home Road","addressLine2":"b","addressLine3":"c","addressLine4":"d"`: "d",
		`"addressLine1":"1 Home Road","addressLine2":"b","addressLine3":"c","addressLine4":" "`: "c",
		`"addressLine1":"1 Home Road","addressLine2":"b"`:                                       "b",
		`"addressLine1":"1 Home Road"`:                                                          "",
	} {
		got := readOne(t, `,"addresses":[{"postcode":"E1 6AN","latitude":51.5,"longitude":-0.07,`+address+`}]`).Locations
		if len(got) != 1 || got[0] != (sources.Location{Text: want, Postcode: "E1 6AN", Latitude: 51.5, Longitude: -0.07}) {
			t.Errorf("%s is %+v, want %q", address, got, want)
		}
	}
	if a := readOne(t, `,"isNationalVacancy":true,"addresses":[{"postcode":"E1 6AN"}]`); !a.Nationwide ||
		len(a.Locations) > 0 {
		t.Errorf("a national vacancy: %+v", a)
	}
}
