package verify

import (
	"testing"

	"labour/pipeline/cells/engine"
	"labour/pipeline/cells/engine/duckdb"
	"labour/snapshots"
)

// TestEveryQuestionIsAsked: a question is of a table, or of columns that some table has.
func TestEveryQuestionIsAsked(t *testing.T) {
	m := snapshots.Manifest{Format: snapshots.Format, People: &snapshots.People{Protection: "rounded"}}
	rows := int64(0)
	for _, h := range snapshots.EmbargoedDatasets() {
		m.Embargoed = append(m.Embargoed, snapshots.EmbargoedState{Name: h.Name, Rows: &rows})
	}
	j := &rowChecker{subject: &subject{manifest: m}}
	all, err := faultQueries()
	if err != nil || len(all) < 30 {
		t.Fatalf("%d questions, %v", len(all), err)
	}
	for _, q := range all {
		times := 0
		for _, a := range append(j.tables(), rowFile{Table: snapshots.Table{Name: "partners"}}) {
			times += len(j.columns(q, a))
		}
		if times == 0 {
			t.Errorf("nothing asks %s of %s", q.check, q.of)
		}
	}
}

// ReadAnew lets every question of a test read the files, as it does where they have many rows.
func ReadAnew(t *testing.T) {
	few := fewRows
	fewRows = 0
	t.Cleanup(func() { fewRows = few })
}

// Of many faults of one kind some are listed, with the number of the others.
func TestManyFaultsAreCounted(t *testing.T) {
	db, err := duckdb.Open(t.Context(), engine.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s := &subject{report: &Report{}, counts: map[[2]string]int{}}
	j := &rowChecker{subject: s, duckdb: db}
	for range 2 {
		if err := j.runQuery(t.Context(), "order", "file",
			"SELECT range AS file_row_number, 'wrong' FROM range(1200)"); err != nil {
			t.Fatal(err)
		}
	}
	s.summarise()
	if all := s.report.Faults; len(all) != maxPerFile+1 || all[0].Text != "1400 more faults of this kind" ||
		all[1].Row != 0 || all[maxPerFile].Row != maxPerFile-1 {
		t.Errorf("%d faults, from %v to %v", len(all), all[0], all[len(all)-1])
	}
}
