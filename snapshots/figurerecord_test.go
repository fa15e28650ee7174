package snapshots_test

import (
	"testing"

	"labour/snapshots"
)

// A statement names the subject area of its statistic, after a comma. A statistic of all subject areas
// has a statement that names none, and it still is the statistic's statement.
func TestSubjectOfAStatement(t *testing.T) {
	const all = "Starts in Camden, period to 31 July 2025: 9."
	const health = "Starts in Camden, Health, period to 31 July 2025: 9."
	for _, c := range []struct {
		subject, statement string
		want               bool
	}{
		{"Total", all, true},
		{"Health", health, true},
		{"Health", all, false},
		{"Health and Care", health, false},
		{"health", health, false},
	} {
		record := snapshots.FigureRecord{SubjectArea: c.subject}
		if got := record.HasSubjectOf(c.statement); got != c.want {
			t.Errorf("%q is about %s: %t", c.statement, c.subject, got)
		}
	}
}
