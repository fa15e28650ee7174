package sources

import "testing"

func TestCodes(t *testing.T) {
	for text, want := range map[string]struct{ area, soc, year bool }{
		"E09000007": {area: true}, "K02000001": {area: true}, "L99999999": {}, "E0900000": {}, "e09000007": {},
		"E090000071": {}, "2": {soc: true}, "2136": {soc: true}, "0123": {}, "21365": {}, "21a": {},
		"1900": {soc: true, year: true}, "2099": {soc: true, year: true}, "2100": {soc: true}, "1899": {soc: true},
		"": {}, "2024\n": {}, " 2024": {}, "E09000007\n": {},
	} {
		if IsAreaCode(text) != want.area || IsSOC(text) != want.soc || IsYear(text) != want.year {
			t.Errorf("%q: area %t, occupation %t, year %t", text, IsAreaCode(text), IsSOC(text), IsYear(text))
		}
	}
}
