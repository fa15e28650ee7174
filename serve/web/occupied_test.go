package web

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"labour/serve/api"
)

// TestOccupationsBelowAGroup: those with one digit more.
func TestOccupationsBelowAGroup(t *testing.T) {
	for soc, want := range map[string]string{"": "6 7", "6": "61 62", "61": "613", "613": "6135", "6135": "", "9": ""} {
		var codes []string
		for _, n := range partsOf(filtered(), soc) {
			codes = append(codes, n.Value)
		}
		if got := strings.Join(codes, " "); got != want {
			t.Errorf("below %q are %s, want %s", soc, got, want)
		}
	}
}

// TestThePageOfAnOccupation leads to the groups around it, the widest first, with the chosen place.
func TestThePageOfAnOccupation(t *testing.T) {
	s := recorded(filtered())
	s.unmet = func(api.SkillsUnmetQuery) []api.SkillsUnmetRow { return []api.SkillsUnmetRow{askedOf(30, 100)} }
	v := visit(s, "/occupations/613?place=camden&level=2")
	v.SetPathValue("soc", "613")
	v.place = "camden"
	shown := (&Site{}).occupation(v)
	d := shown.data.(occupationView)
	want := []link{{"Caring", "/occupations/6?place=camden"}, {"Care", "/occupations/61?place=camden"}}
	if v.err != nil || shown.title != "Carers" || shown.section != "/occupations" || !slices.Equal(d.Above, want) ||
		len(d.Parts) != 1 || d.SOC != "613" || d.Where != "Camden, carers, level 2, last 12 months" ||
		d.Skills != "/skills?level=2&place=camden&soc=613" || withoutTags(string(d.Base)) != "100 to 249 adverts" ||
		!v.stamp.People || len(d.Rows) != 1 || d.Form.Action != "/occupations/613" || d.Columns == nil {
		t.Errorf("%v: %q and %+v", v.err, shown.title, d)
	}
	v = visit(s, "/occupations/999")
	v.SetPathValue("soc", "999")
	(&Site{}).occupation(v)
	var f *fault
	if !errors.As(v.err, &f) || f.status != 404 || f.title != "There is no such occupation" ||
		!slices.Equal(f.nearest, []link{{"All occupations", "/occupations"}, {"Search", "/find"}}) {
		t.Errorf("an unknown occupation: %v", v.err)
	}
}

// TestEvidenceThatPointsToAGap in the occupation or below it: ten, without news, and their sources are credited.
func TestEvidenceThatPointsToAGap(t *testing.T) {
	s := recorded(planSnapshot())
	row := func(id, soc, signal, kind, source string) api.EvidenceRow {
		return api.EvidenceRow{ID: id, SOC: &soc, Signal: signal, Kind: kind, SourceKey: source}
	}
	s.evidence = []api.EvidenceRow{row("wider", "6", "gap", "report", "x"), row("other", "711", "gap", "report", "x"),
		row("none", "61", "no_gap", "report", "x"), row("news", "61", "gap", "news", "x"),
		{ID: "nothing", Signal: "gap", Kind: "report", SourceKey: "x"}}
	for i := range 11 {
		s.evidence = append(s.evidence, row(fmt.Sprint(i), "613", "gap", "report", []string{"a", "b"}[i/10]))
	}
	s.credited = []api.Source{{Key: "a"}, {Key: "b"}, {Key: "x"}}
	v, d := visit(s, "/occupations/61"), occupationView{SOC: "61"}
	occupationForecasts(v, filter{}, &d)
	var ids []string
	for _, r := range d.Pointing {
		ids = append(ids, r.ID)
	}
	if got := strings.Join(ids, " "); got != "0 1 2 3 4 5 6 7 8 9" || len(v.stamp.Sources) != 1 ||
		v.stamp.Sources[0].Key != "a" || len(s.credited) != 3 || s.credited[2].Key != "x" ||
		!strings.HasSuffix(callsSaid(v), "All evidence of the country: evidence?limit=200") {
		t.Errorf("%s of the sources %v with the calls %s", got, v.stamp.Sources, callsSaid(v))
	}
	v, d = visit(s, "/occupations/72"), occupationView{SOC: "72"}
	if occupationForecasts(v, filter{}, &d); d.Pointing != nil || len(v.stamp.Sources) > 0 || len(v.stamp.Calls) != 1 {
		t.Errorf("another occupation has %+v", d.Pointing)
	}
}

