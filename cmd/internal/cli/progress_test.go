package cli

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestPlainProgress: a step prints the duration of the previous one, and details come every ten
// seconds at most.
func TestPlainProgress(t *testing.T) {
	var out strings.Builder
	at := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	p := NewProgress(&out, func() time.Time { return at }, false)
	p.Step("fetch")
	for i := range 25 {
		at = at.Add(time.Second)
		p.Detail(strings.Repeat("x", i+1))
	}
	p.Step("read")
	p.Step("count")
	later := NewProgress(&out, func() time.Time { return at }, false)
	at = at.Add(2 * time.Second)
	later.Step("read") // nothing was named before it
	want := "   0.0s  fetch\n  10.0s  xxxxxxxxxx\n  20.0s  xxxxxxxxxxxxxxxxxxxx\n  25.0s  read  (25.0s after fetch)\n" +
		"  25.0s  count\n   2.0s  read\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

// A detail ten seconds after the last line is written, and one just before is not. Only a step
// that took a second or more is named with its time.
func TestLinesOfProgressAtTheirLimits(t *testing.T) {
	for _, c := range []struct {
		after        time.Duration
		detail, took bool
	}{
		{time.Second - time.Millisecond, false, false},
		{time.Second, false, true},
		{10*time.Second - time.Millisecond, false, true},
		{10 * time.Second, true, true},
	} {
		var out strings.Builder
		at := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
		p := NewProgress(&out, func() time.Time { return at }, false)
		p.Step("fetch")
		at = at.Add(c.after)
		p.Detail("half")
		p.Step("read")
		p.End()
		if strings.Contains(out.String(), "half") != c.detail || strings.Contains(out.String(), "after fetch") != c.took {
			t.Errorf("after %s: %s", c.after, out.String())
		}
	}
}

// On a terminal the last step or detail is shown next to a spinner that advances with each step.
func TestProgressOnATerminal(t *testing.T) {
	var out strings.Builder
	p, ok := NewProgress(&out, time.Now, true).(*spinner)
	if !ok {
		t.Fatal("lines are appended on a terminal")
	}
	shown := []string{p.name.Load().(string)}
	p.Step("fetch")
	shown = append(shown, p.name.Load().(string))
	p.Detail("half")
	shown = append(shown, p.name.Load().(string))
	p.Step("read")
	if want := []string{"", "fetch", "half"}; !slices.Equal(shown, want) || p.bar.Current() != 2 {
		t.Errorf("%q is shown after %d steps, want %q after 2", shown, p.bar.Current(), want)
	}
	p.End()
	p.End()
	if !p.bar.Completed() || p.bar.IsRunning() {
		t.Error("the spinner is drawn after the end")
	}
}
