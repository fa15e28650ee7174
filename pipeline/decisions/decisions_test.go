package decisions

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labour/snapshots"
	"labour/sources/journal"
)

var at = time.Date(2026, 11, 20, 9, 30, 15, 999, time.FixedZone("BST", 3600))

func read(t testing.TB, data string) *DatasetJournal {
	t.Helper()
	j, err := ReadDatasetJournal(data)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestEverythingIsClosedAtFirst(t *testing.T) {
	states := read(t, t.TempDir()).EmbargoedStates()
	if len(states) != len(snapshots.EmbargoedDatasets()) {
		t.Fatalf("%d states", len(states))
	}
	for _, s := range states {
		if s.Open || s.Evidence != "" || s.Condition == "" || s.DecidedOn != nil {
			t.Errorf("%+v", s)
		}
	}
}

// Decisions outlive the program, and past ones stay on record.
func TestDecisionsAreDurable(t *testing.T) {
	data := filepath.Join(t.TempDir(), "new")
	if err := read(t, data).OpenDataset(at, "demand", "https://works.example/minutes#7",
		"Board of 19 November"); err != nil {
		t.Fatal(err)
	}
	j := read(t, data)
	s := j.EmbargoedStates()[0]
	if s.Name != "demand" || !s.Open || s.Evidence != "https://works.example/minutes#7" ||
		s.DecidedBy != "Board of 19 November" || s.DecidedOn.String() != "2026-11-20" {
		t.Errorf("%+v", s)
	}
	if err := j.CloseDataset(at.Add(time.Hour), "demand", ""); err != nil {
		t.Fatal(err)
	}
	if s := read(t, data).EmbargoedStates()[0]; s.Open || s.Evidence != "" || s.DecidedOn == nil {
		t.Errorf("closed: %+v", s)
	}
	b, err := os.ReadFile(filepath.Join(data, DatasetJournalFileName))
	if err != nil || strings.Count(string(b), "\n") != 2 || !strings.Contains(string(b), "minutes#7") {
		t.Errorf("%q, %v", b, err)
	}
}

// A decision stands as soon as it is recorded, at the full second in UTC; one that cannot be
// written does not.
func TestADecisionStandsAtOnce(t *testing.T) {
	data := t.TempDir()
	j := read(t, data)
	moment := time.Date(2026, 11, 20, 10, 30, 15, 999, time.FixedZone("", 3600))
	if err := j.OpenDataset(moment, "demand", "https://works.example/", "Us"); err != nil {
		t.Fatal(err)
	}
	d, ok := j.LatestDecision("demand")
	if want := time.Date(2026, 11, 20, 9, 30, 15, 0, time.UTC); !ok || !d.Open || d.At != want {
		t.Errorf("decided %t: %+v, want at %s", ok, d, want)
	}
	if again, _ := read(t, data).LatestDecision("demand"); again != d {
		t.Errorf("%+v is read as %+v", d, again)
	}
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, DatasetJournalFileName), 0o700); err != nil {
		t.Fatal(err)
	}
	j = &DatasetJournal{data: folder, lines: journal.New(filepath.Join(folder, DatasetJournalFileName), 0o644)}
	err := j.OpenDataset(moment, "demand", "https://works.example/", "Us")
	if _, ok := j.LatestDecision("demand"); err == nil || !strings.HasPrefix(err.Error(), "record decision: ") || ok {
		t.Errorf("a folder in the place of the file: decided %t, %v", ok, err)
	}
}

