package findanapprenticeship

import (
	"cmp"
	"strconv"
	"strings"

	"labour/sources"
	"labour/sources/adverts"
	"labour/sources/jsonrows"
	"labour/sources/plaintext"
)

// advert converts a row of the list to an advert. The error has a sources.FaultCode. It never reads
// the contact's name, telephone number or email address.
func advert(row jsonrows.RawRow) (sources.Advert, error) {
	v := jsonrows.ParseRow(row)
	id := reference(v.Scalar("vacancyReference"))
	a := sources.Advert{
		Source: Key, ID: id, Origin: origin(id, v.Scalar("course.larsCode")), Listed: true, Kind: "apprenticeship",
		Employer: v.Text("employerName"), Title: v.Text("title"), ApplyURL: v.Text("applicationUrl"),
		Link:       v.Text("vacancyUrl"),
		Nationwide: v.Bool("isNationalVacancy"), Route: v.Text("course.route"), SalaryText: pay(v), Text: text(v),
	}
	a.CourseLevel, _ = strconv.Atoi(v.Scalar("course.level")) // 0, "not stated", if it is not a number
	if a.CourseLevel < 2 || a.CourseLevel > 7 {
		a.CourseLevel = 0
	}
	if places := v.Objects("addresses"); !a.Nationwide { // a national vacancy's address is not the place of work
		for _, p := range places {
			a.Locations = append(a.Locations, place(p))
		}
	}
	for _, s := range v.Strings("skills") {
		a.Wanted = append(a.Wanted, sources.ListedSkill{Skill: s})
	}
	posted, closing := v.Text("postedDate"), v.Text("closingDate")
	err := v.Err()
	if err == nil {
		a.Posted, err = adverts.ParsePublishersDay("postedDate", posted)
	}
	if err == nil {
		a.Closes, err = adverts.ParsePublishersDay("closingDate", closing)
	}
	if err == nil {
		err = adverts.CleanAdvert(&a)
	}
	return a, err
}

// reference returns the vacancy's reference number, without the prefix VAC that some responses
// have.
func reference(r string) string {
	r = strings.TrimSpace(r)
	if len(r) > 3 && strings.EqualFold(r[:3], "VAC") && digits(r[3:]) {
		return r[3:]
	}
	return r
}

// origin returns OriginApprenticeship for the service's own vacancies and OriginJobBoard for
// vacancies that it imported from a job board. Imported vacancies have letters in their references,
// or no course. In case of doubt a vacancy counts as imported.
func origin(reference, larsCode string) sources.Origin {
	lars, err := strconv.ParseInt(larsCode, 10, 64)
	if err != nil || lars <= 0 || !digits(reference) {
		return sources.OriginJobBoard
	}
	return sources.OriginApprenticeship
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// text returns the advert's text about the work and the training. It leaves out the text about the
// employer and later prospects, which states no requirements.
func text(v jsonrows.Row) string {
	var parts []string
	for _, field := range []string{"description", "fullDescription", "trainingDescription",
		"additionalTrainingDescription", "thingsToConsider"} {
		parts = append(parts, plaintext.FromHTML(v.Text(field)))
	}
	return plaintext.JoinLines(parts...)
}

// wages maps the service's kinds of wage to words, for adverts that do not describe the pay.
var wages = map[string]string{"ApprenticeshipMinimum": "National Minimum Wage for apprentices",
	"NationalMinimum":   "National Minimum Wage",
	"CompetitiveSalary": "Competitive salary"}

// pay returns the amount and the description of the pay, as the advert states them. If it states
// neither, pay returns the kind of wage in words.
func pay(v jsonrows.Row) string {
	number, unit := v.Number("wage.wageAmount"), v.Text("wage.wageUnit")
	var parts []string
	if f, err := number.Float64(); err == nil && f > 0 {
		amount := "£" + number.String()
		if unit != "" && unit != "Unspecified" {
			amount += " " + strings.ToLower(unit)
		}
		parts = append(parts, amount)
	}
	if words := plaintext.CollapseToOneLine(plaintext.FromHTML(v.Text("wage.wageAdditionalInformation"))); words != "" {
		parts = append(parts, words)
	}
	return cmp.Or(strings.Join(parts, ", "), wages[v.Text("wage.wageType")])
}

// place converts the address in a vacancy to a location. It uses only the town, the postcode and
// the coordinates, because a first address line may be a person's home.
func place(address jsonrows.Row) sources.Location {
	l := sources.Location{Postcode: address.Text("postcode")}
	for _, line := range []string{"addressLine4", "addressLine3", "addressLine2"} {
		l.Text = cmp.Or(l.Text, plaintext.CollapseToOneLine(address.Text(line)))
	}
	l.Latitude, l.Longitude = adverts.ParseCoordinates(address.Number("latitude").String(),
		address.Number("longitude").String())
	return l
}
