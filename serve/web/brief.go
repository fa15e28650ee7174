package web

import (
	"fmt"
	"html/template"

	"labour/serve/api"
)

// briefSkills is the number of skills in the brief, which is a one-page summary for a place.
const briefSkills = 5

// briefNames is the largest number of skills that the brief names as those for which people were
// turned down.
const briefNames = 3

// briefView holds the content of the brief, which is a one-page summary for a place.
type briefView struct {
	Place api.Named
	Rows  []comparedRow
	Tied  bool  // whether the second skill shows the same figure as the first
	Most  int64 // largest share of adverts; the scale of the bars ends there
	Base  template.HTML
	Whole template.HTML // number of adverts behind the shares in all places
	// skills with the largest published count of people turned down; at most briefNames of them
	Turned     []api.SkillsUnmetRow
	TurnedAlso string    // names the number of further skills with that count, such as "2 more"
	Untold     string    // sentence on the skills whose count of people turned down is not published
	Few        string    // sentence about people turned down, shown if Turned is empty
	Line       trendLine // line chart of the first skill
	Map        *mapView
	Check      string // permanent address of these figures, with the snapshot's id
}

// brief shows the brief of a place, a summary that fits on one sheet of A4.
func (s *Site) brief(v *request) view {
	f := filterOf(v)
	if f.Place != v.PathValue("place") {
		v.fail(redirectError(address("/places/"+f.Place+"/brief", v.URL.Query())))
	}
	place := placeView{Place: namedOf(v.snapshot, api.Places, f.Place)}
	placeSkills(v, f, &place)
	d := briefView{Place: place.Place, Base: place.Base, Whole: place.BaseWhole, Tied: place.Tied,
		Rows: place.Rows[:min(briefSkills, len(place.Rows))], Check: v.base + v.with("snapshot", v.snapshot.ID())}
	for _, r := range d.Rows {
		d.Most = max(d.Most, int64(r.AdvertsShare.Tenths))
	}
	d.Few, d.Untold = place.FewTurned, untoldTurned(place.skills)
	if len(place.Turned) > 0 {
		d.Turned = turnedDownMost(place.Turned)
	}
	if more := len(d.Turned) - briefNames; more > 0 {
		d.Turned, d.TurnedAlso = d.Turned[:briefNames], fmt.Sprintf("%d more", more)
	}
	if len(d.Rows) > 0 {
		d.draw(v, f)
	}
	v.aboutPeople(f.Place, "")
	return view{template: "brief", title: d.Place.Name + ": brief", section: "/places", data: d}
}

// draw adds the line chart and the map of the brief's first skill to d. It also compares the
// skill's share of adverts in the place of the brief with the share in all other places together.
func (d *briefView) draw(v *request, f filter) {
	first := &d.Rows[0]
	skill := &skillView{Skill: first.Skill, Name: first.SkillName}
	if skill.Rows = brokenDown(v, "The months of the line", f.lastMonths(), skill.Skill, api.ByMonth,
		monthsPerPage); v.err != nil {
		return
	}
	d.Line = trendOf(v, f, skill, lastAdvertsDay(v, f))
	f.Place = ""
	drawMap(v, f, skill, mapRows(v, f, skill.Skill))
	d.Map = skill.Map
	if first.Whole != nil {
		first.compare(v.snapshot.CodingErrors(), first.Whole.AdvertsSample.Without(first.AdvertsSample), first.Whole)
	}
}
