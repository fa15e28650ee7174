package web

import (
	"cmp"
	"html/template"
	"slices"
	"strings"

	"labour/serve"
	"labour/serve/api"
	"labour/serve/web/chart"
	"labour/serve/web/words"
	"labour/snapshots/figure"
)

const (
	// topSkills is the number of rows in the main tables on the page of a place or an occupation.
	topSkills = 10
	// topSection is the number of rows in the smaller tables on a page.
	topSection = 5
	// topTraining is the largest number of subjects that the page of a place lists for each kind of
	// training.
	topTraining = 3
)

type placesView struct {
	Groups []optionGroup
	Codes  map[string]string // official codes of the places' councils, by place slug
	Map    template.HTML     // map of the boroughs; empty = there are no outlines to draw
	Found  *regionsView      // results of a search for official codes; nil = no search
	Kinds  []option          // options of the menu of region kinds, such as councils
	Name   string            // name of the region that the visitor searches for
}

// regionsView holds the regions that match the visitor's search by kind and name.
type regionsView struct {
	Rows  []regionRow
	Found int // number of all matches; Rows has the first of them
}

// regionRow is a region with the name of its nation, such as England. Nation is empty if the region
// is in several nations.
type regionRow struct {
	api.RegionsRow
	Nation string
}

func (s *Site) places(v *request) view {
	runQuery(v, "The places and their codes", placesPath, api.Snapshot.Places,
		api.VocabularyQuery{Limit: serve.MaxListRows})
	d := placesView{Groups: placeGroups(v.snapshot, ""), Codes: map[string]string{}}
	for _, n := range v.snapshot.NamedValues(api.Places) {
		d.Codes[n.Value] = n.Code
	}
	outlines := v.snapshot.Outlines()
	var areas []chart.Area
	for _, o := range outlines.Rows {
		areas = append(areas, chart.Area{Place: o.Place, Shape: o.Shape, Name: nameOf(v.snapshot, api.Places, o.Place),
			Label: nameOf(v.snapshot, api.Places, o.Place), Said: "choose", Class: "c2"})
	}
	if chart.CanDrawMap(areas) {
		if drawn := chart.DrawMap("Map of the boroughs. The list has the same places.", "", "/places/{place}", areas); len(
			drawn) <= heaviestMap {
			d.Map = drawn
			addSources(v, outlines)
		}
	}
	d.lookUpRegions(v)
	return view{template: "places", title: "Places", section: "/places", data: d}
}

// lookUpRegions sets d.Found to the regions that match the parameters kind and name in the address.
// If the address has neither parameter, d.Found stays nil.
func (d *placesView) lookUpRegions(v *request) {
	kind, name := v.URL.Query().Get("kind"), serve.TruncateText(v.URL.Query().Get("name"))
	v.checkExists("kind", "kind of region", kind, words.DisplayName("region", kind) != "")
	d.Name, d.Kinds = name, choices("", words.List("region"), cmp.Or(kind, "council"))
	if kind == "" && name == "" {
		return
	}
	query := api.RegionsQuery{Kind: cmp.Or(kind, "council"), Name: name, Limit: serve.MaxListRows}
	rows := runQuery(v, "All regions of this kind and name", regionsPath, api.Snapshot.Regions, query).Rows
	d.Found = &regionsView{Found: len(rows)}
	for _, r := range rows[:min(maxShown, len(rows))] {
		row := regionRow{RegionsRow: r}
		if r.NationCode != nil {
			row.Nation = *r.NationCode
			if nation, ok := v.snapshot.ResolveRegion("GB", row.Nation); ok {
				row.Nation = nation.Name
			}
		}
		d.Found.Rows = append(d.Found.Rows, row)
	}
}

type placeView struct {
	// the place, and the place it is compared with; With is empty without a comparison
	Place, With api.Named
	Form        form
	Rows        []comparedRow
	Tied        bool          // whether the second skill shows the same figure as the first
	Base        template.HTML // number of adverts behind the shares here, in words
	// number of adverts behind the shares in the place of the field With, in words; empty without a
	// comparison, or if that place has no figures
	ComparedBase template.HTML
	// whether the place of the field With has too few adverts for a list of skills
	ThereTooFew bool
	BaseWhole   template.HTML // number of adverts in all places, in words
	Columns     columns
	// skills for which people were turned down, the largest counts first
	Turned    []api.SkillsUnmetRow
	FewTurned string               // sentence about people turned down, shown if Turned is empty
	Sectors   []api.SkillsUnmetRow // most unmet skill of each sector
	// number of all sectors with enough adverts; the field Sectors has the first of them
	SectorsFound int
	Training     []trainingKind
	Forecasts    []api.SkillsGapsRow
	// entries of local skills improvement plans; empty while the dataset priorities is embargoed
	Priorities []planView
	Movers     *moversView
	Map        template.HTML
	MapOf      string
	MapKey     []keyEntry
	Whole      string               // path of all skills of the place, below /csv and /xlsx
	Window     int                  // period of the figures in months
	Period     string               // the parameter window of links; empty for the default period
	skills     []api.SkillsUnmetRow // rows of all skills that the place's adverts require
}

