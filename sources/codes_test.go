package sources

import "testing"

func TestCodes(t *testing.T) {
	for text, want := range map[string]struct{ area, year bool }{
		"E09000007": {area: true}, "K02000001": {area: true}, "L99999999": {}, "E0900000": {}, "e09000007": {},
		"E090000071": {}, "1900": {year: true}, "2099": {year: true}, "2100": {}, "1899": {}, "": {}, "2024\n": {},
		" 2024": {}, "E09000007\n": {},
	} {
		if IsAreaCode(text) != want.area || IsYear(text) != want.year {
			t.Errorf("%q: area %t, year %t", text, IsAreaCode(text), IsYear(text))
		}
	}
}
