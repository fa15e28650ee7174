package intake

import (
	"bytes"
	"cmp"
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
		cleanCodes(&r.Slug, &r.Code)
		return r, cleanNames(r.Code, &r.Name)
	case sources.Pathway:
		return pathway(r)
	case sources.Statistic:
		cleanCodes(&r.Source, &r.Metric, &r.Country, &r.RegionCode, &r.RegionKind, &r.Series)
		cleanTitles(&r.RegionName)
		return r, cleanNames(r.RegionCode, &r.SubjectArea)
	case sources.Area:
		cleanCodes(&r.Source, &r.Code, &r.Kind, &r.NationCode, &r.Edition, &r.Slug)
		cleanTitles(&r.NameWelsh)
		return r, cleanNames(r.Code, &r.Name)
	case sources.AreaCodeChange:
		cleanCodes(&r.Source, &r.Kind, &r.From, &r.To, &r.Edition)
		return r, ""
	case sources.Boundary:
		cleanCodes(&r.Source, &r.Code)
		r.GeoJSON = bytes.ToValidUTF8(r.GeoJSON, nil)
		return r, ""
	case sources.Evidence:
		cleanCodes(&r.Source, &r.ID, &r.Kind, &r.Signal, &r.SOC, &r.Class, &r.RegionCode, &r.Country, &r.Link)
		cleanTitles(&r.Occupation)
		return r, cleanNames(r.ID, &r.Title, &r.Statement)
	case sources.OccupationGroup:
		cleanCodes(&r.Source, &r.SOC)
		return r, cleanNames(r.SOC, &r.Name)
	case sources.OccupationTitle:
		cleanCodes(&r.Source, &r.SOC)
		return r, cleanNames(r.SOC, &r.Title)
	case sources.Ward:
		cleanCodes(&r.Source, &r.Code, &r.Council, &r.Edition)
		return r, cleanNames(r.Code, &r.Name)
	case sources.Headline:
		cleanCodes(&r.Source, &r.ID, &r.Link)
		return r, ""
	case sources.PlanPriority:
		cleanCodes(&r.Source, &r.Plan, &r.RegionCode, &r.Kind, &r.Code, &r.Page, &r.Link)
		cleanTitles(&r.Title)
		return r, ""
	case sources.Event:
		before := r.Partner
		cleanCodes(&r.Partner)
		if r.Partner == "" && before != "" {
			return r, r.ID // without a partner, it could be for every partner
		}
		return r, ""
	}
	// Residents, applications and sites contain only codes, in which the feed's schemas allow only
	// letters, digits and a few signs.
	return r, ""
}

func advert(a sources.Advert) (sources.Record, string) {
	cleanCodes(&a.Source, &a.ID, &a.ApplyURL, &a.Link, &a.Kind, &a.SOC)
	cleanTitles(&a.Requisition, &a.Route, &a.Department, &a.SalaryText)
	a.Text = plaintext.CleanLines(a.Text)
	a.Locations, a.Wanted = slices.Clone(a.Locations), slices.Clone(a.Wanted)
	for i := range a.Locations {
		l := &a.Locations[i]
		cleanTitles(&l.Text, &l.Postcode, &l.Country)
		cleanCodes(&l.Slug)
	}
	for i := range a.Wanted {
		cleanTitles(&a.Wanted[i].Skill)
	}
	return a, cleanNames(a.ID, &a.Title, &a.Employer)
}

func pathway(p sources.Pathway) (plain sources.Record, nameless string) {
	cleanCodes(&p.ID, &p.Slug, &p.Sector)
	p.Summary = plaintext.CleanLines(p.Summary)
	p.Steps, p.Standards = slices.Clone(p.Steps), slices.Clone(p.Standards)
	for i := range p.Steps {
		s := &p.Steps[i]
		nameless = cmp.Or(nameless, cleanNames(p.ID, &s.Title))
		cleanCodes(&s.SOC)
		s.Description = plaintext.CleanLines(s.Description)
	}
	for i := range p.Standards {
		cleanCodes(&p.Standards[i].Code)
		nameless = cmp.Or(nameless, cleanNames(p.ID, &p.Standards[i].Title))
	}
	return p, cmp.Or(nameless, cleanNames(p.ID, &p.Title))
}

// cleanCodes cleans ids, codes and web addresses in place with CleanCode.
func cleanCodes(fields ...*string) {
	for _, f := range fields {
		*f = CleanCode(*f)
	}
}

// cleanTitles cleans short texts in place and decodes HTML entities in them.
func cleanTitles(fields ...*string) {
	for _, f := range fields {
		*f = plaintext.CleanLine(*f)
	}
}

// cleanNames cleans required short texts in place. It returns id if cleaning makes one of them empty,
// and "" otherwise.
func cleanNames(id string, fields ...*string) string {
	lost := ""
	for _, f := range fields {
		before := *f
		if *f = plaintext.CleanLine(before); *f == "" && before != "" {
			lost = id
		}
	}
	return lost
}
