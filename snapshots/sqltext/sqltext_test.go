package sqltext

import "testing"

// TestQuotesAreDoubled, so that a text never ends its literal.
func TestQuotesAreDoubled(t *testing.T) {
	for text, want := range map[string]string{"": "''", "/data/x": "'/data/x'", "o'neil's": "'o''neil''s'", "'": "''''"} {
		if got := Quote(text); got != want {
			t.Errorf("%q is quoted as %s, want %s", text, got, want)
		}
	}
}
