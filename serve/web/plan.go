package web

import (
	"cmp"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"labour/serve"
	"labour/serve/api"
	"labour/snapshots/figure"
)

// planRow is a row of the planner's table: one sector with its figures. A field is nil if there is
// no such figure.
type planRow struct {
	Sector api.SkillsUnmetRow // most unmet skill of the sector; Bucket is the sector
	// occupation with the most adverts in the sector, among those whose adverts require the skill
	// of the field Sector
	Occupation *api.SkillsUnmetRow
	// forecast for the field Occupation, or for the narrowest group that contains it
	Forecast   *api.SkillsGapsRow
	Training   *api.CourseDemandRow
	Priorities []planPriority
}

// planPriority is an entry of a local skills improvement plan (LSIP), with the name of the plan's
// area.
type planPriority struct {
	api.PrioritiesRow
	Area string
}

type planTable struct {
	Place    api.Named // place of the figures; empty = all places
	Where    string
	Groups   []optionGroup
	Rows     []planRow
	Base     template.HTML
	Training string // name of the place of the training figures
	Leading  string // heading of the column with each sector's first skill
	Local    bool   // whether the dataset of local priorities is released
	CSV      string
	// finds the operator's corrections of the training figures
	Corrections corrections
}

// plan shows the planner's table. For each sector it has the most unmet skill, with training,
// forecasts and local priorities.
func (s *Site) plan(v *request) view {
	d := planOf(v)
	v.aboutPeople(d.Place.Value, "")
	return view{template: "plan", title: "Planner's table: " + d.Where, section: "/plan", data: d}
}

func planOf(v *request) planTable {
	f := filterOf(v)
	d := planTable{Place: namedOf(v.snapshot, api.Places, f.Place), Where: f.where(v.snapshot),
		Groups: placeGroups(v.snapshot, f.Place),
		CSV:    address("/plan.csv", url.Values{"place": {f.Place}}), Corrections: corrections{v.snapshot}}
	place := placeView{Place: d.Place}
	firstOfSectors(v, f, serve.MaxPageRows, &place)
	d.Leading = leadHeading(place.Sectors)
	for _, r := range place.Sectors {
		d.Rows = append(d.Rows, planRow{Sector: r})
	}
	sortPlan(d.Rows)
	d.occupations(v, f)
	d.forecasts(v)
	d.training(v)
	d.priorities(v)
	return d
}

// sortPlan sorts the planner's table by score, the largest first. Sectors with fewer than 20
// adverts come last.
func sortPlan(rows []planRow) {
	score := func(r planRow) (int64, bool) { return measures()[0].number(r.Sector) }
	largestFirst(rows, score,
		func(a, b planRow) int { return strings.Compare(*a.Sector.BucketName, *b.Sector.BucketName) })
	slices.SortStableFunc(rows,
		func(a, b planRow) int { return cmp.Compare(handfulLast(a.Sector), handfulLast(b.Sector)) })
}

// occupations sets the occupation in each row of the planner's table. It is the one with the most
// adverts in the row's sector, among the occupations whose adverts require the row's skill. If the
// place has too few adverts, occupations uses the figures of all places.
func (d *planTable) occupations(v *request, f filter) {
	for i := range d.Rows {
		r := &d.Rows[i]
		q := f.breakdownQuery(r.Sector.Skill, api.BySOC, serve.MaxPageRows)
		q.Sector = *r.Sector.Bucket
		r.Occupation = occupationAsking(v, q)
		if q.Place != "" && r.Occupation == nil { // the place has too few adverts
			q.Place = ""
			r.Occupation = occupationAsking(v, q)
		}
	}
}

// occupationAsking returns the unit group (four-digit SOC 2020 code) with the most adverts in the
// result of the query q. It returns nil if no unit group has enough adverts.
func occupationAsking(v *request, q api.SkillsUnmetQuery) *api.SkillsUnmetRow {
	if v.err != nil {
		return nil
	}
	p, err := v.snapshot.SkillsUnmet(v.ctx, q)
	v.fail(err)
	groups := slices.DeleteFunc(p.Rows, func(row api.SkillsUnmetRow) bool { return len(*row.Bucket) != 4 })
	if len(groups) == 0 {
		return nil
	}
	addSources(v, p)
	most := ofMostAdverts(groups)
	return &most
}

