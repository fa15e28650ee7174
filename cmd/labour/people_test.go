package main

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"labour/cmd/internal/cli"
	"labour/pipeline/decisions"
	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// TestPeopleAreWithdrawn holds what is recorded, and that a mistake in the call records nothing.
func TestPeopleAreWithdrawn(t *testing.T) {
	data := t.TempDir()
	c := snaptest.DefaultContent(t, "2026-11-20")
	snaptest.BuildSnapshot(t, data, "2026-11-20", c)
	skill := c.Skills[0].Skill
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		args   []string
		status int
		said   string
	}{
		{[]string{"--skill", skill + "x", "--by", "a board", "--reason", "Wrong."}, cli.ExitUsage,
			`the nearest is "` + skill + `"`},
		{[]string{"--skill", skill, "--by", "a board", "--reason", " "}, cli.ExitUsage, "--reason is missing"},
		{[]string{"--skill", skill, "--reason", "Wrong."}, cli.ExitUsage, "by"},
		{[]string{"--skill", skill, "--by", "a board", "--reason", "Wrong."}, cli.ExitDone,
			"of " + skill + " are recorded"},
		{[]string{"--by", "a board", "--reason", "All wrong."}, cli.ExitDone, "people are recorded"},
	} {
		var out, said shared
		a := &app{stdout: &out, stderr: &said, now: func() time.Time { return now }, random: rand.Reader,
			getenv: func(string) (string, bool) { return "", false }, version: "test"}
		status := run(append([]string{"people", "withdraw", "--data", data}, tt.args...), a)
		if all := out.String() + said.String(); status != tt.status || !strings.Contains(all, tt.said) {
			t.Errorf("%q: status %d: %s", tt.args, status, all)
		}
	}
	got, err := decisions.ReadPeopleWithdrawals(data)
	want := []snapshots.PeopleWithdrawal{{At: now, Skill: skill, By: "a board", Reason: "Wrong."},
		{At: now, By: "a board", Reason: "All wrong."}}
	if err != nil || len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}
