package web

import (
	"html/template"
	"net/http"
	"slices"
	"strings"

	"labour/serve"
	"labour/serve/api"
)

const (
	// mostNext is the largest number of similar occupations that the page of an occupation lists.
	mostNext = 8
	// mostLive is the largest number of live adverts that the page of an occupation lists.
	mostLive = 5
)

type occupationsView struct{ Groups []api.Named }

// occupations shows the page of all occupations. It lists the major groups, whose pages lead to the
// other groups.
func (s *Site) occupations(v *request) view {
	d := occupationsView{Groups: partsOf(v.snapshot, "")}
	return view{template: "occupations", title: "Occupations", section: "/occupations", data: d}
}

type occupationView struct {
	SOC, Name string
	Above     []link // occupation groups that contain this one, the widest first
	Parts     []api.Named
	Where     string
	Period    string // the parameter window of links; empty for the default period
	Form      form
	Rows      []api.SkillsUnmetRow
	Tied      bool // whether the second skill shows the same figure as the first
	Base      template.HTML
	Columns   columns
	Note      string // why there are no figures about people; empty if there are some
	Skills    string // address of the complete list of unmet skills
	Next      []nextJob
	Forecasts []api.SkillsGapsRow
	Pointing  []api.EvidenceRow // published evidence of a skills gap, without news
	Pathways  []pathwayTo
	Standards []api.Standard
	Jobs      []api.JobsRow // live adverts from sources that permit republishing
	JobsSaid  []string      // attribution statements of the adverts' sources, without duplicates
}

// nextJob is another occupation that requires some of the same skills as the occupation of the
// page.
type nextJob struct {
	api.Named
	URL    string
	Skills []link
}

// pathwayTo is a careers pathway on the page of an occupation. SOC is the code of the occupation.
type pathwayTo struct {
	api.PathwaysRow
	SOC string
}

// IsOccupation reports whether a step of the pathway is the occupation of the page.
func (p pathwayTo) IsOccupation(step api.Step) bool { return step.SOC != nil && *step.SOC == p.SOC }

func (s *Site) occupation(v *request) view {
	soc := v.PathValue("soc")
	named := namedOf(v.snapshot, api.Occupations, soc)
	if _, known := slices.BinarySearch(v.snapshot.Values(api.Occupations), soc); !known {
		v.fail(&fault{status: http.StatusNotFound, title: "There is no such occupation",
			words:   "An occupation is a code of one to four digits of SOC 2020, such as 6135.",
			nearest: []link{{"All occupations", "/occupations"}, {"Search", "/find"}}})
	}
	f := filterOf(v)
	d := occupationView{SOC: soc, Name: named.Name, Parts: partsOf(v.snapshot, soc), Form: formOf(v, f, v.URL.Path)}
	for digits := 1; digits < len(soc); digits++ {
		d.Above = append(d.Above, link{nameOf(v.snapshot, api.Occupations, soc[:digits]),
			v.occupationURL(soc[:digits])})
	}
	f.SOC = soc
	d.Where, d.Period = f.where(v.snapshot), f.values().Get("window")
	occupationSkills(v, f, &d)
	occupationNext(v, f, &d)
	occupationForecasts(v, f, &d)
	occupationPathways(v, f, &d)
	occupationJobs(v, f, &d)
	v.aboutPeople(f.Place, "")
	return view{template: "occupation", title: d.Name, section: "/occupations", data: d}
}

// partsOf returns the occupation groups directly below the group with the SOC 2020 code soc. If soc
// is empty, it returns the major groups.
func partsOf(s api.Snapshot, soc string) (parts []api.Named) {
	for _, n := range s.NamedValues(api.Occupations) {
		if len(n.Value) == len(soc)+1 && strings.HasPrefix(n.Value, soc) {
			parts = append(parts, n)
		}
	}
	return parts
}

