package sources

import "testing"

func TestMakeSlug(t *testing.T) {
	for name, want := range map[string]string{"Bristol, City of": "bristol-city-of", "King's Lynn": "kings-lynn",
		"Ynys Môn": "ynys-mon", " St. Helens ": "st-helens", "ﬁfe": "fife", "—": ""} {
		got := MakeSlug(name)
		if got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
		if got != "" && !IsSlug(got) {
			t.Errorf("%q: %q is no slug", name, got)
		}
	}
}

func TestIsSlugAndID(t *testing.T) {
	for text, want := range map[string][2]bool{"camden": {true, true}, "central-london": {true, false},
		"central_london": {false, true}, "": {false, false}, "-a": {false, false}, "a--b": {false, false},
		"A": {false, false}, "a_": {false, false}, "a\n": {false, false}} {
		if IsSlug(text) != want[0] || IsConfigID(text) != want[1] {
			t.Errorf("%q: slug %t, id %t", text, IsSlug(text), IsConfigID(text))
		}
		if err := CheckConfigID(text); (err == nil) != want[1] {
			t.Errorf("%q: the check of the id says %v", text, err)
		}
	}
}
