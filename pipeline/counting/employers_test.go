package counting

import "testing"

// TestNamesOfEmployers: two spellings of one employer are one name, and no letter or digit is lost.
func TestNamesOfEmployers(t *testing.T) {
	for name, want := range map[string]string{"": "", " . ": "", "Moon & Co. Ltd": "moon co",
		"MOON  &  CO,LTD.": "moon co", "Moon and Co Limited": "moon co", "Moon&Co": "moon co",
		"Acme Ltd plc": "acme", "Ltd": "ltd", "Limited Ltd": "limited",
		"Limited Editions": "limited editions",
		"And":              "and", "&": "", "Fish and Chips and": "fish chips",
		"Café Zoë": "cafe zoe", "C++ # 1": "c++ # 1", "(3i) Group": "3i group", "Ａ１ Cars": "a1 cars", "a-b": "a b"} {
		if got := NormaliseEmployer(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
