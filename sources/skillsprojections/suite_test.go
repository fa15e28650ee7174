package skillsprojections

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"labour/sources"
	"labour/sources/filelist"
	"labour/sources/sourcetest"
)

// workbook puts a CSV into the second sheet of a workbook, numbers as numbers.
func workbook(t testing.TB, sheet string, text []byte) string {
	t.Helper()
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	f := excelize.NewFile()
	defer f.Close()
	if _, err := f.NewSheet(sheet); err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		for j, cell := range row {
			var v any = cell
			var n float64
			if _, err := fmt.Sscanf(cell, "%g", &n); err == nil && fmt.Sprint(n) == cell {
				v = n
			}
			name, err := excelize.CoordinatesToCellName(j+1, i+1)
			if err == nil {
				err = f.SetCellValue(sheet, name, v)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func publication(base, id, kind, file string) Publication {
	return Publication{ID: id, Kind: kind, URL: base + "/" + file, Region: UnitedKingdomCode, Published: "2025-08-12",
		Edition: "2025", Reuse: ReuseOpen}
}

func newSource(t testing.TB, key string, list ...Publication) sources.Source {
	t.Helper()
	s, err := New(key, Config{Publications: list})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// byID are the records by id.
func byID(t testing.TB, records []sources.Record) map[string]sources.Evidence {
	t.Helper()
	m := map[string]sources.Evidence{}
	for _, r := range records {
		e := r.(sources.Evidence)
		if _, twice := m[e.ID]; twice {
			t.Errorf("the id %s is given twice", e.ID)
		}
		m[e.ID] = e
	}
	return m
}

// TestSuite puts the connector through everything that a publisher and an archive
// can do to it, with each of the three kinds, as workbook and as CSV.
func TestSuite(t *testing.T) {
	serve := sourcetest.ServeBodies(map[string]string{
		"/occ.xlsx": workbook(t, "Occ T2", []byte(sourcetest.ReadSample(t, "projections.csv"))),
		"/list.csv": sourcetest.ReadSample(t, "priority.csv"), "/demand.csv": sourcetest.ReadSample(t, "demand.csv"),
	})
	sourcetest.Run(t, sourcetest.Case{
		NewSource: func(base string) sources.Source {
			area := publication(base, "outlook-mereshire", KindProjections, "occ.xlsx")
			area.Region, area.Reuse = "E69000099", ReuseUnconfirmed
			list := publication(base, "priority", KindPriorityOccupations, "list.csv")
			list.EmploymentUnit = "people"
			return newSource(t, KeySkillsEngland, area, list, publication(base, "demand", KindOccupationsInDemand, "demand.csv"))
		},
		Publisher: serve,
		WantTerms: sources.Terms{MayFetch: true, MayCount: true, MayRepublish: true, MaySummarise: true},
		CheckRecords: func(t *testing.T, records []sources.Record) {
			got := byID(t, records)
			if len(got) != 7+5+4 {
				t.Errorf("%d records, want 7 projections, 5 priorities and 4 of demand", len(got))
			}
			for id, e := range got {
				embargoed := strings.HasPrefix(id, "outlook-mereshire/")
				if e.Embargoed != embargoed || e.Source != KeySkillsEngland || e.Country != "GB" ||
					e.Class != "SOC2020" || (e.RegionCode == "E69000099") != embargoed {
					t.Errorf("%+v", e)
				}
			}
		},
	})
}

// TestProjections checks the rule, the threshold and the words on the sample.
func TestProjections(t *testing.T) {
	s := newSource(t, KeySkillsImperative2035, publication("https://x.example", "p", KindProjections, "x.csv"))
	got := byID(t, read(t, s, []byte(sourcetest.ReadSample(t, "projections.csv"))))
	// Total requirement over base employment of all occupations: 277.85 / 532.9 = 0.521.
	for id, want := range map[string]string{
		"p/11":  "gap 10 70000",       // 0.70, grows
		"p/2":   "none 5.3 90750",     // 0.45, grows
		"p/24":  "none 3.8 22000",     // 0.42, grows
		"p/41":  "no_gap -20 30000",   // 0.30, shrinks
		"p/61":  "none -8.3 45000",    // 0.75, shrinks
		"p/91":  "none 0 unpublished", // neither; 9 thousand are too few to state
		"p/all": "none -0.1 277850",
	} {
		e, ok := got[id]
		openings := "unpublished"
		if e.Openings != nil {
			openings = fmt.Sprint(*e.Openings)
		}
		if !ok || fmt.Sprintf("%s %v %s", e.Signal, *e.ChangePct, openings) != want || e.Kind != "projection" ||
			e.BaseYear != 2020 || e.HorizonYear != 2035 {
			t.Errorf("%s: %+v, want %s", id, e, want)
		}
	}
	if len(got) != 7 {
		t.Errorf("%d records: 63, with 9.9 thousand people in the base year, must give none", len(got))
	}
	want := "Corporate managers and directors (SOC 2020 11): employment 100.0 thousand in 2020, projected 110.0 " +
		"thousand in 2035 (+10.0 per cent); " +
		"70.0 thousand people needed over the period, leavers replaced."
	if e := got["p/11"]; e.Statement != want ||
		e.Title != "Labour market and skills projections 2025: Corporate managers and directors" {
		t.Errorf("%q\n%q", e.Title, e.Statement)
	}
}

// read reads one file as the only publication of a source, without faults.
func read(t testing.TB, s sources.Source, text []byte) []sources.Record {
	t.Helper()
	files := s.(filelist.Files[Publication])
	parsed, err := files.ParseFile(context.Background(), text, files.Entries[0])
	if err != nil || len(parsed.Faults) != 0 {
		t.Fatalf("%v, faults %v", err, parsed.Faults)
	}
	return parsed.Records
}

// TestPriority: a priority occupation is a gap; it is a projection only with figures
// that are whole, in a known unit, and rest on enough people.
func TestPriority(t *testing.T) {
	for unit, want := range map[string]map[string]string{
		"people": {"2136": "projection 15", "5313": "projection 10", "5312": "report", "5319": "report",
			"6135": "report"},
		"": {"2136": "report", "5313": "report", "5312": "report", "5319": "report", "6135": "report"},
	} {
		p := publication("https://x.example", "p", KindPriorityOccupations, "x.csv")
		p.EmploymentUnit = unit
		got := map[string]string{}
		text := []byte(sourcetest.ReadSample(t, "priority.csv"))
		for id, e := range byID(t, read(t, newSource(t, KeySkillsEngland, p), text)) {
			kind := e.Kind
			if e.ChangePct != nil {
				kind += fmt.Sprint(" ", *e.ChangePct)
			}
			got[strings.TrimPrefix(id, "p/")] = kind
			if e.Signal != "gap" || e.Openings != nil {
				t.Errorf("%+v", e)
			}
			if id == "p/2136" &&
				!strings.HasPrefix(e.Statement, "Programmers and software development professionals (SOC 2020 2136) "+
					"is a priority occupation in Digital and technologies; Creative industries.") {
				t.Errorf("%q", e.Statement)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("unit %q (- want, + got):\n%s", unit, diff)
		}
	}
}

// TestInDemand: the newest national row of each occupation counts.
func TestInDemand(t *testing.T) {
	got := map[string]string{}
	for id, e := range byID(t,
		read(t, newSource(t, KeyOccupationsInDemand, publication("https://x.example", "p", KindOccupationsInDemand, "x.csv")),
			[]byte(sourcetest.ReadSample(t, "demand.csv")))) {
		got[id] = e.Kind + " " + e.Signal + " " + e.Statement
	}
	want := map[string]string{
		"p/2136": "statistic gap Programmers and software development professionals (SOC 2020 2136): in critical demand.",
		"p/5313": "statistic gap Bricklayers (SOC 2020 5313): in elevated demand.",
		"p/4112": "statistic no_gap National government administrative occupations (SOC 2020 4112): not in demand.",
		"p/1111": "statistic none Chief executives and senior officials (SOC 2020 1111): demand not published.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(- want, + got):\n%s", diff)
	}
}

// TestIncompleteSheetIsNotReplaced: the last sheet is an older list. It is not used in place of the
// incomplete one before it, nor is the unreadable first sheet given as the reason.
func TestIncompleteSheetIsNotReplaced(t *testing.T) {
	incomplete := demandOf(map[string]int{"2024": 22, "2025": 10})
	book, err := excelize.OpenReader(strings.NewReader(workbook(t, "2025", []byte(incomplete))))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	_, err = book.NewSheet("2024")
	for i, line := range strings.Split(demandOf(map[string]int{"2024": 22}), "\n") {
		cells := strings.Split(line, ",")
		err = errors.Join(err, book.SetSheetRow("2024", fmt.Sprintf("A%d", i+1), &cells))
	}
	var text bytes.Buffer
	if err := errors.Join(err, book.Write(&text)); err != nil {
		t.Fatal(err)
	}
	p := publication("https://x.example", "p", KindOccupationsInDemand, "x.xlsx")
	rows, _, err := parse(t.Context(), text.Bytes(), p)
	const says = `sheet "2025": the newest period 2025 has 10 rows and 2024 has 22`
	if len(rows) != 0 || sources.FaultCodeOf(err) != sources.FaultIncomplete || !strings.Contains(err.Error(), says) {
		t.Errorf("%d rows, %v; want %s", len(rows), err, says)
	}
}
