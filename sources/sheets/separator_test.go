package sheets

import "testing"

// TestSeparatorOfLines: most lines decide; one line is enough, and of two separators that cut the
// same number of lines, that with more cells is taken.
func TestSeparatorOfLines(t *testing.T) {
	for _, c := range []struct {
		lines []string
		want  byte
		cells int
	}{
		{[]string{"a;b"}, ';', 2}, {[]string{"a,b"}, ',', 2}, {[]string{"a"}, ',', 0}, {nil, ',', 0},
		{[]string{"a,b;c;d"}, ';', 3}, {[]string{"a;b", "c;d", "e,f"}, ';', 2}, {[]string{"a,b", "c,d", "e;f;g"}, ',', 2},
	} {
		if got, cells := separatorOf(c.lines, ",;"); got != c.want || cells != c.cells {
			t.Errorf("%q: %q with %d cells, want %q with %d", c.lines, got, cells, c.want, c.cells)
		}
	}
}
