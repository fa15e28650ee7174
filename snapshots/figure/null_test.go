package figure

import "testing"

// TestNullTakesTheCountAway that was there before.
func TestNullTakesTheCountAway(t *testing.T) {
	for text, want := range map[string]Count{"null": {}, `"<5"`: CountOf(3), "7": CountOf(7)} {
		c := CountOf(9)
		if err := c.UnmarshalJSON([]byte(text)); err != nil || c != want {
			t.Errorf("%s: %+v, %v; want %+v", text, c, err, want)
		}
	}
}
