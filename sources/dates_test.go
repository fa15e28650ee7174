package sources

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// TestLocalDates: the day is the one in the zone that a time states, whatever day it is in UTC.
func TestLocalDates(t *testing.T) {
	for _, c := range []struct{ at, want string }{
		{"2027-03-31T23:30:00Z", "2027-03-31"},
		{"2027-04-01T00:30:00+01:00", "2027-04-01"}, // 31 March in UTC
		{"2027-03-31T23:30:00-05:00", "2027-03-31"}, // 1 April in UTC
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		if got := LocalDateOf(at); err != nil || got.String() != c.want {
			t.Errorf("%s is %s, %v, want %s", c.at, got, err, c.want)
		}
	}
}

// TestDatesOfMoments: the day in UTC or in the zone of the moment; none for the zero time.
func TestDatesOfMoments(t *testing.T) {
	late := time.Date(2026, 11, 20, 23, 30, 0, 0, time.FixedZone("x", -3600))
	if got := DateOf(late); got != (Date{2026, 11, 21}) {
		t.Errorf("%s is on %s in UTC, want 2026-11-21", late, got)
	}
	if got := LocalDateOf(late); got != (Date{2026, 11, 20}) {
		t.Errorf("%s is on %s, want 2026-11-20", late, got)
	}
	if a, b := DateOf(time.Time{}), LocalDateOf(time.Time{}); !a.IsZero() || !b.IsZero() || !a.Time().IsZero() ||
		a.String() != "" {
		t.Errorf("the zero time is on %q and %q", a, b)
	}
	d := Date{2026, 12, 31}
	if at := d.Time(); at.Format(time.RFC3339Nano) != "2026-12-31T00:00:00Z" {
		t.Errorf("the day begins at %s, want midnight in UTC", at)
	}
	if got := d.AddDays(1); got != (Date{2027, 1, 1}) || !d.Before(got) || got.Before(d) || d.Before(d) ||
		got.AddDays(-1) != d || !(Date{}).Before(d) {
		t.Errorf("the day after %s is %s", d, got)
	}
}

func TestDatesInText(t *testing.T) {
	for text, want := range map[string]Date{`"2026-11-20"`: {2026, 11, 20}, `""`: {}} {
		var d Date
		if err := json.Unmarshal([]byte(text), &d); err != nil || d != want {
			t.Errorf("%s is %s, %v; want %s", text, d, err, want)
		}
		if b, err := json.Marshal(d); err != nil || string(b) != text {
			t.Errorf("%s is written as %s, %v", text, b, err)
		}
	}
	for _, bad := range []string{"2026-02-30", "2026-1-1", "soon"} {
		if d, err := ParseDate(bad); err == nil || !d.IsZero() || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s is %s, %v; want an error with the text", bad, d, err)
		}
	}
}

func TestKnownCadences(t *testing.T) {
	for cadence, want := range map[Cadence]bool{Daily: true, Weekly: true, Monthly: true, Quarterly: true, Annual: true,
		"often": false, "": false, "Daily": false} {
		if got := cadence.IsKnown(); got != want {
			t.Errorf("%q is known: %t", cadence, got)
		}
	}
}

// archived is an archive of one body, and counts what is open.
type archived struct {
	io.Reader
	err  error
	open int
}

func (a *archived) Open(ArchivedObject) (Body, error) {
	if a.err != nil {
		return nil, a.err
	}
	a.open++
	return a, nil
}

func (a *archived) Close() error {
	a.open--
	return nil
}

type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

// TestWholeBodiesAreClosed after they were read, and errors name the object.
func TestWholeBodiesAreClosed(t *testing.T) {
	o := ArchivedObject{Name: "jobs/1"}
	good := &archived{Reader: strings.NewReader("text")}
	if got, err := ReadWhole(good, o); err != nil || string(got) != "text" || good.open != 0 {
		t.Errorf("%q, %v, %d left open", got, err, good.open)
	}
	for _, a := range []*archived{{Reader: io.MultiReader(strings.NewReader("half"), broken{ErrDamaged})},
		{err: ErrNotFound}} {
		got, err := ReadWhole(a, o)
		if got != nil || FaultCodeOf(err) != FaultDamaged || !strings.HasPrefix(err.Error(), "read jobs/1: ") || a.open != 0 {
			t.Errorf("%q, %v, %d left open", got, err, a.open)
		}
	}
}

