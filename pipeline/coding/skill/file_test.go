package skill

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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

// A file of skills is read by its columns in any order, with line breaks for bars; each error names the file.
func TestLoadFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "skills.csv")
	text := "name,slug,level,kind,patterns\n Beta ,b,2,trade,\"red block\nblue block\"\nAlpha,a,4,office,alpha\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := LoadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := []Skill{{"a", "Alpha", "office", 4, "alpha"}, {"b", "Beta", "trade", 2, "red block|blue block"}}
	if got := r.Skills(); !slices.Equal(got, want) {
		t.Errorf("the skills are %+v, want %+v", got, want)
	}
	if got := r.Slugs(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("the slugs are %q", got)
	}
	for i, slug := range r.Slugs() {
		if r.Slug(i) != slug || r.IsLicence(i) {
			t.Errorf("skill %d is %s", i, r.Slug(i))
		}
		if s, ok := r.FindSkill(slug); !ok || s != want[i] {
			t.Errorf("%s is %+v, %t", slug, s, ok)
		}
	}
	if _, err := LoadFile(file + ".none"); !errors.Is(err, fs.ErrNotExist) ||
		!strings.HasPrefix(err.Error(), "register of skills: ") {
		t.Errorf("a file that is not there: %v", err)
	}
	for text, want := range map[string]string{"": "read the header: EOF", "slug,name\n": `column "level" is missing`,
		"slug,name,patterns,level,kind\na,A,\"x\"y,3,trade\n": `read: parse error on line 2`,
		"slug,name,patterns,level,kind\na,A,x,3\n":            "line 2: 4 fields, expected 5"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := LoadFile(file)
		if r != nil || err == nil || !strings.HasPrefix(err.Error(), "register of skills "+file+": ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// The signs that begin a line or a sentence, and those that are a pause.
func TestSignsBetweenWords(t *testing.T) {
	for _, r := range "•·▪●◦‣■¨§○∙►➢✓✔❖" {
		if got := wideGap(r); got != gapLine|gapStop|gapBullet {
			t.Errorf("%c is %b, want a bullet", r, got)
		}
	}
	for _, r := range "\u2028\u2029\u0085" {
		if got := wideGap(r); got != gapLine|gapStop {
			t.Errorf("%x is %b, want a line", r, got)
		}
	}
	for _, r := range "–—" {
		if got := wideGap(r); got != gapPause {
			t.Errorf("%c is %b, want a pause", r, got)
		}
	}
}

// A weak stop phrase needs a weak pattern, and each stop phrase a pattern.
func TestStopPhrases(t *testing.T) {
	for line, want := range map[string]string{
		"a;Alpha;trade;1;red block;~red block here":        `stop phrase "red block here" is weak, but no pattern of a is`,
		"a;Alpha;trade;1;red block;blue block":             `stop phrase "blue block" holds no pattern of a`,
		"a;Alpha;trade;1;~red block;~red block here|+kiln": "", "a;Alpha;trade;1;red block;red block here": "",
	} {
		_, err := parse(line)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}
