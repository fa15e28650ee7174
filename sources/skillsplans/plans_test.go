package skillsplans

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/sources"
	"labour/sources/sourcetest"
)

func plan(base string) Plan {
	return Plan{ID: "exampleshire", CSVFile: base + "/plan.csv", Title: "Local skills improvement plan for Exampleshire",
		Publisher:  "Exampleshire Chamber",
		RegionCode: "E69000039", Published: "2025-08-01", Licence: "All rights reserved; summary with citation",
		Statement: "Source: Exampleshire Chamber.", Link: "https://chamber.example/plan"}
}

func newSource(t testing.TB, p Plan) sources.Source {
	t.Helper()
	list, err := New(Config{Plans: []Plan{p}})
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

// TestSuite puts the connector through everything that a publisher and an archive can
// do to it.
func TestSuite(t *testing.T) {
	priority := func(kind, code, page string) sources.PlanPriority {
		return sources.PlanPriority{Source: "plan_exampleshire", Plan: "exampleshire",
			Title: "Local skills improvement plan for Exampleshire", RegionCode: "E69000039",
			Kind: kind, Code: code, Page: page, Published: sources.Date{Year: 2025, Month: 8, Day: 1},
			Link: "https://chamber.example/plan"}
	}
	want := []sources.Record{priority("occupation", "2231", "14"), priority("occupation", "53", "15"),
		priority("sector", "digital", "iv"), priority("skill", "project-management", "")}
	sourcetest.Run(t, sourcetest.Case{
		NewSource:  func(base string) sources.Source { return newSource(t, plan(base)) },
		Publisher:  sourcetest.ServeBodies(map[string]string{"/plan.csv": sourcetest.ReadSample(t, "plan.csv")}),
		WantTerms:  sources.Terms{MayFetch: true},
		WantFaults: []sources.FaultCode{sources.FaultSchema}, // twice
		CheckRecords: func(t *testing.T, records []sources.Record) {
			if diff := cmp.Diff(want, records); diff != "" {
				t.Error(diff)
			}
		},
	})
}

// A row that cannot be read is named with its line; of a file with many nothing is used.
func TestRowsThatCannotBeRead(t *testing.T) {
	for name, row := range map[string]string{"no kind": "profession,2231,1", "no SOC code": "occupation,22311,1",
		"no group": "occupation,6199,1",
		"no slug":  "skill,Project Management,3", "no page": "sector,digital-2,page three"} {
		text := "kind,code,page\n" + row + "\nskill,excel,1\n"
		parsed, err := parse(context.Background(), []byte(text), plan("https://chamber.example"))
		if err != nil || len(parsed.Records) != 1 || len(parsed.Faults) != 1 ||
			parsed.Faults[0].Code != sources.FaultBadValue || parsed.Faults[0].Where != "line 2" {
			t.Errorf("%s: %+v, %v", name, parsed, err)
		}
	}
}

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want sources.FaultCode
	}{
		"nothing":         {"\n", sources.FaultSuddenlyEmpty},
		"a text column":   {"kind,code,page,quotation\noccupation,2231,1,x\n", sources.FaultColumnUnknown},
		"a column twice":  {"kind,code,page,code\noccupation,2231,1,2\n", sources.FaultSchema},
		"no page":         {"kind,code\noccupation,2231\n", sources.FaultColumnMissing},
		"another's table": {"a,b,c\n1,2,3\n", sources.FaultColumnMissing},
	} {
		if parsed, err := parse(context.Background(), []byte(c.text), Plan{}); sources.FaultCodeOf(err) != c.want ||
			len(parsed.Records) > 0 {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

func TestConfig(t *testing.T) {
	ok := plan("https://chamber.example")
	change := func(f func(*Plan)) []Plan { x := ok; f(&x); return []Plan{x} }
	for name, list := range map[string][]Plan{
		"none": nil, "twice": {ok, ok},
		"no licence":   change(func(p *Plan) { p.Licence = "" }),
		"no statement": change(func(p *Plan) { p.Statement = "" }),
		"no citation":  change(func(p *Plan) { p.Link = "" }),
		"no title":     change(func(p *Plan) { p.Title = " " }),
		// a path is made an address where the configuration is read
		"no file": change(func(p *Plan) { p.CSVFile = "plan.csv" }),
		"no area": change(func(p *Plan) { p.RegionCode = "London" }),
		"no day":  change(func(p *Plan) { p.Published = "2025" }),
		"bad id":  change(func(p *Plan) { p.ID = "The Plan" }),
	} {
		if _, err := New(Config{Plans: list}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if i := newSource(t, ok).Info(); i.Terms != (sources.Terms{MayFetch: true}) || i.Kind != sources.KindPlans {
		t.Errorf("%+v: a summary is permitted only where the configuration says so", i)
	}
	ok.MaySummarise = true
	if !newSource(t, ok).Info().Terms.MaySummarise {
		t.Error("what the configuration says is not taken")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sourcetest.ReadSample(f, "plan.csv")))
	f.Fuzz(func(t *testing.T, text []byte) {
		parsed, err := parse(context.Background(), text, Plan{})
		if err == nil && len(parsed.Records) == 0 {
			t.Error("an empty file was read")
		}
		for _, r := range parsed.Records {
			if l := r.(sources.PlanPriority); !isCode[l.Kind](l.Code) {
				t.Errorf("%+v", l)
			}
		}
	})
}
