package web

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"labour/serve"
	"labour/serve/api"
	"labour/serve/web/words"
	"labour/snapshots/figure"
)

// ways holds the further links on the page of a skill: the occupations that require the skill,
// training in the same field, and careers pathways.
type ways struct {
	Occupations []bucketRow // occupations whose adverts require the skill, the largest share first
	Evidence    []link      // published evidence about the occupations that require the skill
	// sector with the largest share of adverts that require the skill, in all places together; nil if
	// no sector of 20 adverts or more requires it, or if the filter selects one
	Sector       *bucketRow
	SectorChosen bool // whether the filter selects one sector
	Subjects     []api.CourseDemandRow
	// careers pathways with a step into one of Occupations, then others in Sector
	Pathways []api.PathwaysRow
	Region   string // name of the place of the training figures
	Training string // address of the web page with the training figures of the place
	// finds the operator's corrections of Subjects
	Corrections corrections
}

func sectorsOf(s api.Snapshot, rows []api.CourseDemandRow) (list []api.Named) {
	for _, n := range byName(s.NamedValues(api.Sectors)) {
		if slices.ContainsFunc(rows, func(r api.CourseDemandRow) bool { return teaches(n.Value, r.SubjectArea) }) {
			list = append(list, n)
		}
	}
	return list
}

func teaches(sector, subject string) bool {
	return slices.ContainsFunc(strings.Split(words.DisplayName("taught", sector), "|"),
		func(name string) bool { return strings.EqualFold(name, subject) })
}

func newest(rows []api.CourseDemandRow) map[string]api.Date {
	ends := map[string]api.Date{}
	for _, r := range rows {
		if end, ok := ends[r.Metric]; !ok || r.PeriodEnd.Time().After(end.Time()) {
			ends[r.Metric] = r.PeriodEnd
		}
	}
	return ends
}

// ofCurrentArea returns the training figures of the area with the given code. It leaves out figures
// of areas that later became part of that area. If code is "", the area is the whole country, and
// all figures are returned.
func ofCurrentArea(rows []api.CourseDemandRow, code string) []api.CourseDemandRow {
	if code == "" {
		return rows
	}
	return slices.DeleteFunc(slices.Clone(rows), func(r api.CourseDemandRow) bool { return r.RegionCode != code })
}

const maxFurtherLinks = 5 // largest number of occupations and of pathways in ways

func askWays(v *request, f filter, d *skillView) {
	d.Ways.Training, d.Ways.Corrections = "/courses", corrections{v.snapshot}
	for _, r := range mostAsking(v, f, d.Skill, api.BySOC) {
		if len(*r.Bucket) == 4 && len(d.Ways.Occupations) < maxFurtherLinks {
			d.Ways.Occupations = append(d.Ways.Occupations, r)
		}
	}
	d.Ways.evidence(v)
	d.Ways.SectorChosen = f.Sector != ""
	everywhere := f
	everywhere.Place = "" // a place has too few adverts of a sector to tell the field of a skill
	sectors := mostAsking(v, everywhere, d.Skill, api.BySector)
	if len(sectors) > 0 && handfulLast(sectors[0].SkillsUnmetRow) == 0 {
		d.Ways.Sector = &sectors[0]
		d.Ways.training(v, f)
	}
	if v.err == nil {
		d.Ways.pathways(v)
	}
}

// evidence sets w.Evidence to a link to published evidence for each occupation. An occupation has
// no link if its newest evidence is only news.
func (w *ways) evidence(v *request) {
	for _, r := range w.Occupations {
		if v.err != nil {
			return
		}
		p, err := v.snapshot.Evidence(v.ctx, api.EvidenceQuery{Country: "GB", SOC: *r.Bucket, Limit: topSection})
		v.fail(err)
		if slices.ContainsFunc(p.Rows, func(row api.EvidenceRow) bool { return row.Kind != "news" }) {
			w.Evidence = append(w.Evidence,
				link{*r.BucketName, address("/evidence", url.Values{"place": {v.place}, "soc": {*r.Bucket}})})
		}
	}
}

// pathways sets w.Pathways to the careers pathways in which one of the skill's occupations is a
// step. Other pathways in the skill's main sector come after them.
func (w *ways) pathways(v *request) {
	all, err := v.snapshot.Pathways(v.ctx)
	v.fail(err)
	leads := func(p api.PathwaysRow) bool {
		return slices.ContainsFunc(p.Steps, func(step api.Step) bool {
			return step.SOC != nil && slices.ContainsFunc(w.Occupations,
				func(r bucketRow) bool { return *r.Bucket == *step.SOC })
		})
	}
	isOtherOfSector := func(p api.PathwaysRow) bool {
		return !leads(p) && w.Sector != nil && p.Sector == *w.Sector.Bucket
	}
	for _, belongs := range []func(api.PathwaysRow) bool{leads, isOtherOfSector} {
		for _, p := range all {
			if len(w.Pathways) < maxFurtherLinks && belongs(p) {
				w.Pathways = append(w.Pathways, p)
			}
		}
	}
}

// mostAsking returns a skill's breakdown by occupation or sector, the largest share of adverts
// first. Rows of fewer than 20 adverts come last, because their shares are often 100 %. The result
// is nil if the filter already selects one occupation or sector.
func mostAsking(v *request, f filter, skill string, by api.Breakdown) []bucketRow {
	selectsOne := by == api.BySOC && f.SOC != "" || by == api.BySector && f.Sector != ""
	if selectsOne {
		return nil
	}
	rows := brokenDown(v, "Who asks for it, "+strings.ToLower(words.DisplayName("breakdown", string(by))), f, skill, by,
		serve.MaxPageRows)
	slices.SortStableFunc(rows, func(a, b bucketRow) int { return byAsking(a.SkillsUnmetRow, b.SkillsUnmetRow) })
	return rows
}

// byAsking compares two rows for sorting. The larger share of adverts comes first, but rows of
// fewer than 20 adverts come last.
func byAsking(a, b api.SkillsUnmetRow) int {
	return cmp.Or(cmp.Compare(handfulLast(a), handfulLast(b)),
		cmp.Compare(b.AdvertsShare.Tenths, a.AdvertsShare.Tenths))
}

func handfulLast(r api.SkillsUnmetRow) int {
	if base, ok := figure.ParseBase(r.AdvertsBase); ok && base.IsUnderTwenty() {
		return 1
	}
	return 0
}

// training sets w.Subjects to the newest training figures for the subjects of the skill's main
// sector. The figures are for the filter's place if its council is an official region, and
// otherwise for England.
func (w *ways) training(v *request, f filter) {
	q := api.CourseDemandQuery{Country: "GB", Limit: serve.MaxListRows}
	w.Region = england
	if r, ok := v.snapshot.ResolveRegion("GB", namedOf(v.snapshot, api.Places, f.Place).Code); ok {
		q.Region = r.Code
		w.Region = r.Name
		w.Training = address("/courses", url.Values{"region": {f.Place}})
	}
	p, err := v.snapshot.CourseDemand(v.ctx, q)
	v.fail(err)
	rows := ofCurrentArea(p.Rows, q.Region)
	ends := newest(rows)
	for _, r := range rows {
		if r.PeriodEnd == ends[r.Metric] && teaches(*w.Sector.Bucket, r.SubjectArea) {
			w.Subjects = append(w.Subjects, r)
		}
	}
	if len(w.Subjects) > 0 {
		addSources(v, p)
		v.calls("Training in the field", coursesPath, q)
	}
}
