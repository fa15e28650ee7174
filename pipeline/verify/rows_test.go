package verify

import (
	"testing"

	"labour/snapshots"
)

// TestEveryQuestionIsAsked: a question is of a table, or of columns that some table has.
func TestEveryQuestionIsAsked(t *testing.T) {
	m := snapshots.Manifest{FormatVersion: snapshots.FormatVersion, People: &snapshots.People{Protection: "rounded"}}
	rows := int64(0)
	for _, h := range snapshots.HeldDatasets() {
		m.Held = append(m.Held, snapshots.HeldState{Name: h.Name, Rows: &rows})
	}
	j := &judge{subject: &subject{manifest: m}}
	all, err := questions(m.FormatVersion)
	if err != nil || len(all) < 30 {
		t.Fatalf("%d questions, %v", len(all), err)
	}
	for _, q := range all {
		times := 0
		for _, a := range append(j.tables(), asked{snapshots.Table{Name: "partners"}, ""}) {
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