func (s *Site) place(v *request) view {
	f := filterOf(v)
	if f.Place != v.PathValue("place") {
		v.fail(redirectError(address("/places/"+f.Place, v.URL.Query())))
	}
	with := placeOf(v.snapshot, v.URL.Query().Get("with"))
	v.among("with", "place", with, v.snapshot.NamedValues(api.Places))
	d := placeView{Place: namedOf(v.snapshot, api.Places, f.Place),
		Form: formOf(v, filter{Place: with, Window: f.Window}, v.URL.Path), Whole: wholeAddress(f.values()),
		Window: f.Window, Period: f.values().Get("window")}
	if with != "" && with != f.Place {
		d.With = namedOf(v.snapshot, api.Places, with)
	}
	placeSkills(v, f, &d)
	placeSectors(v, f, &d)
	placeTraining(v, f, &d)
	placeForecasts(v, f, &d)
	placePriorities(v, f, &d)
	placeMap(v, f, &d)
	d.Movers, d.Training = moversOf(v, f), withCorrections(v, d.Training)
	v.aboutPeople(f.Place, d.With.Value)
	title := d.Place.Name
	if d.With.Value != "" {
		title += " and " + d.With.Name
	}
	return view{template: "place", title: title, section: "/places", data: d}
}

// FirstTurned returns the first 10 rows (topSkills) of Turned, for the table of a page.
func (d placeView) FirstTurned() []api.SkillsUnmetRow {
	return d.Turned[:min(topSkills, len(d.Turned))]
}

func placeSkills(v *request, f filter, d *placeView) {
	rows := runQuery(v, "Skills of "+d.Place.Name, skillsPath, api.Snapshot.SkillsUnmet, f.everySkill()).Rows
	d.skills, d.Base = rows, firstBase(rows)
	d.Tied = isTiedForFirst(rows)
	var there map[string]*api.SkillsUnmetRow
	if d.With.Value != "" {
		there, d.ComparedBase = skillsIn(v, f, d.With)
		d.ThereTooFew = len(there) == 0
	}
	whole, baseWhole := skillsIn(v, f, api.Named{Name: "all places"})
	d.BaseWhole = baseWhole
	var most figure.Tenths
	for _, r := range rows[:min(topSkills, len(rows))] {
		most = max(most, r.AdvertsShare.Tenths)
		row := comparedRow{SkillsUnmetRow: r, OtherPlace: there[r.Skill], Whole: whole[r.Skill]}
		row.compareWhole(v.snapshot.CodingErrors())
		if row.OtherPlace != nil {
			most = max(most, row.OtherPlace.AdvertsShare.Tenths)
			row.compare(v.snapshot.CodingErrors(), row.OtherPlace.AdvertsSample, row.OtherPlace)
			row.PeopleUnclear = !registeredIn(v).differClearly(d.Place.Value, d.With.Value, r.PeopleBelow,
				row.OtherPlace.PeopleBelow)
		}
		d.Rows = append(d.Rows, row)
	}
	for i := range d.Rows {
		d.Rows[i].Most = most
	}
	d.Columns = columnsOf(rows[:min(topSkills, len(rows))])
	d.Turned, d.FewTurned = turnedDown(rows)
}

// skillsIn returns the rows of all skills in a place, by skill slug. base is how many adverts their
// shares are based on, as HTML such as "250 to 999 adverts".
func skillsIn(v *request, f filter, place api.Named) (rows map[string]*api.SkillsUnmetRow, base template.HTML) {
	f.Place = place.Value
	list := runQuery(v, "Skills of "+place.Name, skillsPath, api.Snapshot.SkillsUnmet, f.everySkill()).Rows
	rows = make(map[string]*api.SkillsUnmetRow, len(list))
	for i := range list {
		rows[list[i].Skill] = &list[i]
	}
	return rows, firstBase(list)
}

// placeSectors sets d.Sectors for the page of a place, which has room for few sectors.
func placeSectors(v *request, f filter, d *placeView) { firstOfSectors(v, f, topSection, d) }

// firstOfSectors sets d.Sectors to the most unmet skill of each sector by name, for at most limit
// sectors. Sectors with fewer than 20 adverts come last.
func firstOfSectors(v *request, f filter, limit int, d *placeView) {
	q := f.query()
	q.By, q.Limit = api.BySector, serve.MaxPageRows
	p, err := v.snapshot.SkillsUnmet(v.ctx, q)
	if v.fail(err); v.err != nil {
		return
	}
	addSources(v, p)
	slices.SortFunc(p.Rows, func(a, b api.SkillsUnmetRow) int {
		return cmp.Or(cmp.Compare(handfulLast(a), handfulLast(b)), cmp.Compare(*a.BucketName, *b.BucketName))
	})
	d.SectorsFound = len(p.Rows)
	p.Rows = p.Rows[:min(limit, len(p.Rows))]
	for _, r := range p.Rows {
		f.Sector = *r.Bucket
		leads := f.query()
		leads.Limit = 1
		v.calls("The skill of "+strings.ToLower(*r.BucketName), skillsPath, leads)
	}
	d.Sectors = p.Rows
}

