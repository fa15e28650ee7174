package findanapprenticeship

import (
	"strconv"
	"strings"

	"labour/sources"
	"labour/sources/adverts"
	"labour/sources/jsonrows"
	"labour/sources/plaintext"
)

// vacancy is one row. The service leaves out what is null. The contact's name,
// telephone number and e-mail address have no field here: they are never read.
type vacancy struct {
	Reference    jsonrows.Scalar `json:"vacancyReference"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	Posted       string          `json:"postedDate"`
	Closing      string          `json:"closingDate"`
	Wage         wage            `json:"wage"`
	Addresses    []place         `json:"addresses"`
	Employer     string          `json:"employerName"`
	Course       course          `json:"course"`
	Link         string          `json:"vacancyUrl"`
	Apply        string          `json:"applicationUrl"`
	Nationwide   bool            `json:"isNationalVacancy"`
	Full         string          `json:"fullDescription"`     // HTML
	Training     string          `json:"trainingDescription"` // HTML
	MoreTraining string          `json:"additionalTrainingDescription"`
	Consider     string          `json:"thingsToConsider"`
	Skills       []string        `json:"skills"`
}

type wage struct {
	Type   string          `json:"wageType"`
	Amount jsonrows.Number `json:"wageAmount"`
	Unit   string          `json:"wageUnit"`
	Text   string          `json:"wageAdditionalInformation"`
}

type course struct {
	Lars  jsonrows.Scalar `json:"larsCode"`
	Level jsonrows.Scalar `json:"level"`
	Route string          `json:"route"`
}

type place struct {
	Line1     string   `json:"addressLine1"`
	Line2     string   `json:"addressLine2"`
	Line3     string   `json:"addressLine3"`
	Line4     string   `json:"addressLine4"`
	Postcode  string   `json:"postcode"`
	Latitude  *float64 `json:"latitude"`
	Longitude *float64 `json:"longitude"`
}

// advert is the record of a row. Its error has a sources.FaultCode; the ID is
// set when it could be read.
func advert(row []byte) (sources.Advert, error) {
	var v vacancy
	err := jsonrows.Row(row, &v)
	a := sources.Advert{
		Source: Key, ID: v.reference(), Origin: v.origin(), Listed: true, Kind: "apprenticeship",
		Employer: v.Employer, Title: v.Title, ApplyURL: v.Apply, Link: v.Link,
		Nationwide: v.Nationwide, Route: v.Course.Route, SalaryText: v.Wage.words(),
	}
	if err != nil {
		return a, err
	}
	if a.Posted, err = adverts.Day("postedDate", v.Posted); err != nil {
		return a, err
	}
	if a.Closes, err = adverts.Day("closingDate", v.Closing); err != nil {
		return a, err
	}
	a.CourseLevel, _ = strconv.Atoi(string(v.Course.Level)) // what is no level is not stated
	if a.CourseLevel < 2 || a.CourseLevel > 7 {
		a.CourseLevel = 0
	}
	if !v.Nationwide { // the address of a national vacancy is not where the work is
		a.Locations = places(v.Addresses)
	}
	for _, s := range v.Skills {
		a.Wanted = append(a.Wanted, sources.Wanted{Skill: s})
	}
	a.Text = v.text()
	return a, adverts.Clean(&a)
}

// reference is the vacancy's number, without the VAC that some answers put before it.
func (v vacancy) reference() string {
	r := strings.TrimSpace(string(v.Reference))
	if len(r) > 3 && strings.EqualFold(r[:3], "VAC") && digits(r[3:]) {
		return r[3:]
	}
	return r
}

// origin tells the service's own vacancies from listings that it imports: those
// have references with letters ("C9824-26-0895") or no course of their own.
// Whatever is not plainly the service's own is taken for imported.
func (v vacancy) origin() sources.Origin {
	lars, err := strconv.ParseInt(string(v.Course.Lars), 10, 64)
	if err != nil || lars <= 0 || !digits(v.reference()) {
		return sources.OriginJobBoard
	}
	return sources.OriginApprenticeship
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// text is what the advert says of the work and the training. What it says of
// the employer and of later prospects asks nothing of an applicant.
func (v vacancy) text() string {
	return plaintext.Join(plaintext.HTML(v.Description), plaintext.HTML(v.Full),
		plaintext.HTML(v.Training), plaintext.HTML(v.MoreTraining), plaintext.HTML(v.Consider))
}

// words is the pay as the advert words it, or else by its kind.
func (w wage) words() string {
	amount := w.Amount.String()
	if f, err := w.Amount.Float64(); err != nil || f <= 0 {
		amount = ""
	}
	switch {
	case amount != "" && w.Unit != "" && w.Unit != "Unspecified":
		amount = "£" + amount + " " + strings.ToLower(w.Unit)
	case amount != "":
		amount = "£" + amount
	}
	text := plaintext.Line(plaintext.HTML(w.Text))
	switch {
	case amount != "" && text != "":
		return amount + ", " + text
	case amount != "" || text != "":
		return amount + text
	}
	switch w.Type {
	case "ApprenticeshipMinimum":
		return "National Minimum Wage for apprentices"
	case "NationalMinimum":
		return "National Minimum Wage"
	case "CompetitiveSalary":
		return "Competitive salary"
	}
	return ""
}

// places are the addresses. Of the address lines only the last is kept, which is the town: the
// postcode and the coordinates place the work, and a first line may be a person's home.
func places(from []place) []sources.Location {
	var out []sources.Location
	for _, p := range from {
		l := sources.Location{Postcode: p.Postcode}
		for _, line := range [...]string{p.Line4, p.Line3, p.Line2} {
			if l.Text = plaintext.Line(line); l.Text != "" {
				break
			}
		}
		if p.Latitude != nil && p.Longitude != nil && onEarth(*p.Latitude, *p.Longitude) {
			l.Latitude, l.Longitude = *p.Latitude, *p.Longitude
		}
		out = append(out, l)
	}
	return out
}

// onEarth says that a pair of coordinates is one; 0 and 0 is "not given".
func onEarth(lat, lon float64) bool {
	return lat >= -90 && lat <= 90 && lon >= -180 && lon <= 180 && (lat != 0 || lon != 0)
}
