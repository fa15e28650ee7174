package limits

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// TestExceptionsAreComplete: an exception is taken if it says who, why and until when, and names what
// the check applies to; each thing that is missing is refused by itself.
func TestExceptionsAreComplete(t *testing.T) {
	whole := Exception{Check: CheckTableShrink, Subject: "adverts", AcceptedBy: "An analyst", Reason: "A board left.",
		ValidUntil: "2026-12-31"}
	source := Exception{Check: CheckLostSource, Subject: "employer_boards", AcceptedBy: "An analyst", Reason: "It ended.",
		ValidUntil: "2026-12-31"}
	platform := Exception{Check: CheckPlatformName, AcceptedBy: "An analyst", Reason: "A new name.",
		ValidUntil: "2026-12-31"}
	if got := refused(Checks{Exceptions: []Exception{whole, source, platform}}); len(got) > 0 {
		t.Errorf("good exceptions: %v", got)
	}
	if got := refused(Checks{Exceptions: []Exception{whole, whole}}); !slices.Equal(got,
		[]string{`checks.exceptions[1]: there is another for shrink of "adverts"`}) {
		t.Errorf("one twice: %q", got)
	}
	const at = "checks.exceptions[0]: "
	for _, c := range []struct {
		want   string
		change func(*Exception)
	}{
		{at + "the fields who and why must be given: they are published", func(e *Exception) { e.AcceptedBy = " " }},
		{at + "the fields who and why must be given: they are published", func(e *Exception) { e.Reason = "" }},
		{at + "until must be a date like 2026-12-31", func(e *Exception) { e.ValidUntil = "31/12/2026" }},
		{at + `there is no table "nothing"`, func(e *Exception) { e.Subject = "nothing" }},
		{at + "of must name the table or source, and be left out for platform", func(e *Exception) { e.Subject = "" }},
		{at + "of must name the table or source, and be left out for platform",
			func(e *Exception) { e.Check = CheckPlatformName }},
	} {
		e := whole
		c.change(&e)
		if got := refused(Checks{Exceptions: []Exception{e}}); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%+v: %q, want %q", e, got, c.want)
		}
	}
}

// TestStandingExceptions holds that an exception stands to the end of its last day, and that one whose
// last day cannot be read neither stands nor has expired.
func TestStandingExceptions(t *testing.T) {
	l := Checks{Exceptions: []Exception{
		{Check: CheckTableShrink, Subject: "today", ValidUntil: "2026-11-20"},
		{Check: CheckTableShrink, Subject: "yesterday", ValidUntil: "2026-11-19"},
		{Check: CheckTableShrink, Subject: "soon", ValidUntil: "soon"},
	}}
	standing, expired := l.ValidExceptions(time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC))
	if len(standing) != 1 || standing[0].Subject != "today" || len(expired) != 1 || expired[0].Subject != "yesterday" {
		t.Errorf("%v stand, %v have expired", standing, expired)
	}
}

// TestChecksThatAnExceptionMayExcuse lists them, and those of them that name a table.
func TestChecksThatAnExceptionMayExcuse(t *testing.T) {
	if got, want := ExcusableChecks(), []string{"platform", "min_rows", "faulty", "shrink", "growth", "revised",
		"lost_source", "records", "counted", "listed", "coded", "people", "unknown"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := TableChecks(), []string{"min_rows", "shrink", "growth", "revised"}; !slices.Equal(got, want) {
		t.Errorf("of tables: %q, want %q", got, want)
	}
}

// TestChecksThatCannotBeExcused: an exception of such a check is named with those that can be.
func TestChecksThatCannotBeExcused(t *testing.T) {
	const all = "platform, min_rows, faulty, shrink, growth, revised, lost_source, records, counted, listed, coded, " +
		"people, unknown"
	for _, name := range []string{CheckVerify, CheckEarlierDate, CheckQuarterMadeAgain,
		CheckMissingFile, CheckTruncatedFile, "", "shrnk"} {
		l := Checks{Exceptions: []Exception{{Check: name, Subject: "x", AcceptedBy: "A", Reason: "B",
			ValidUntil: "2026-12-31"}}}
		said := refused(l)
		want := fmt.Sprintf("checks.exceptions[0]: check %q cannot be excused; it must be one of %s", name, all)
		if len(said) != 1 || said[0] != want {
			t.Errorf("%q, want %s", said, want)
		}
	}
}
