package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCorrectionsFile: the file next to the configuration is read strictly.
func TestCorrectionsFile(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	main := put("labour.yaml",
		"platform: {name: A, link: \"https://a.example\"}\ncontact: a@a.example\ncorrections: fixes.yaml\n")
	const right = `corrections:
  - {source: ons_geography, kind: area, record: council E09000007, field: name, old: Camdem, new: Camden,
     reason: A misprint., by: Us, decided: 2026-11-01}
`
	put("fixes.yaml", right) // ons_geography is known, although it is not configured
	c, err := Load(main)
	if err != nil || len(c.Corrections) != 1 || c.Corrections[0].New != "Camden" ||
		c.Corrections[0].DecidedOn().String() != "2026-11-01" {
		t.Fatalf("%+v, %v", c, err)
	}
	for text, want := range map[string]string{
		"corrections:\n  - {sauce: x}\n":   `nearest known one is "corrections[0].source"`,
		"corrections:\n  - {kind: area}\n": "source and record",
		"corrections: 7\n":                 "value of the wrong kind",
		"":                                 "the file has none; write corrections: []",
		"corrections:\n":                   "the file has none; write corrections: []",
		strings.Replace(right, "ons_geography", "onz_geography", 1): `corrections[0]: no source has the key ` +
			`"onz_geography"; the nearest known one is "ons_geography"`,
	} {
		put("fixes.yaml", text)
		if _, err := Load(main); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "fixes.yaml") {
			t.Errorf("%q: %v", text, err)
		}
	}
	put("fixes.yaml", "corrections: []\n")
	if c, err := Load(main); err != nil || len(c.Corrections) != 0 {
		t.Errorf("a list of no corrections: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "fixes.yaml")); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(main); err == nil {
		t.Error("a file of corrections that is not there is no error")
	}
}

// TestSkillsFile: the register of skills next to the configuration replaces the program's, one that
// cannot be read is named, and neither register hides a fault of the corrections.
func TestSkillsFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "labour.yaml")
	put := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const platform = "platform: {name: A, link: \"https://a.example\"}\ncontact: a@a.example\n"
	register := filepath.Join(dir, "skills.csv")
	put(register, "slug,name,kind,level,patterns\nknitting,Knitting,creative,2,knitting\n")
	put(file, platform+"skills: skills.csv\n")
	c, err := Load(file)
	if err != nil || c.Skills == nil || len(c.Skills.Skills()) != 1 || c.Skills.Skills()[0].Slug != "knitting" {
		t.Fatalf("%+v, %v", c, err)
	}
	put(file, platform+"skills: skills.csv\ncorrections: fixes.yaml\n")
	if _, err := Load(file); err == nil || !strings.Contains(err.Error(), "fixes.yaml") {
		t.Errorf("corrections that are not there, with a register of skills: %v", err)
	}
	put(register, "slug,name\n")
	put(file, platform+"skills: skills.csv\n")
	if _, err := Load(file); err == nil || !strings.Contains(err.Error(), "skills.csv") {
		t.Errorf("a register without its columns: %v", err)
	}
}

// TestSizeOfAFile: a file may have 16 MB and a hundred levels, and no more; brackets that are
// closed again are no levels.
func TestSizeOfAFile(t *testing.T) {
	const bytes, levels = "it has 16777217 bytes, more than 16777216", "it is nested more than 100 levels deep"
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, tt := range []struct{ name, text, want string }{
		{"16 MB; the first bytes are read", strings.Repeat("[", 16<<20), levels},
		{"a byte more; nothing is read", strings.Repeat("[", 16<<20+1), bytes},
		{"100 levels", nested(100), ""}, {"101 levels", nested(101), levels},
		{"100 levels of both kinds", strings.Repeat("[{", 50), ""},
		{"101 levels of both kinds", strings.Repeat("[{", 50) + "{", levels},
		{"many lists one after the other", strings.Repeat("[{}]", 200), ""},
		{"100 levels without indentation", strings.Repeat("- ", 100), ""},
		{"101 levels without indentation", strings.Repeat("- ", 101), levels},
	} {
		err := checkBounds([]byte(tt.text))
		if (err == nil) != (tt.want == "") || err != nil && err.Error() != "not a configuration: "+tt.want {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