// occupationSkills sets d.Rows to the most unmet skills of the occupation, which its adverts
// require and residents lack.
func occupationSkills(v *request, f filter, d *occupationView) {
	q := f.query()
	q.Limit = topSkills
	p := runQuery(v, "What adverts of this occupation ask for", skillsPath, api.Snapshot.SkillsUnmet, q)
	d.Rows, d.Tied = p.Rows, isTiedForFirst(p.Rows)
	d.Base = firstBase(p.Rows)
	d.Columns = columnsOf(p.Rows)
	d.Note = missingPeopleNote(p.People)
	d.Skills = address("/skills", f.values())
}

// occupationNext sets d.Next to the occupations that have the most skills in common with the
// occupation of the page.
func occupationNext(v *request, _ filter, d *occupationView) {
	if v.err != nil {
		return
	}
	found, err := v.snapshot.NextOccupations(v.ctx, api.NextOccupationsQuery{SOC: d.SOC, Limit: mostNext})
	v.fail(err)
	for _, next := range found {
		job := nextJob{Named: namedOf(v.snapshot, api.Occupations, next.SOC), URL: v.occupationURL(next.SOC)}
		for _, skill := range next.Skills {
			l := v.skillLink(namedOf(v.snapshot, api.Skills, skill))
			job.Skills = append(job.Skills, link{l.Name, l.URL})
		}
		d.Next = append(d.Next, job)
	}
}

// occupationForecasts sets d.Forecasts to the forecasts for the occupation. It sets d.Pointing to
// the published evidence that the occupation has a skills gap.
func occupationForecasts(v *request, _ filter, d *occupationView) {
	d.Forecasts = runQuery(v, "Forecasts for this occupation", gapsPath, api.Snapshot.SkillsGaps,
		api.SkillsGapsQuery{Country: "GB", SOC: d.SOC, Limit: topSkills}).Rows
	if v.err != nil {
		return
	}
	q := api.EvidenceQuery{Country: "GB", Limit: serve.MaxListRows}
	p, err := v.snapshot.Evidence(v.ctx, q)
	v.fail(err)
	shown := map[string]bool{}
	for _, r := range p.Rows {
		points := r.SOC != nil && strings.HasPrefix(*r.SOC, d.SOC) && r.Signal == "gap" && r.Kind != "news"
		if points && len(d.Pointing) < topSkills {
			d.Pointing, shown[r.SourceKey] = append(d.Pointing, r), true
		}
	}
	if len(d.Pointing) > 0 {
		p.Sources = slices.DeleteFunc(slices.Clone(p.Sources), func(s api.Source) bool { return !shown[s.Key] })
		addSources(v, p)
		v.calls("All evidence of the country", evidencePath, q)
	}
}

// occupationPathways sets d.Pathways to the careers pathways in which the occupation is a step. It
// sets d.Standards to the apprenticeship standards of these pathways.
func occupationPathways(v *request, _ filter, d *occupationView) {
	if v.err != nil {
		return
	}
	all, err := v.snapshot.Pathways(v.ctx)
	v.fail(err)
	for _, row := range all {
		p := pathwayTo{row, d.SOC}
		if !slices.ContainsFunc(row.Steps, p.IsOccupation) {
			continue
		}
		d.Pathways = append(d.Pathways, p)
		for _, standard := range row.Standards {
			if !slices.Contains(d.Standards, standard) {
				d.Standards = append(d.Standards, standard)
			}
		}
	}
}

// occupationJobs sets d.Jobs to the newest live adverts for the occupation, and d.JobsSaid to their
// attribution statements. Snapshots contain only adverts that may be republished.
func occupationJobs(v *request, f filter, d *occupationView) {
	if v.err != nil {
		return
	}
	p, err := v.snapshot.Jobs(v.ctx, api.JobsQuery{Borough: f.Place, SOC: d.SOC, Limit: mostLive})
	v.fail(err)
	d.Jobs = p.Rows
	for _, r := range p.Rows {
		if !slices.Contains(d.JobsSaid, r.AttributionStatement) {
			d.JobsSaid = append(d.JobsSaid, r.AttributionStatement)
		}
	}
}
