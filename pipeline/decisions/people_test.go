package decisions

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
)

// Withdrawals are kept in order, in whole seconds of UTC. An incomplete last line is an error, and recording
// another withdrawal does not remove it.
func TestWithdrawalsAreDurable(t *testing.T) {
	data := filepath.Join(t.TempDir(), "new")
	if all, err := ReadPeopleWithdrawals(data); err != nil || all != nil {
		t.Errorf("at first withdrawn are %v, %v; want none", all, err)
	}
	first := snapshots.PeopleWithdrawal{At: at, Skill: "python", By: "Us", Reason: "Misread."}
	second := snapshots.PeopleWithdrawal{At: at.Add(time.Hour), By: "Us", Reason: "All of it."}
	for _, w := range []snapshots.PeopleWithdrawal{first, second} {
		if err := WithdrawPeople(data, w); err != nil {
			t.Fatal(err)
		}
	}
	first.At = time.Date(2026, 11, 20, 8, 30, 15, 0, time.UTC)
	second.At = time.Date(2026, 11, 20, 9, 30, 15, 0, time.UTC)
	want := []snapshots.PeopleWithdrawal{first, second}
	if all, err := ReadPeopleWithdrawals(data); err != nil || !slices.Equal(all, want) {
		t.Errorf("withdrawn are %+v, %v; want %+v", all, err, want)
	}
	file := filepath.Join(data, PeopleWithdrawalsFileName)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(b, `{"at":"2026`...), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{"read": func() error { _, err := ReadPeopleWithdrawals(data); return err }(),
		"withdraw": WithdrawPeople(data, first)} {
		if err == nil || !strings.Contains(err.Error(), "line 3: the line is incomplete") {
			t.Errorf("%s with an incomplete line: %v", name, err)
		}
	}
	if now, err := os.ReadFile(file); err != nil || len(now) <= len(b) {
		t.Errorf("the incomplete line is gone: %v", err)
	}
	for _, line := range []string{`{"at":"2026-11-20T09:00:00Z","by":"Us"}`, `no JSON`} {
		if err := os.WriteFile(file, []byte(line+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadPeopleWithdrawals(data); err == nil ||
			!strings.HasPrefix(err.Error(), "read which figures of people were withdrawn: ") {
			t.Errorf("the line %s: %v", line, err)
		}
	}
}

// A withdrawal needs its time, and who decided it and why in one line of at most the length of a field.
func TestUnfitWithdrawalsAreRefused(t *testing.T) {
	long := strings.Repeat("a", longestField)
	for _, c := range []struct {
		at         time.Time
		by, reason string
		ok         bool
	}{
		{at, "Us", "Why.", true}, {at, long, long, true}, {time.Time{}, "Us", "Why.", false}, {at, "", "Why.", false},
		{at, " \t", "Why.", false}, {at, "Us", "", false}, {at, "Us", "two\nlines", false}, {at, "U\x07s", "Why.", false},
		{at, long + "a", "Why.", false}, {at, "Us", long + "a", false},
	} {
		data := filepath.Join(t.TempDir(), "new")
		err := WithdrawPeople(data, snapshots.PeopleWithdrawal{At: c.at, By: c.by, Reason: c.reason})
		if (err == nil) != c.ok || !c.ok && !errors.Is(err, ErrInvalidDecision) {
			t.Errorf("%s by %.9q for %.9q: %v, want recorded %v", c.at, c.by, c.reason, err, c.ok)
		}
		if _, err := os.Stat(data); (err == nil) != c.ok {
			t.Errorf("%.9q for %.9q: something was written: %v", c.by, c.reason, err)
		}
	}
	w := snapshots.PeopleWithdrawal{At: at, By: "Us", Reason: "Why."}
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := WithdrawPeople(blocked, w); err == nil || !strings.HasPrefix(err.Error(), "record the withdrawal: ") {
		t.Errorf("a file in the place of the folder: %v", err)
	}
	if err := (&DatasetJournal{data: blocked}).add(DatasetDecision{At: at, Dataset: "demand"}); err == nil ||
		!strings.HasPrefix(err.Error(), "record decision: ") {
		t.Errorf("a decision with a file in the place of the folder: %v", err)
	}
	data := t.TempDir()
	if err := os.Mkdir(filepath.Join(data, PeopleWithdrawalsFileName), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := WithdrawPeople(data, w); err == nil || !strings.HasPrefix(err.Error(), "record the withdrawal: ") {
		t.Errorf("a folder in the place of the file: %v", err)
	}
}

// The evidence of a decision is an http(s) address with a host, of at most the length of a field.
// The name of the decider is one line of at most that length.
func TestEvidenceIsAnAddress(t *testing.T) {
	const site = "https://works.example/"
	long := site + strings.Repeat("a", longestField-len(site))
	name := strings.Repeat("a", longestField)
	for _, c := range []struct {
		evidence, by string
		ok           bool
	}{
		{site, "", true}, {"http://works.example/", name, true}, {long, "", true}, {long + "a", "", false},
		{site, name + "a", false}, {site, "U\x07s", false}, {"ftp://works.example/", "", false},
		{"https:///minutes", "", false}, {"https://works.example/%zz", "", false}, {"works.example", "", false},
	} {
		err := DatasetDecision{At: at, Dataset: "demand", Open: true, Evidence: c.evidence, By: c.by}.check()
		if (err == nil) != c.ok || !c.ok && !errors.Is(err, ErrInvalidDecision) {
			t.Errorf("evidence %.30q by %.9q: %v, want accepted %v", c.evidence, c.by, err, c.ok)
		}
	}
}