// ofMostAdverts returns the row with the most adverts. It compares bands such as "50-99", because
// exact numbers of adverts are not published. If several rows are in the highest band, it returns
// the one with the largest share.
func ofMostAdverts(rows []api.SkillsUnmetRow) api.SkillsUnmetRow {
	return slices.MaxFunc(rows, func(a, b api.SkillsUnmetRow) int {
		first, _ := figure.ParseBase(a.AdvertsBase)
		second, _ := figure.ParseBase(b.AdvertsBase)
		return cmp.Or(cmp.Compare(first.LowerEnd, second.LowerEnd),
			cmp.Compare(a.AdvertsShare.Tenths, b.AdvertsShare.Tenths))
	})
}

// forecasts sets the forecast for the occupation in each row of the planner's table. If there is
// none, it uses the forecast for the narrowest occupation group that contains the occupation.
func (d *planTable) forecasts(v *request) {
	rows := runQuery(v, "All forecasts of the country", gapsPath, api.Snapshot.SkillsGaps,
		api.SkillsGapsQuery{Country: "GB", Limit: serve.MaxListRows}).Rows
	for i := range d.Rows {
		r := &d.Rows[i]
		if r.Occupation == nil {
			continue
		}
		for n, forecast := range rows {
			around := strings.HasPrefix(*r.Occupation.Bucket, forecast.SOC)
			if around && (r.Forecast == nil || len(forecast.SOC) > len(r.Forecast.SOC)) {
				r.Forecast = &rows[n]
			}
		}
	}
}

// training sets the training figure in each row of the planner's table. It is the largest of the
// newest figures for subjects of the row's sector. The figures are for the place's council or, if
// there is none, for England.
func (d *planTable) training(v *request) {
	q := api.CourseDemandQuery{Country: "GB", Limit: serve.MaxListRows}
	d.Training = england
	if region, ok := v.snapshot.ResolveRegion("GB", d.Place.Code); ok {
		q.Region, d.Training = region.Code, region.Name
	}
	rows := runQuery(v, "Training in "+d.Training, coursesPath, api.Snapshot.CourseDemand, q).Rows
	rows = ofCurrentArea(rows, q.Region)
	ends := newest(rows)
	size := func(r *api.CourseDemandRow) int64 { n, _ := r.Value.Number(); return n }
	for i := range d.Rows {
		r := &d.Rows[i]
		for n := range rows {
			one := &rows[n]
			current := one.PeriodEnd == ends[one.Metric] && teaches(*r.Sector.Bucket, one.SubjectArea)
			if current && (r.Training == nil || size(one) > size(r.Training)) {
				r.Training = one
			}
		}
	}
}

// priorities sets the entries of local skills improvement plans in each row of the planner's table.
// An entry belongs to a row if it names the row's sector, skill or occupation. Each plan
// contributes only its closest entry. All plans are read, because no source states which boroughs a
// plan covers. If the page may not show the dataset priorities, nothing is set.
func (d *planTable) priorities(v *request) {
	if d.Local = v.mayShow("priorities"); !d.Local {
		return
	}
	rows := runQuery(v, "What local plans list as in demand", prioritiesPath, api.Snapshot.PlanPriorities,
		api.EmbargoedQuery{Limit: serve.MaxListRows}).Rows
	for i := range d.Rows {
		r := &d.Rows[i]
		listed := slices.DeleteFunc(slices.Clone(rows), func(one api.PrioritiesRow) bool { return !r.isListed(one) })
		slices.SortStableFunc(listed, func(a, b api.PrioritiesRow) int {
			return cmp.Or(cmp.Compare(a.RegionCode, b.RegionCode), cmp.Compare(closeness(b), closeness(a)))
		})
		for n, one := range listed {
			if n > 0 && one.RegionCode == listed[n-1].RegionCode {
				continue // a broader entry of the same area
			}
			area, _ := v.snapshot.ResolveRegion("GB", one.RegionCode)
			r.Priorities = append(r.Priorities, planPriority{one, cmp.Or(area.Name, one.RegionCode)})
		}
	}
}

// isListed reports whether an entry of a local skills improvement plan belongs to the row. The
// entry must name the row's sector, its skill, or an occupation group that contains its occupation.
func (r *planRow) isListed(entry api.PrioritiesRow) bool {
	switch entry.Kind {
	case "sector":
		return entry.Code == *r.Sector.Bucket
	case "skill":
		return entry.Code == r.Sector.Skill
	default:
		return r.Occupation != nil && strings.HasPrefix(*r.Occupation.Bucket, entry.Code)
	}
}

// closeness returns how closely an entry of a local skills improvement plan describes a row, from 1
// to 6. Higher is closer. It is 6 for a sector and 5 for a skill. For an occupation group, it is
// the number of digits of the code.
func closeness(entry api.PrioritiesRow) int {
	switch entry.Kind {
	case "sector":
		return 6
	case "skill":
		return 5
	default:
		return len(entry.Code)
	}
}
