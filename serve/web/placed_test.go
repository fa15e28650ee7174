package web

import (
	"fmt"
	"strings"
	"testing"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// TestThePageOfAPlaceMovesToItsSlug, with the parameters of the address.
func TestThePageOfAPlaceMovesToItsSlug(t *testing.T) {
	for path, want := range map[string]string{"camden": "", "CAMDEN": "/places/camden?window=24",
		"e09000007": "/places/camden?window=24"} {
		v := visit(recorded(planSnapshot()), "/places/"+path+"?window=24")
		v.SetPathValue("place", path)
		(&Site{}).place(v)
		to, _ := v.err.(redirectError)
		if string(to) != want {
			t.Errorf("%s leads to %q (%v), want %q", path, to, v.err, want)
		}
	}
	if text := redirectError("/x").Error(); text != "moved to /x" {
		t.Errorf("the log says %q", text)
	}
}

// twoPlaces is a snapshot with a list of skills for each of two places, and one for all.
func twoPlaces() *recording {
	s := planSnapshot()
	s.named[api.Places] = append(s.named[api.Places], api.Named{Value: "hackney", Name: "Hackney"})
	row := func(skill string, asking, adverts, below, turned int64) api.SkillsUnmetRow {
		r := askedOf(asking, adverts)
		tenths := figure.Tenths(below)
		r.Skill, r.SkillName, r.PeopleBelow = skill, strings.ToUpper(skill), api.Percent{Tenths: &tenths}
		r.TurnedDown = api.Count{Count: figure.CountOf(turned)}
		return r
	}
	sectors := s.unmet
	s.unmet = func(q api.SkillsUnmetQuery) []api.SkillsUnmetRow {
		if q.By != "" {
			return sectors(q)
		}
		switch q.Place {
		case "camden":
			rows := []api.SkillsUnmetRow{row("aid", 300, 1000, 500, 0), row("sql", 100, 1000, 400, 20)}
			for i := range 10 {
				rows = append(rows, row(fmt.Sprint("s", i), 10, 1000, 300, int64(5*i)))
			}
			return rows
		case "hackney":
			return []api.SkillsUnmetRow{row("aid", 60, 100, 700, 0), row("sql", 9, 100, 410, 0)}
		}
		return []api.SkillsUnmetRow{row("aid", 900, 3000, 600, 0), row("sql", 800, 3000, 100, 0)}
	}
	return recorded(s)
}

// TestSkillsOfAPlace: ten, each with its row in all places and in the place that it is compared with. All drawings
// have the largest share of both places as their end.
func TestSkillsOfAPlace(t *testing.T) {
	s := twoPlaces()
	d := placeView{Place: api.Named{Value: "camden", Name: "Camden"}, With: api.Named{Value: "hackney", Name: "Hackney"}}
	v := visit(s, "/places/camden")
	placeSkills(v, filter{Place: "camden", Window: 12}, &d)
	if got, want := s.queries(), linesOf(`unmet Place=camden Window=12 Limit=5000
		unmet Place=hackney Window=12 Limit=5000
		unmet Window=12 Limit=5000`); got != want {
		t.Errorf("it asks\n%s\nwant\n%s", got, want)
	}
	if got, want := callsSaid(v), linesOf(`Skills of Camden: skills-unmet?limit=200&place=camden
		Skills of Hackney: skills-unmet?limit=200&place=hackney
		Skills of all places: skills-unmet?limit=200`); got != want {
		t.Errorf("it lists\n%s\nwant\n%s", got, want)
	}
	var lines []string
	for _, r := range d.Rows[:3] {
		lines = append(lines, fmt.Sprintf("%s %v %v more %q %v, all %v, people %v of %d", r.Skill, r.OtherPlace != nil,
			r.Whole != nil, r.More, r.Unclear, r.WholeUnclear, r.PeopleUnclear, r.Most))
	}
	if got, want := strings.Join(lines, "\n"), linesOf(`aid true true more "−30" false, all true, people false of 600
		sql true true more "no clear difference" true, all false, people false of 600
		s0 false false more "" false, all false, people false of 600`); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if len(d.Rows) != 10 || len(d.skills) != 12 || withoutTags(string(d.Base)) != "1,000 adverts or more" ||
		withoutTags(string(d.ComparedBase)) != "100 to 249 adverts" ||
		withoutTags(string(d.BaseWhole)) != "1,000 adverts or more" || !d.Columns["people_below_share_pct"] ||
		d.Columns["hired_with_skill_pct"] {
		t.Errorf("%d rows of %d skills, %q, %q and %q, %v", len(d.Rows), len(d.skills), d.Base, d.ComparedBase, d.BaseWhole,
			d.Columns)
	}
	if drawing := string(d.Rows[0].Drawing()); !strings.Contains(drawing, "<svg") {
		t.Errorf("the drawing is %s", drawing)
	}
	var turned []string
	for _, r := range d.Turned {
		turned = append(turned, r.Skill)
	}
	if got := strings.Join(turned, " "); got != "s9 s8 s7 s6 s5 sql s4 s3 s2 s1" {
		t.Errorf("most are turned down for %s", got)
	}
	alone := placeView{Place: d.Place}
	placeSkills(visit(s, "/places/camden"), filter{Place: "camden", Window: 12}, &alone)
	if alone.ComparedBase != "" || alone.Rows[0].OtherPlace != nil || alone.Rows[0].Most != 300 ||
		alone.Rows[0].More != "" {
		t.Errorf("without a comparison: %+v", alone.Rows[0])
	}
}

// TestSharesOfResidentsMayBeRoundedApart: the compared shares are unclear if rounding can explain their difference.
func TestSharesOfResidentsMayBeRoundedApart(t *testing.T) {
	v := visit(twoPlaces(), "/places/camden")
	v.registered = counts{"camden": {"Camden", 804}, "hackney": {"Hackney", 804}} // each off by 1 point
	d := placeView{Place: api.Named{Value: "camden"}, With: api.Named{Value: "hackney"}}
	placeSkills(v, filter{Place: "camden", Window: 12}, &d)
	if d.Rows[0].PeopleUnclear || !d.Rows[1].PeopleUnclear || d.Rows[2].PeopleUnclear {
		t.Errorf("20 points, 1 point and none are unclear: %v, %v, %v", d.Rows[0].PeopleUnclear, d.Rows[1].PeopleUnclear,
			d.Rows[2].PeopleUnclear)
	}
}

// TestThePageOfAPlace: it is compared with another place only, and its title names both. Its parts are filled.
func TestThePageOfAPlace(t *testing.T) {
	for _, c := range []struct{ target, title, with, places string }{
		{"/places/camden", "Camden", "", "[camden Camden, hackney Hackney]"},
		{"/places/camden?with=hackney", "Camden and Hackney", "hackney", "[camden Camden, hackney Hackney*]"},
		{"/places/camden?with=HACKNEY", "Camden and Hackney", "hackney", "[camden Camden, hackney Hackney*]"},
		{"/places/camden?with=camden", "Camden", "", "[camden Camden*, hackney Hackney]"},
	} {
		s := twoPlaces()
		s.local = []api.PrioritiesRow{{RegionCode: "E69000039", Name: "Care"}}
		s.gaps = []api.SkillsGapsRow{{SOC: "6135"}}
		s.training = []api.CourseDemandRow{{Metric: "apprenticeship_starts", PeriodEnd: api.DateOf(nowOf())}}
		v := visit(s, c.target)
		v.SetPathValue("place", "camden")
		shown := (&Site{}).place(v)
		d, ok := shown.data.(placeView)
		if !ok || v.err != nil || shown.title != c.title || d.With.Value != c.with || menusSaid(d.Form.Places) != c.places ||
			len(d.Sectors) != 1 || len(d.Training) != 1 || len(d.Forecasts) != 1 || len(d.Priorities) != 1 ||
			d.Movers == nil || d.Window != 12 || d.Whole != "/whole/skills-unmet?place=camden" || !v.stamp.People ||
			d.Training[0].Corrections.snapshot == nil {
			t.Errorf("%s: %q (%v), %+v", c.target, shown.title, v.err, d)
		}
	}
	v := visit(twoPlaces(), "/places/camden?with=nowhere")
	v.SetPathValue("place", "camden")
	if (&Site{}).place(v); v.err == nil || fmt.Sprint(v.faultyParameters) != "[with]" {
		t.Errorf("an unknown other place: %v", v.err)
	}
}

// TestSectorsOfAPlace: those of a handful of adverts last, and by name otherwise. The page tells how many there
// are. Each leads to the call of its first skill.
func TestSectorsOfAPlace(t *testing.T) {
	s := planSnapshot()
	s.unmet = func(api.SkillsUnmetQuery) (rows []api.SkillsUnmetRow) {
		for i, name := range strings.Fields("Zoo Few Mail Art Law Bus Tiny") {
			r, slug := askedOf(30, 100), strings.ToLower(name)
			if i == 1 || i == 6 {
				r = askedOf(5, 10)
			}
			r.Bucket, r.BucketName = &slug, &name
			rows = append(rows, r)
		}
		return rows
	}
	for most, want := range map[int]string{5: "Art Bus Law Mail Zoo", 6: "Art Bus Law Mail Zoo Few",
		200: "Art Bus Law Mail Zoo Few Tiny", 3: "Art Bus Law"} {
		r := recorded(s)
		v, d := visit(r, "/places/camden"), placeView{}
		firstOfSectors(v, filter{Place: "camden", Window: 12}, most, &d)
		var names, calls []string
		for _, row := range d.Sectors {
			names = append(names, *row.BucketName)
			low := strings.ToLower(*row.BucketName)
			calls = append(calls, "The skill of "+low+": skills-unmet?limit=1&place=camden&sector="+low)
		}
		if got := strings.Join(names, " "); got != want || callsSaid(v) != strings.Join(calls, "\n") ||
			v.stamp.Snapshot == nil || d.SectorsFound != 7 {
			t.Errorf("%d sectors: %s with the calls %s, want %s", most, got, callsSaid(v), want)
		}
		if got := r.queries(); got != "unmet Place=camden Window=12 By=sector Limit=200" {
			t.Errorf("it asks %s", got)
		}
	}
}

// TestTrainingOfAPlace: three subjects of each kind, of the place's council. An area has no council.
func TestTrainingOfAPlace(t *testing.T) {
	s := recorded(planSnapshot())
	for i := range 4 {
		s.training = append(s.training, api.CourseDemandRow{Metric: "apprenticeship_starts", SubjectArea: fmt.Sprint(i),
			Value: api.Count{Count: figure.CountOf(int64(10 * i))}})
	}
	d := placeView{Place: api.Named{Name: "Camden", Code: "E09000007"}}
	v := visit(s, "/places/camden")
	placeTraining(v, filter{}, &d)
	if len(d.Training) != 1 || len(d.Training[0].Rows) != 3 || d.Training[0].Rows[0].SubjectArea != "3" ||
		s.queries() != "courses Country=GB Region=E09000007 Limit=5000" ||
		callsSaid(v) != "Training in Camden: course-demand?limit=5000&region=E09000007" {
		t.Errorf("%+v", d.Training)
	}
	area := placeView{Place: api.Named{Name: "East"}}
	if placeTraining(v, filter{}, &area); area.Training != nil || s.queries() != "" {
		t.Errorf("an area has %+v", area.Training)
	}
}
