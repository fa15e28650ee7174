package web

import (
	"errors"
	"strings"
	"testing"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// TestTheBriefOfAPlace: five skills, the largest share, who is turned down most, and a line and a map of the first
// skill, which is compared with all other places.
func TestTheBriefOfAPlace(t *testing.T) {
	s := monthly(30)
	months := s.unmet
	s.unmet = func(q api.SkillsUnmetQuery) (rows []api.SkillsUnmetRow) {
		if q.By != "" {
			return months(q)
		}
		for i := range 6 {
			asking := int64(10 * (i + 1))
			if q.Place == "" {
				asking *= 2
			}
			r := askedOf(asking, 100)
			if q.Place == "" {
				r = askedOf(asking, 1000)
			}
			r.Skill, r.SkillName = "sql", "SQL"
			r.TurnedDown = api.Count{Count: figure.CountOf(int64(10 * min(i, 2)))} // 0, 10, and 20 four times
			rows = append(rows, r)
		}
		return rows
	}
	v := visit(s, "/places/a/brief?window=24")
	v.SetPathValue("place", "a")
	v.place = "a"
	shown := (&Site{}).brief(v)
	d := shown.data.(briefView)
	if v.err != nil || shown.title != "A: brief" || shown.section != "/places" || len(d.Rows) != 5 || d.Most != 500 ||
		len(d.Turned) != 3 || d.Turned[0].AdvertsSample.Requiring != 30 || d.TurnedAlso != "1 more" ||
		d.Untold != "" || d.Line.Drawing == "" || d.Map == nil ||
		withoutTags(string(d.Base)) != "100 to 249 adverts" || withoutTags(string(d.Whole)) != "1,000 adverts or more" ||
		d.Check != "https://labour.example/places/a/brief?snapshot=2026-11-20.1&window=24" || !v.stamp.People ||
		d.Few == "" {
		t.Errorf("%v: %+v", v.err, d)
	}
	if got, want := s.queries(), linesOf(`unmet Place=a Window=24 Limit=5000
		unmet Window=24 Limit=5000
		unmet Place=a Window=24 Skill=sql By=month Limit=50
		sources At=2026-11-21 00:00:00 +0000 UTC
		unmet Window=24 Skill=sql By=month Limit=50
		unmet Window=24 Skill=sql By=place Limit=4
		unmet Window=24 Skill=sql Limit=1`); got != want {
		t.Errorf("it asks\n%s\nwant\n%s", got, want)
	}
	if first := d.Rows[0]; first.More == "" || first.Unclear != (first.More == "no clear difference") {
		t.Errorf("the first skill is compared as %q", first.More)
	}
	if !strings.Contains(callsSaid(v),
		"The months of the line: skills-unmet?by=month&limit=50&place=a&skill=sql&window=24\n") {
		t.Errorf("it lists %s", callsSaid(v))
	}
	s.unmet = nil
	v = visit(s, "/places/a/brief")
	v.SetPathValue("place", "a")
	d = (&Site{}).brief(v).data.(briefView)
	if v.err != nil || len(d.Turned) > 0 || d.Map != nil || d.Few != "No count of people turned down is published here." {
		t.Errorf("without adverts (%v): %+v", v.err, d)
	}
}

// TestABriefDrawsNothingAfterAFault.
func TestABriefDrawsNothingAfterAFault(t *testing.T) {
	s := monthly(30)
	s.err = errors.New("broken")
	v := visit(s, "/places/a/brief")
	d := briefView{Rows: []comparedRow{{SkillsUnmetRow: askedOf(1, 2)}}}
	d.draw(v, filter{Window: 12})
	if asked := s.queries(); d.Map != nil || d.Line.Drawing != "" || strings.Contains(asked, "\n") || v.err == nil {
		t.Errorf("%v: it asks %s", v.err, asked)
	}
}