// TestPathwaysOfAnOccupation: those with a step in it, and their standards, each once.
func TestPathwaysOfAnOccupation(t *testing.T) {
	care, other := "6135", "6136"
	a, b := api.Standard{Code: "ST1"}, api.Standard{Code: "ST2"}
	s := recorded(planSnapshot())
	s.pathways = []api.PathwaysRow{
		{ID: "in", Steps: []api.Step{{}, {SOC: &other}, {SOC: &care}}, Standards: []api.Standard{a, b}},
		{ID: "out", Steps: []api.Step{{SOC: &other}}, Standards: []api.Standard{{Code: "ST3"}}},
		{ID: "too", Steps: []api.Step{{SOC: &care}}, Standards: []api.Standard{b, {Code: "ST4"}}}}
	d := occupationView{SOC: care}
	occupationPathways(visit(s, "/occupations/6135"), filter{}, &d)
	if len(d.Pathways) != 2 || d.Pathways[0].ID != "in" || d.Pathways[1].ID != "too" ||
		!slices.Equal(d.Standards, []api.Standard{a, b, {Code: "ST4"}}) {
		t.Errorf("%+v with %v", d.Pathways, d.Standards)
	}
	if p := d.Pathways[0]; p.IsOccupation(p.Steps[0]) || p.IsOccupation(p.Steps[1]) || !p.IsOccupation(p.Steps[2]) {
		t.Error("another step is marked")
	}
}

// TestLiveAdvertsCreditTheirSources, each statement once.
func TestLiveAdvertsCreditTheirSources(t *testing.T) {
	s := recorded(planSnapshot())
	s.jobs = []api.JobsRow{{AttributionStatement: "A."}, {AttributionStatement: "B."}, {AttributionStatement: "A."}}
	d := occupationView{SOC: "6135"}
	occupationJobs(visit(s, "/"), filter{}, &d)
	if len(d.Jobs) != 3 || !slices.Equal(d.JobsSaid, []string{"A.", "B."}) {
		t.Errorf("%d adverts with %q", len(d.Jobs), d.JobsSaid)
	}
}

// TestAfterAFaultAnOccupationAsksNothing: the first fault stays.
func TestAfterAFaultAnOccupationAsksNothing(t *testing.T) {
	s := recorded(planSnapshot())
	first := errors.New("first")
	for _, fill := range []func(*request, filter, *occupationView){occupationSkills, occupationNext, occupationForecasts,
		occupationPathways, occupationJobs} {
		v := visit(s, "/occupations/6135")
		v.err = first
		d := occupationView{SOC: "6135"}
		if fill(v, filter{}, &d); v.err != first || s.queries() != "" || d.Pathways != nil {
			t.Errorf("%v with %+v", v.err, d)
		}
		v.err = nil
		s.err = errors.New("broken")
		if fill(v, filter{}, &d); !errors.Is(v.err, s.err) {
			t.Errorf("the fault of a query is lost: %v", v.err)
		}
		s.err = nil
		s.queries()
	}
}

