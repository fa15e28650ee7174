package pipeline

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"labour/pipeline/protected"
	"labour/sources/archive"
)

// jobs makes a board's answer with jobs of these numbers.
func jobs(token string, numbers ...int) string {
	var rows []string
	for _, n := range numbers {
		rows = append(rows,
			fmt.Sprintf(`{"id":"%[1]s-%[2]d","title":"Developer of kind %[2]d","location":"Camden, London","isListed":true,`+
				`"publishedAt":"2026-10-05T09:00:00Z","jobUrl":"https://jobs.example/%[1]s/%[2]d",`+
				`"applyUrl":"https://jobs.example/%[1]s/%[2]d/apply","descriptionPlain":"You know Python."}`, token, n))
	}
	return `{"apiVersion":"1","jobs":[` + strings.Join(rows, ",") + `]}`
}

// TestPastExtractsAreReadOnce: what was gone from a listing is counted from what an earlier
// run read of it, whose bytes are not read again; and a rebuild, which reads them all,
// makes the same tables.
func TestPastExtractsAreReadOnce(t *testing.T) {
	s := newSmall(t)
	var last Result
	for _, now := range [][]int{{1, 2, 3}, {2, 3, 4}, {3, 1}, {5}} { // 1 goes and comes again
		s.boards["acme"] = jobs("acme", now...)
		last = s.run()
	}
	const counted = 5 + 1 // and the one of the other board
	if got := sourceReport(t, last, "employer_boards").Adverts.Counted; got != counted {
		t.Fatalf("%d adverts counted, want %d", got, counted)
	}
	tables, err := Rebuild(t.Context(), *s.last, last.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		if !table.Equal() {
			t.Errorf("%s differs from what the archived bytes give", table.Table)
		}
	}
	damagePast(t, s.data)
	s.clock = s.clock.AddDate(0, 0, -1) // a build of the day itself
	built, err := Build(t.Context(), *s.last)
	if err != nil {
		t.Fatal(err)
	}
	report := sourceReport(t, Result{ID: built.ID, Report: built.Report}, "employer_boards")
	if report.Adverts.Counted != counted || len(report.Faults) != 0 {
		t.Errorf("%d adverts counted, faults %v", report.Adverts.Counted, report.Faults)
	}
}

// TestPastExtractsAreReadAgain: another configuration may read other adverts, so that what
// was kept under the one before is not used, and goes.
func TestPastExtractsAreReadAgain(t *testing.T) {
	s := newSmall(t)
	for _, now := range [][]int{{1, 2}, {2}, {3}} {
		s.boards["acme"] = jobs("acme", now...)
		s.run()
	}
	before := keptPast(t, s.data)
	s.last.Config.Sources.EmployerBoards.Boards[0].Employer = "Acme Limited"
	s.clock = s.clock.AddDate(0, 0, -1) // a build of the day itself
	if _, err := Build(t.Context(), *s.last); err != nil {
		t.Fatal(err)
	}
	after := keptPast(t, s.data)
	if len(before) != 2 || len(after) != 2 || before[0] == after[0] || before[1] == after[1] {
		t.Errorf("kept %v, then %v", before, after)
	}
}

func keptPast(t *testing.T, data string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(data, "protected", "past"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// damagePast damages the bytes of every past extract of the boards that are in no newer one.
func damagePast(t *testing.T, data string) {
	t.Helper()
	a, err := archive.Open(protected.ArchiveDir(data))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	newest, damaged := map[string]bool{}, 0
	for x, err := range a.ExtractsNewestFirst("employer_boards") {
		if err != nil {
			t.Fatal(err)
		}
		first := len(newest) == 0
		for _, o := range x.Objects {
			if first {
				newest[o.SHA256] = true
			} else if !newest[o.SHA256] {
				damaged++
				if err := os.WriteFile(a.BodyPath(o.SHA256), []byte("damaged"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if damaged < 3 {
		t.Fatalf("only %d bodies damaged", damaged)
	}
}

// TestDamagedPastExtract: what an extract held that is damaged since is counted from the older one
// that held it too, although an earlier run kept that one without it.
func TestDamagedPastExtract(t *testing.T) {
	s := newSmall(t)
	s.boards["acme"] = jobs("acme", 1, 2)
	s.run()
	s.boards["acme"] = jobs("acme", 1, 2, 3)
	s.run()
	a, err := archive.Open(protected.ArchiveDir(s.data))
	if err != nil {
		t.Fatal(err)
	}
	x, _, err := a.LastExtract("employer_boards")
	if err != nil {
		t.Fatal(err)
	}
	o, _ := x.Object("ashby/acme")
	if err := os.WriteFile(a.BodyPath(o.SHA256), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.boards["acme"] = jobs("acme", 4)
	boards := sourceReport(t, s.run(), "employer_boards")
	// 3 was in the damaged bytes only; the other board has one.
	if boards.Adverts.Counted != 4 || boards.Faults["archive_damaged"] == 0 {
		t.Errorf("%d adverts counted, faults %v", boards.Adverts.Counted, boards.Faults)
	}
}
