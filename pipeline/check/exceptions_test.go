package check

import (
	"fmt"
	"slices"
	"testing"
)

// refused are the rules that limits break.
func refused(l Limits) (broken []string) {
	l.SetDefaults()
	l.Validate(func(ok bool, format string, args ...any) {
		if !ok {
			broken = append(broken, fmt.Sprintf(format, args...))
		}
	})
	return broken
}

// TestExceptionsAreComplete: an exception is taken if it says who, why and until when, and names what
// the check applies to; each thing that is missing is refused by itself.
func TestExceptionsAreComplete(t *testing.T) {
	whole := Exception{Check: CheckTableShrink, Subject: "adverts", AcceptedBy: "An analyst", Reason: "A board left.",
		ValidUntil: "2026-12-31"}
	source := Exception{Check: CheckLostSource, Subject: "employer_boards", AcceptedBy: "An analyst", Reason: "It ended.",
		ValidUntil: "2026-12-31"}
	platform := Exception{Check: CheckPlatformName, AcceptedBy: "An analyst", Reason: "A new name.",
		ValidUntil: "2026-12-31"}
	if got := refused(Limits{Exceptions: []Exception{whole, source, platform}}); len(got) > 0 {
		t.Errorf("good exceptions: %v", got)
	}
	if got := refused(Limits{Exceptions: []Exception{whole, whole}}); !slices.Equal(got,
		[]string{`checks.exceptions[1]: there is another for shrink of "adverts"`}) {
		t.Errorf("one twice: %q", got)
	}
	const at = "checks.exceptions[0]: "
	for _, c := range []struct {
		want   string
		change func(*Exception)
	}{
		{at + "who and why must be given: they are published", func(e *Exception) { e.AcceptedBy = " " }},
		{at + "who and why must be given: they are published", func(e *Exception) { e.Reason = "" }},
		{at + "until must be a date like 2026-12-31", func(e *Exception) { e.ValidUntil = "31/12/2026" }},
		{at + `there is no table "nothing"`, func(e *Exception) { e.Subject = "nothing" }},
		{at + "of must name the table or source, and be left out for platform", func(e *Exception) { e.Subject = "" }},
		{at + "of must name the table or source, and be left out for platform",
			func(e *Exception) { e.Check = CheckPlatformName }},
	} {
		e := whole
		c.change(&e)
		if got := refused(Limits{Exceptions: []Exception{e}}); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%+v: %q, want %q", e, got, c.want)
		}
	}
}