// TestWaysToASkill: five unit groups, those with evidence that is more than news, and pathways with a step in one of
// them before others of the sector.
func TestWaysToASkill(t *testing.T) {
	s := recorded(planSnapshot())
	s.unmet = func(q api.SkillsUnmetQuery) (rows []api.SkillsUnmetRow) {
		buckets := map[api.Breakdown]string{api.BySOC: "61 6131 6132 6133 6134 6135 6136", api.BySector: "care-services law"}
		for i, bucket := range strings.Fields(buckets[q.By]) {
			r := askedOf(int64(10+i), 100)
			if bucket == "6136" {
				r = askedOf(5, 5)
			}
			name := "N" + bucket
			r.Bucket, r.BucketName = &bucket, &name
			rows = append(rows, r)
		}
		return rows
	}
	s.evidence = []api.EvidenceRow{{Kind: "news"}, {Kind: "report"}}
	step := func(soc string) []api.Step { return []api.Step{{}, {SOC: &soc}} }
	s.pathways = []api.PathwaysRow{{ID: "law", Sector: "law"}, {ID: "care", Sector: "care-services"},
		{ID: "own", Sector: "law", Steps: step("6135")}, {ID: "six", Sector: "x", Steps: step("6136")}}
	v := visit(s, "/skills/sql")
	v.place = "camden"
	d := &skillView{Skill: "sql"}
	askWays(v, filter{Window: 12}, d)
	var socs, pathways []string
	for _, r := range d.Ways.Occupations {
		socs = append(socs, *r.Bucket)
	}
	for _, p := range d.Ways.Pathways {
		pathways = append(pathways, p.ID)
	}
	if got := strings.Join(socs, " "); got != "6135 6134 6133 6132 6131" {
		t.Errorf("most is it asked for in %s", got)
	}
	if len(d.Ways.Evidence) != 5 || d.Ways.Evidence[0] != (link{"N6135", "/evidence?place=camden&soc=6135"}) {
		t.Errorf("the evidence is %v", d.Ways.Evidence)
	}
	if got := strings.Join(pathways, " "); got != "own law" || *d.Ways.Sector.Bucket != "law" {
		t.Errorf("the pathways are %s, in the sector %s", got, *d.Ways.Sector.Bucket)
	}
	if asked := s.queries(); strings.Count(asked, "evidence Country=GB SOC=613") != 5 ||
		!strings.Contains(asked, "evidence Country=GB SOC=6135 Limit=5\n") || d.Ways.Training != "/courses" {
		t.Errorf("it asks %s", asked)
	}
	s.evidence = s.evidence[:1]
	d = &skillView{Skill: "sql"}
	if askWays(visit(s, "/skills/sql"), filter{Window: 12, SOC: "61", Sector: "law"}, d); d.Ways.Evidence != nil ||
		d.Ways.Occupations != nil || d.Ways.Sector != nil || d.Ways.Pathways != nil {
		t.Errorf("of one occupation and sector: %+v", d.Ways)
	}
}

// TestFieldOfASkill: the sector that asks for a skill most is that of all places together, since a place has
// a handful of adverts in most sectors, and none is named where no sector has 20 adverts.
func TestFieldOfASkill(t *testing.T) {
	for base, want := range map[int64]string{20: "care", 19: ""} {
		s := recorded(planSnapshot())
		s.unmet = func(q api.SkillsUnmetQuery) []api.SkillsUnmetRow {
			bucket := map[string]string{"": "care", "camden": "law"}[q.Place]
			r := askedOf(10, base)
			r.Bucket, r.BucketName = &bucket, &bucket
			return []api.SkillsUnmetRow{r}
		}
		d := &skillView{Skill: "sql"}
		askWays(visit(s, "/skills/sql?place=camden"), filter{Window: 12, Place: "camden"}, d)
		got := ""
		if d.Ways.Sector != nil {
			got = *d.Ways.Sector.Bucket
		}
		if got != want || d.Ways.SectorChosen {
			t.Errorf("of %d adverts in a sector: %q, want %q", base, got, want)
		}
		askWays(visit(s, "/skills/sql?sector=care"), filter{Window: 12, Sector: "care"}, d)
		if !d.Ways.SectorChosen {
			t.Error("the page of one sector does not know that it was chosen")
		}
	}
}

// TestPathwaysAreFive, those of the occupations before those of the sector.
func TestPathwaysAreFive(t *testing.T) {
	s, soc, sector := recorded(planSnapshot()), "6135", "care"
	for i := range 4 {
		s.pathways = append(s.pathways, api.PathwaysRow{ID: fmt.Sprint("s", i), Sector: sector},
			api.PathwaysRow{ID: fmt.Sprint("o", i), Sector: sector, Steps: []api.Step{{SOC: &soc}}})
	}
	row := bucketRow{}
	row.Bucket = &soc
	w := ways{Occupations: []bucketRow{row}, Sector: &bucketRow{SkillsUnmetRow: api.SkillsUnmetRow{Bucket: &sector}}}
	w.pathways(visit(s, "/skills/sql"))
	var ids []string
	for _, p := range w.Pathways {
		ids = append(ids, p.ID)
	}
	if got := strings.Join(ids, " "); got != "o0 o1 o2 o3 s0" {
		t.Errorf("the pathways are %s", got)
	}
}
