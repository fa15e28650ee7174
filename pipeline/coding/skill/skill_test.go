package skill

import (
	"testing"
)

// load is the embedded register, or the end of the test.
func load(tb testing.TB) *Register {
	tb.Helper()
	r, err := Load()
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func TestLoad(t *testing.T) {
	r := load(t)
	if n := len(r.Skills()); n < 320 {
		t.Errorf("%d skills, want 320 or more", n)
	}
}
