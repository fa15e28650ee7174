package skill

import (
	"strings"
	"testing"
)

func TestParseCSV(t *testing.T) {
	r, err := ParseRegister(
		strings.NewReader(
			"name,slug,level,kind,patterns\n\"Cheese making\",cheese-making,2,hospitality,\"{cheese,curd} making|"+
				"cheesemak{er,ing}\"\n"), ',')
	if err != nil {
		t.Fatal(err)
	}
	if found := r.Recognise("You have experience in curd making."); len(found) != 1 ||
		found[0].Skill != "cheese-making" {
		t.Errorf("found %+v", found)
	}
	for _, tt := range []struct{ file, fault string }{
		{"", "header"},
		{"slug,name\n", `column "patterns" is missing`},
		{"slug,name,patterns,level,kind,colour\n", `column "colour" is none of`},
		{"slug,name,patterns,level,kind\nA B,Name,word,3,trade\n", "lower-case letters"},
		{"slug,name,patterns,level,kind\na,Name,word,9,trade\n", "line 2: level"},
		{"slug,name,patterns,level,kind\na,Name,word,3,magic\n", `kind "magic"`},
		{"slug,name,patterns,level,kind\n", "no skill"},
	} {
		if _, err := ParseRegister(strings.NewReader(tt.file), ','); err == nil || !strings.Contains(err.Error(), tt.fault) {
			t.Errorf("ParseRegister(%q): %v, want %q", tt.file, err, tt.fault)
		}
	}
}