// TestFaultCodesAreEachThereOnce.
func TestFaultCodesAreEachThereOnce(t *testing.T) {
	seen := map[FaultCode]bool{}
	for _, c := range FaultCodes() {
		if c == "" || seen[c] {
			t.Errorf("%q is empty or there twice", c)
		}
		seen[c] = true
	}
	if len(seen) != 18 {
		t.Errorf("%d codes, want 18", len(seen))
	}
	if err := WithFaultCode(FaultBrokenRow, errors.New("short")); err.Error() != "short" ||
		FaultCodeOf(err) != FaultBrokenRow {
		t.Errorf("%v has the code %s", err, FaultCodeOf(err))
	}
}

// TestLengthOfXMLMarks: up to the end of the tag, comment or section, and how much deeper it leads.
func TestLengthOfXMLMarks(t *testing.T) {
	for text, want := range map[string][2]int{"<a>b": {3, 1}, "</a>b": {4, -1}, "<a/>b": {4, 0}, "<?x?>b": {5, 0},
		"<!DOCTYPE a>b": {12, 0}, "<!-- > -->b": {10, 0}, "<![CDATA[>]]>b": {13, 0}, "<a": {2, 1}, "<!-- >": {6, 0},
		">": {1, 1}} {
		if n, step := xmlMark([]byte(text)); n != want[0] || step != want[1] {
			t.Errorf("%s: %d bytes and %d, want %v", text, n, step, want)
		}
	}
}

// TestErrorsSayWhatCameInstead of the format that was expected.
func TestErrorsSayWhatCameInstead(t *testing.T) {
	far := func(n int) string { return "<" + strings.Repeat("x", n-len("<<html")) + "<html" } // n bytes
	for _, c := range []struct {
		accept     func(string, []byte) error
		kind, head string
		says       string // empty = accepted
	}{
		{AcceptJSON, "", " \t\r\n", "expected JSON and got an empty body"},
		{AcceptJSON, "", "\ufeff \n{", ""}, {AcceptJSON, "", "[", ""}, {AcceptJSON, "text/html", "{", ""},
		{AcceptJSON, "", "<p>", "expected JSON and got something else"},
		{AcceptJSON, "a/b", "<!DOCTYPE html>", `expected JSON and got a page of HTML (content type "a/b")`},
		{AcceptJSON, "", "\xff\xfe{\x00", "expected JSON and got a text in UTF-16, where UTF-8 is needed"},
		{AcceptJSON, "", "\xfe\xff\x00{", "expected JSON and got a text in UTF-16"},
		{AcceptXML, "", "\xfe\xff\x00<", ""}, {AcceptXML, "", "\xff\xfe<\x00", ""}, {AcceptXML, "", "<rss>", ""},
		{AcceptXML, "", "rss", "expected XML and got something else"},
		{AcceptXML, "", "<a><HTML>", "expected XML and got a page of HTML"},
		{AcceptXML, "", far(256), "expected XML and got a page of HTML"}, {AcceptXML, "", far(257), ""},
		{AcceptNotHTML, "text/html; charset=utf-8", "a,b", "expected data and got a page of HTML"},
		{AcceptNotHTML, "text/csv", "a,b", ""}, {AcceptNotHTML, "", "\xff\xfea\x00", ""},
		{AcceptNotHTML, "text/csv", "", "expected data and got an empty body"},
		{AcceptNotHTML, "text/csv", "<html>", "expected data and got a page of HTML"},
	} {
		err := c.accept(c.kind, []byte(c.head))
		if (err == nil) != (c.says == "") || err != nil && (FaultCodeOf(err) != FaultWrongFormat ||
			!strings.HasPrefix(err.Error(), c.says)) {
			t.Errorf("%.40q: %v, want %q", c.head, err, c.says)
		}
	}
}
