package intake

import (
	"bytes"
	"slices"

	"labour/sources"
	"labour/sources/plaintext"
)

// CleanCode removes invisible characters and invalid UTF-8 from an id, code or web address.
func CleanCode(s string) string { return plaintext.RemoveInvisible(s) }

// CleanRecord returns a copy of a record with cleaned texts. If cleaning makes a required text
// empty, nameless is the record's id. If it does not, nameless is "".
func CleanRecord(r sources.Record) (plain sources.Record, nameless string) {
	switch r := r.(type) {
	case sources.Advert:
		return advert(r)
	case sources.Borough:
		codes(&r.Slug, &r.Code)
		return r, names(r.Code, &r.Name)
	case sources.Pathway:
		return pathway(r)
	case sources.Statistic:
		codes(&r.Source, &r.Metric, &r.Country, &r.RegionCode, &r.RegionKind, &r.Series)
		titles(&r.RegionName)
		return r, names(r.RegionCode, &r.SubjectArea)
	case sources.Area:
		codes(&r.Source, &r.Code, &r.Kind, &r.NationCode, &r.Edition, &r.Slug)
		titles(&r.NameWelsh)
		return r, names(r.Code, &r.Name)
	case sources.AreaCodeChange:
		codes(&r.Source, &r.Kind, &r.From, &r.To, &r.Edition)
		return r, ""
	case sources.Boundary:
		codes(&r.Source, &r.Code)
		r.GeoJSON = bytes.ToValidUTF8(r.GeoJSON, nil)
		return r, ""
	case sources.Evidence:
		codes(&r.Source, &r.ID, &r.Kind, &r.Signal, &r.SOC, &r.Class, &r.RegionCode, &r.Country, &r.Link)
		titles(&r.Occupation)
		return r, names(r.ID, &r.Title, &r.Statement)
	case sources.OccupationGroup:
		codes(&r.Source, &r.SOC)
		return r, names(r.SOC, &r.Name)
	case sources.OccupationTitle:
		codes(&r.Source, &r.SOC)
		return r, names(r.SOC, &r.Title)
	case sources.Ward:
		codes(&r.Source, &r.Code, &r.Council, &r.Edition)
		return r, names(r.Code, &r.Name)
	case sources.Headline:
		codes(&r.Source, &r.ID, &r.Link)
		return r, ""
	case sources.PlanPriority:
		codes(&r.Source, &r.Plan, &r.RegionCode, &r.Kind, &r.Code, &r.Page, &r.Link)
		titles(&r.Title)
		return r, ""
	case sources.Event:
		codes(&r.Partner)
		return r, ""
	}
	// Residents, applications and sites contain only codes, in which the feed's schemas allow only
	// letters, digits and a few signs.
	return r, ""
}

func advert(a sources.Advert) (sources.Record, string) {
	codes(&a.Source, &a.ID, &a.ApplyURL, &a.Link, &a.Kind, &a.SOC)
	titles(&a.Requisition, &a.Route, &a.Department, &a.SalaryText)
	a.Text = plaintext.CleanLines(a.Text)
	a.Locations, a.Wanted = slices.Clone(a.Locations), slices.Clone(a.Wanted)
	for i := range a.Locations {
		l := &a.Locations[i]
		titles(&l.Text, &l.Postcode, &l.Country)
		codes(&l.Slug)
	}
	for i := range a.Wanted {
		titles(&a.Wanted[i].Skill)
	}
	return a, names(a.ID, &a.Title, &a.Employer)
}

func pathway(p sources.Pathway) (sources.Record, string) {
	codes(&p.ID, &p.Slug, &p.Sector)
	p.Summary = plaintext.CleanLines(p.Summary)
	p.Steps, p.Standards = slices.Clone(p.Steps), slices.Clone(p.Standards)
	for i := range p.Steps {
		s := &p.Steps[i]
		titles(&s.Title)
		codes(&s.SOC)
		s.Description = plaintext.CleanLines(s.Description)
	}
	for i := range p.Standards {
		codes(&p.Standards[i].Code)
		titles(&p.Standards[i].Title)
	}
	return p, names(p.ID, &p.Title)
}

// codes cleans ids, codes and web addresses in place with CleanCode.
func codes(fields ...*string) {
	for _, f := range fields {
		*f = CleanCode(*f)
	}
}

// titles cleans short texts in place and decodes HTML entities in them.
func titles(fields ...*string) {
	for _, f := range fields {
		*f = plaintext.CleanLine(*f)
	}
}

// names cleans required short texts in place. It returns id if cleaning makes one of them empty,
// and "" otherwise.
func names(id string, fields ...*string) string {
	lost := ""
	for _, f := range fields {
		before := *f
		if *f = plaintext.CleanLine(before); *f == "" && before != "" {
			lost = id
		}
	}
	return lost
}
