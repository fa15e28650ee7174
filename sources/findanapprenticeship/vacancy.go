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

// advert converts one vacancy to an advert. It never reads the contact's name, telephone number or
// email address. An error has a sources.FaultCode.
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

// reference returns a vacancy's reference number without the prefix VAC.
func reference(r string) string {
	r = strings.TrimSpace(r)
	if len(r) > 3 && strings.EqualFold(r[:3], "VAC") && digits(r[3:]) {
		return r[3:]
	}
	return r
}

// origin returns OriginApprenticeship for the service's own vacancies. It returns OriginJobBoard
// for vacancies that may be imported from a job board: their reference is not a number, or they
// have no course. larsCode is the code of the course.
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

// text returns the advert's text about the work and the training. Other text, for example about the
// employer, states no requirements and is left out.
func text(v jsonrows.Row) string {
	var parts []string
	for _, field := range []string{"description", "fullDescription", "trainingDescription",
		"additionalTrainingDescription", "thingsToConsider"} {
		parts = append(parts, plaintext.FromHTML(v.Text(field)))
	}
	return plaintext.JoinLines(parts...)
}

// wages maps the names of the service's wage types to words, for adverts that state no amount or
// description.
var wages = map[string]string{"ApprenticeshipMinimum": "National Minimum Wage for apprentices",
	"NationalMinimum":   "National Minimum Wage",
	"CompetitiveSalary": "Competitive salary"}

// pay returns the amount and description of the pay. If an advert has neither, pay describes its
// wage type.
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

// place converts a vacancy's address to a location. It does not use the first address line, because
// this may identify a person's home.
func place(address jsonrows.Row) sources.Location {
	l := sources.Location{Postcode: address.Text("postcode")}
	for _, line := range []string{"addressLine4", "addressLine3", "addressLine2"} {
		l.Text = cmp.Or(l.Text, plaintext.CollapseToOneLine(address.Text(line)))
	}
	l.Latitude, l.Longitude = adverts.ParseCoordinates(address.Number("latitude").String(),
		address.Number("longitude").String())
	return l
}
