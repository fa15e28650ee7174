package cells

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/snapshots/diff"
	"labour/snapshots/parquetio"
	"labour/sources"
)

const (
	barking       = "E08000038" // code of today
	formerBarking = "E08000016" // code by which the publisher and corrections name it
)

// courseFigures are figures whose ids of evidence differ in one part each, or in the hash only. The value
// tells them apart: it is 1,000 and the position.
func courseFigures() []figureRow {
	day := func(year int) time.Time { return time.Date(year, 7, 31, 0, 0, 0, 0, time.UTC) }
	base := figureRow{Source: "dfe", Metric: "apprenticeship_starts", Country: "GB", RegionCode: "E12000007",
		RegionName: "London", SubjectArea: "Health, Public Services and Care", Series: "Full academic year",
		PeriodEnd: day(2025), PublishedOn: day(2026)}
	of := func(change func(*figureRow)) figureRow {
		f := base
		change(&f)
		return f
	}
	list := []figureRow{base,
		of(func(f *figureRow) { f.Source = "ons" }),
		of(func(f *figureRow) { f.Metric = "skills_bootcamp_starts" }),
		of(func(f *figureRow) { f.RegionCode = "E12000008" }),
		of(func(f *figureRow) { f.RegionCode = barking }),
		of(func(f *figureRow) { f.PeriodEnd = day(2024) }),
		of(func(f *figureRow) { f.Series = "Academic year to April (provisional)" }),
		of(func(f *figureRow) { f.SubjectArea = "Health" }),
		of(func(f *figureRow) { f.SubjectArea = "Public Services and Care" }),
		of(func(f *figureRow) { f.SubjectArea = "  Éducation & Soins: niveau 3 (été)" }),
		of(func(f *figureRow) { f.SubjectArea = "Arts/Media" }),
		of(func(f *figureRow) { f.SubjectArea = "ARTS, media" }),
		of(func(f *figureRow) { f.SubjectArea = "Total" }),
		of(func(f *figureRow) { f.SubjectArea, f.Series = "Total", "" }),
	}
	for i := range list {
		list[i].Value = new(int64(1000 + i))
	}
	return list
}

// evidenceOf is the evidence that the query makes of figures on courses. No other evidence is read.
func evidenceOf(t *testing.T, list []figureRow) []snapshots.EvidenceRow {
	t.Helper()
	e, dir := localRunner(t), t.TempDir()
	give(t, e, dir, "course_figures", list)
	give(t, e, dir, "source_listed", []snapshots.SourcesRow{{Key: "dfe"}, {Key: "ons"}})
	give(t, e, dir, "news", []snapshots.SignalsRow{})
	give(t, e, dir, "evidence_read", staging.EvidenceRows([]sources.Evidence{}))
	return ask[snapshots.EvidenceRow](t, e, dir, QueryEvidence)
}

// withEvidence writes the tables of a snapshot that the comparison of evidence reads. The figure that
// the record names is withdrawn in it.
func withEvidence(t *testing.T, evidence []snapshots.EvidenceRow, record string) diff.ComparedSnapshot {
	t.Helper()
	dir := t.TempDir()
	withdrawal := snapshots.CorrectionsRow{SourceKey: "dfe", Kind: "statistic", Field: "value", Record: record,
		New: new("null"), Outcome: "applied"}
	err := errors.Join(os.Mkdir(filepath.Join(dir, snapshots.TablesDirName), 0o700),
		writeTable(dir, "evidence", evidence),
		writeTable(dir, "corrections", []snapshots.CorrectionsRow{withdrawal}),
		writeTable(dir, "regions", []snapshots.RegionsRow{{Code: barking, FormerCodes: new(formerBarking)}}),
		writeTable(dir, "sources", []snapshots.SourcesRow{{Key: "dfe", Kind: "statistics"}}))
	if err != nil {
		t.Fatal(err)
	}
	return diff.ComparedSnapshot{Dir: dir, Manifest: snapshots.Manifest{ID: snapshots.NewID(asOf, 1),
		AsOf: snapshots.DateOf(asOf)}}
}

func writeTable[R any](dir, name string, rows []R) error {
	table, _ := snapshots.FindTable(name)
	return parquetio.WriteTable(snapshots.TablePath(dir, name), table, nil, asOf, snapshots.SortedRows(table, rows))
}

// TestWithdrawnStatementIsNotRepeated holds that the comparison of snapshots finds the statement of a
// withdrawn figure by the id that the query made. Of a snapshot that loses all its statements, it leaves
// out that of the withdrawn figure, and lists the others. Two statements whose ids differ only in the
// hash are left out together: the withdrawal does not name the series, so the hash is not known.
func TestWithdrawnStatementIsNotRepeated(t *testing.T) {
	list := courseFigures()
	evidence := evidenceOf(t, list)
	for record, want := range map[string][]int{
		"apprenticeship_starts E12000007 2025-07-31 Health, Public Services and Care":             {0, 6}, // both series
		"skills_bootcamp_starts E12000007 2025-07-31 Health, Public Services and Care":            {2},
		"apprenticeship_starts E12000008 2025-07-31 Health, Public Services and Care":             {3},
		"apprenticeship_starts E12000007 2024-07-31 Health, Public Services and Care":             {5},
		"apprenticeship_starts " + barking + " 2025-07-31 Health, Public Services and Care":       {4},
		"apprenticeship_starts " + formerBarking + " 2025-07-31 Health, Public Services and Care": {4},
		"apprenticeship_starts E12000007 2025-07-31 Health":                                       {7},
		"apprenticeship_starts E12000007 2025-07-31 Public Services and Care":                     {8},
		"apprenticeship_starts E12000007 2025-07-31   Éducation & Soins: niveau 3 (été)":          {9},
		"apprenticeship_starts E12000007 2025-07-31 Arts/Media":                                   {10, 11},
		"apprenticeship_starts E12000007 2025-07-31 ARTS, media":                                  {10, 11},
		"apprenticeship_starts E12000007 2025-07-31 Total":                                        {12, 13},
		"apprenticeship_starts E12000007 2025-07-31 Care":                                         nil,
	} {
		from := withEvidence(t, evidence, record)
		to := withEvidence(t, nil, record)
		hidden := hiddenStatements(t, from, to, list)
		if !slices.Equal(hidden, want) {
			t.Errorf("%s: the statements %v are left out, want %v", record, hidden, want)
		}
	}
}

// hiddenStatements returns the positions of the figures whose statements a comparison does not give. It
// fails if the comparison gives another reason for them than the withdrawal, or this reason for others.
func hiddenStatements(t *testing.T, from, to diff.ComparedSnapshot, list []figureRow) (hidden []int) {
	t.Helper()
	withdrawn, listed := 0, ""
	_, err := diff.Compare(t.Context(), from, to, diff.Options{Tables: []string{"evidence"}},
		func(r snapshots.ChangesRow) error {
			if r.Reason == snapshots.ReasonWithdrawal {
				withdrawn++
			}
			listed += *r.Old
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if !strings.Contains(listed, fmt.Sprintf(": 1,%03d.", i)) {
			hidden = append(hidden, i)
		}
	}
	if withdrawn != len(hidden) {
		t.Errorf("%d statements are withdrawn, and %d are left out", withdrawn, len(hidden))
	}
	return hidden
}