// placeTraining sets d.Training to the training figures of the council of the place. An area of
// several boroughs has no council and therefore no training figures.
func placeTraining(v *request, _ filter, d *placeView) {
	r, ok := v.snapshot.ResolveRegion("GB", d.Place.Code)
	if !ok {
		return
	}
	p := runQuery(v, "Training in "+d.Place.Name, coursesPath, api.Snapshot.CourseDemand,
		api.CourseDemandQuery{Country: "GB", Region: r.Code, Limit: serve.MaxListRows})
	d.Training = kindsOfTraining(ofCurrentArea(p.Rows, r.Code))
	for i := range d.Training {
		d.Training[i].Rows = d.Training[i].Rows[:min(topTraining, len(d.Training[i].Rows))]
	}
}

func placeForecasts(v *request, _ filter, d *placeView) {
	d.Forecasts = runQuery(v, "Forecasts for the country", gapsPath, api.Snapshot.SkillsGaps,
		api.SkillsGapsQuery{Country: "GB", Limit: topSection}).Rows
}

func placeMap(v *request, f filter, d *placeView) {
	if len(d.Rows) == 0 {
		return
	}
	f.Place = ""
	of := &skillView{Skill: d.Rows[0].Skill, Name: d.Rows[0].SkillName}
	if drawMap(v, f, of, mapRows(v, f, of.Skill)); of.Map != nil {
		d.Map = of.Map.Drawing
		d.MapOf = of.Name
		d.MapKey = of.Map.Key
	}
}

// redirectError is an error that redirects the visitor to another page. Its value is the address of
// that page.
type redirectError string

func (to redirectError) Error() string { return "moved to " + string(to) }

// trainingKind holds the figures of one kind of training, such as apprenticeship starts. Rows has
// the figures of subjects, the largest first. Total has the figure of all subjects together.
type trainingKind struct {
	Metric, Name string
	Total        *api.CourseDemandRow
	Rows         []api.CourseDemandRow
	Most         int64 // largest figure; the scale of the bars ends there
	Period       *api.Date
	Corrections  corrections
}

// kindsOfTraining groups training figures by kind, such as apprenticeship starts. It uses only the
// newest period of each kind.
func kindsOfTraining(rows []api.CourseDemandRow) []trainingKind {
	var kinds []trainingKind
	ends := newest(rows)
	for _, m := range words.List("metric") {
		end, ok := ends[m.Value]
		if !ok {
			continue
		}
		k := trainingKind{Metric: m.Value, Name: m.Name, Period: &end}
		for i, r := range rows {
			if r.Metric != m.Value || r.PeriodEnd != end {
				continue
			}
			if n, ok := r.Value.Number(); ok && !r.IsTotal {
				k.Most = max(k.Most, n)
			}
			if r.IsTotal && k.Total == nil {
				k.Total = &rows[i]
			} else {
				k.Rows = append(k.Rows, r)
			}
		}
		largestFirst(k.Rows, func(r api.CourseDemandRow) (int64, bool) { return r.Value.Number() },
			func(a, b api.CourseDemandRow) int { return cmp.Compare(a.SubjectArea, b.SubjectArea) })
		kinds = append(kinds, k)
	}
	return kinds
}

const prioritiesPath = serve.LabourPath + "priorities"

type planView struct {
	Area string
	Rows []api.PrioritiesRow
}

// placePriorities sets d.Priorities to the skills, occupations and sectors that local skills
// improvement plans list as in demand. If the place has a plan of its own, only that plan is shown.
// Otherwise all plans are shown, because no source states which boroughs a plan covers.
func placePriorities(v *request, _ filter, d *placeView) {
	if !v.mayShow("priorities") {
		return
	}
	p := runQuery(v, "What local plans list as in demand", prioritiesPath, api.Snapshot.PlanPriorities,
		api.EmbargoedQuery{Limit: serve.MaxListRows})
	own := func(r api.PrioritiesRow) bool { return r.RegionCode == d.Place.Code }
	if slices.ContainsFunc(p.Rows, own) {
		p.Rows = slices.DeleteFunc(p.Rows, func(r api.PrioritiesRow) bool { return !own(r) })
	}
	for _, r := range p.Rows {
		area := r.RegionCode
		if region, ok := v.snapshot.ResolveRegion("GB", area); ok {
			area = region.Name
		}
		i := slices.IndexFunc(d.Priorities, func(p planView) bool { return p.Area == area })
		if i < 0 {
			d.Priorities, i = append(d.Priorities, planView{Area: area}), len(d.Priorities)
		}
		if plan := &d.Priorities[i]; len(plan.Rows) < topSkills {
			plan.Rows = append(plan.Rows, r)
		}
	}
}
