package cli

import (
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