func TestRefused(t *testing.T) {
	data := t.TempDir()
	j := read(t, data)
	for name, got := range map[string]error{
		"unknown dataset":        j.OpenDataset(at, "wages", "https://works.example/", ""),
		"no evidence":            j.OpenDataset(at, "demand", "", ""),
		"evidence of no address": j.OpenDataset(at, "demand", "the board said so", ""),
		"a file":                 j.OpenDataset(at, "demand", "file:///etc/passwd", ""),
		"two lines":              j.OpenDataset(at, "demand", "https://works.example/", "a\nb"),
		"no time":                j.OpenDataset(time.Time{}, "demand", "https://works.example/", ""),
		"closing what is closed": j.CloseDataset(at, "demand", ""),
		"closing the unknown":    j.CloseDataset(at, "wages", ""),
	} {
		if got == nil {
			t.Errorf("%s: recorded", name)
		}
	}
	if !errors.Is(j.CloseDataset(at, "demand", ""), ErrNotOpen) || !errors.Is(j.CloseDataset(at, "wages", ""),
		ErrUnknownDataset) {
		t.Error("the errors cannot be told apart")
	}
	const names = `"wages"; there are demand, trends, outlook, reach, signals, priorities`
	if err := j.CloseDataset(at, "wages", ""); !strings.HasSuffix(err.Error(), names) {
		t.Errorf("%v, want %s", err, names)
	}
	if _, err := os.Stat(filepath.Join(data, DatasetJournalFileName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
}

func TestDamagedJournalIsAnError(t *testing.T) {
	for _, line := range []string{`{"at":"2026-11-20T09:00:00Z","dataset":"demand","open":tr`,
		`{"at":"2026-11-20T09:00:00Z","dataset":"demand","opened":true}`,
		`{"at":"2026-11-20T09:00:00Z","dataset":"demand","open":true}`} {
		data := t.TempDir()
		if err := os.WriteFile(filepath.Join(data, DatasetJournalFileName), []byte(line+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadDatasetJournal(data); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// An incomplete last line may be a decision that somebody wrote by hand: it is an error, and no further
// decision removes it.
func TestIncompleteDecisionIsNamed(t *testing.T) {
	data := t.TempDir()
	j := read(t, data)
	if err := j.OpenDataset(at, "demand", "https://works.example/minutes#7", ""); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(data, DatasetJournalFileName)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(b, b[:len(b)/2]...), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadDatasetJournal(data); err == nil || !strings.Contains(err.Error(), "line 2: the line is incomplete") {
		t.Errorf("half a decision: %v", err)
	}
}

// The state of each dataset is that of its last decision, whatever the order in
// which decisions on several are made.
func TestTheLastDecisionStands(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		data, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			r.Fatal(err)
		}
		want := map[string]string{}
		for i := range rapid.IntRange(0, 12).Draw(r, "decisions") {
			name := rapid.SampledFrom(snapshots.EmbargoedDatasets()).Draw(r, "dataset").Name
			j, err := ReadDatasetJournal(data)
			if err != nil {
				r.Fatal(err)
			}
			now := at.Add(time.Duration(i) * time.Minute)
			if rapid.Bool().Draw(r, "close") {
				err = j.CloseDataset(now, name, "")
				if (want[name] == "") != errors.Is(err, ErrNotOpen) {
					r.Fatalf("close %s: %v", name, err)
				}
				want[name] = ""
				continue
			}
			evidence := "https://works.example/" + rapid.StringMatching(`[a-z]{1,5}`).Draw(r, "evidence")
			if err := j.OpenDataset(now, name, evidence, ""); err != nil {
				r.Fatal(err)
			}
			want[name] = evidence
		}
		j, err := ReadDatasetJournal(data)
		if err != nil {
			r.Fatal(err)
		}
		for _, s := range j.EmbargoedStates() {
			if s.Open != (want[s.Name] != "") || s.Evidence != want[s.Name] {
				r.Fatalf("%+v, want %q", s, want[s.Name])
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"at":"2026-11-20T09:00:00Z","dataset":"demand","open":true,"evidence":"https://works.example/"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		data := t.TempDir()
		if err := os.WriteFile(filepath.Join(data, DatasetJournalFileName), append(line, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
		j, err := ReadDatasetJournal(data)
		if err != nil {
			return
		}
		for _, d := range j.decisions {
			if d.check() != nil {
				t.Errorf("%+v", d)
			}
		}
	})
}
