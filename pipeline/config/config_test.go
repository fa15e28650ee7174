package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"labour/pipeline/check/limits"
)

const sound = `
platform: {name: London Works, link: "https://works.example", feed: feed}
contact: data@works.example
served_areas:
  - {slug: central-london, name: Central London, boroughs: [camden, islington]}
sources:
  employer_boards:
    boards:
      - {vendor: ashby, token: acme, employer: Acme}
`

func TestSoundConfiguration(t *testing.T) {
	file := filepath.Join(t.TempDir(), "labour.yaml")
	if err := os.WriteFile(file, []byte(sound), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(filepath.Dir(file), "feed"); c.Platform.FeedAddress != want {
		t.Errorf("feed %q, want %q: relative to the file", c.Platform.FeedAddress, want)
	}
	if l := c.CheckLimits; c.People.Protection != "rounded" || l.MaxShrinkPct != 50 || l.MaxGrowthPct != 900 {
		t.Errorf("defaults are %+v, %+v", c.People, l)
	}
	if l := c.CheckLimits; l.MaxRevisedPct != 50 || l.MaxFaultyPct != 25 {
		t.Errorf("defaults are %+v", l)
	}
	if len(c.Sources.EmployerBoards.Boards) != 1 || c.Sources.FindAnApprenticeship != nil {
		t.Errorf("sources are %+v; one without a block is not asked", c.Sources)
	}
}

// The checks of a snapshot have the limits of the block drift.
func TestLimitsOfSources(t *testing.T) {
	c, err := Parse([]byte(strings.Replace(sound, "sources:", "drift: {platform: {min_records: 7}}\nsources:", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if got := c.CheckLimits.PerSource; len(got) != 1 || got["platform"].MinRecords != 7 {
		t.Errorf("the limits of the sources are %+v", got)
	}
}

// A limit that the file sets stays, and the others have their defaults.
func TestLimitsOfTheFileReplaceDefaults(t *testing.T) {
	for block, want := range map[string]limits.RowLimits{
		"checks: {max_shrink_pct: 7}":                      {MaxShrinkPct: 7, MaxGrowthPct: 900},
		"checks: {max_growth_pct: 8}":                      {MaxShrinkPct: 50, MaxGrowthPct: 8},
		"checks: {tables: {adverts: {max_shrink_pct: 9}}}": {MaxShrinkPct: 9, MaxGrowthPct: 900},
		"checks:": {MaxShrinkPct: 50, MaxGrowthPct: 900},
	} {
		c, err := Parse([]byte(sound + block + "\n"))
		if err != nil {
			t.Fatalf("%s: %v", block, err)
		}
		if got := c.CheckLimits.ForTable("adverts"); got != want {
			t.Errorf("%s: %+v, want %+v", block, got, want)
		}
	}
}

// What the decoder would drop, cut or replace without a word is an error.
func TestNothingIsDropped(t *testing.T) {
	const several = "a line --- begins a second document, which would be ignored; remove that line"
	for text, want := range map[string]string{
		"---\n":                            several,
		"---\n# a comment\n---\npeople:\n": several,
		"...\n":                            "",
		"---\nnonsense: 1\n":               several,
		"---\n---\npeople:\n":              several,
		"checks: {max_shrink_pct: 1.9}\n": "checks.max_shrink_pct is 1.9, and must be a whole number " +
			"without a decimal point",
		"drift: {platform: {min_records: 0.5}}\n": "drift.platform.min_records is 0.5, and must be a whole number " +
			"without a decimal point",
		"checks: {max_shrink_pct: 0}\n":                   "checks.max_shrink_pct must be 1 to 100",
		"checks: {tables: {jobs: {max_shrink_pct: 0}}}\n": "checks.tables.jobs.max_shrink_pct must be 1 to 100",
		"  find_an_apprenticeship: {key_env: s3cr3t-key}\n": "sources.find_an_apprenticeship.key_env must be the name " +
			"of an environment variable in capital letters, such as FAA_API_KEY; a secret must not stand in this file",
		"  find_an_apprenticeship: {key_env: MY_KEY_2}\n": "",
		"drift: {platform: {min_records: }}\n": "drift.platform.min_records has no value: " +
			"write one, or remove the key",
		"checks: {tables: {adverts: {max_shrink_pct: }}}\n": "checks.tables.adverts.max_shrink_pct has no value: " +
			"write one, or remove the key",
		"  ons_geography:\n": "sources.ons_geography has no value: write {} for its defaults, " +
			"or remove the key",
		"  ons_geography: {}\n": "",
		"drift:\n":              "",
		"people:\n":             "",
	} {
		_, err := Parse([]byte(sound + text))
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for _, start := range []string{"---\n", "# a comment\n---\n"} {
		if _, err := Parse([]byte(start + sound)); err != nil {
			t.Errorf("%q at the start: %v", start, err)
		}
	}
	if _, err := Parse(nil); err == nil || strings.Contains(err.Error(), "checks") {
		t.Errorf("an empty file: %v", err)
	}
}

// A plan may be declared by a path relative to the configuration.
func TestPlansAreFilesBesideTheConfiguration(t *testing.T) {
	dir := t.TempDir()
	text := sound + `  local_skills_plans:
    plans:
      - {id: a, file: plans/a b.csv}
      - {id: b, file: /srv/b.csv}
      - {id: c, file: "https://chamber.example/c.csv"}
`
	file := filepath.Join(dir, "labour.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"file://" + filepath.ToSlash(dir) + "/plans/a%20b.csv", "file:///srv/b.csv",
		"https://chamber.example/c.csv"} {
		if got := c.Sources.LocalSkillsPlans.Plans[i].CSVFile; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A file that is not there, that cannot be read or that is wrong is an error that names the fault.
func TestFilesThatAreNoConfiguration(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "labour.yaml")
	_, err := Load(file)
	if err == nil || !strings.HasPrefix(err.Error(), "read configuration: ") || !strings.HasSuffix(err.Error(),
		"; name the file with --config, or write one with labour init") {
		t.Errorf("a missing file: %v", err)
	}
	_, err = Load(dir)
	if err == nil || !strings.HasPrefix(err.Error(), "read configuration: ") || strings.Contains(err.Error(), "--config") {
		t.Errorf("a folder: %v", err)
	}
	if err := os.WriteFile(file, []byte("contact: a"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Load(file)
	if err == nil || !strings.HasPrefix(err.Error(), "configuration "+file+": platform.name is missing") {
		t.Errorf("a file without a name: %v", err)
	}
}

// The platform's link is an address with a host, of http or https.
func TestLinkOfThePlatform(t *testing.T) {
	for link, ok := range map[string]bool{"https://works.example": true, "http://works.example/en": true,
		"ftp://works.example": false, "works.example": false, "https://": false, "https:works.example": false,
		"//works.example": false, "https://works.example:port": false, "": false} {
		_, err := Parse([]byte(strings.Replace(sound, "https://works.example", link, 1)))
		if (err == nil) != ok || !ok && err.Error() != "platform.link must be the platform's http(s) address" {
			t.Errorf("%q: %v", link, err)
		}
	}
}

// TestFeedHoldsNoSecret: an address with a password or a query is refused, and the message names the key
// that takes the name of a variable.
func TestFeedHoldsNoSecret(t *testing.T) {
	for feed, ok := range map[string]bool{"https://feed.example/a": true, "./feed": true,
		"https://feed.example/a?token=x": false, "http:feed.example": false} {
		_, err := Parse([]byte(strings.Replace(sound, "feed: feed", "feed: \""+feed+"\"", 1)))
		if (err == nil) != ok || !ok && !strings.Contains(err.Error(), "platform.feed_key_env") {
			t.Errorf("%q: %v", feed, err)
		}
	}
}

// TestNoAddressHasAPassword: an address with a user is refused wherever it stands, and the message does not
// repeat it.
func TestNoAddressHasAPassword(t *testing.T) {
	for _, address := range []string{"https://jo:pw9@works.example", "https://jo:p#w9@works.example",
		"//jo@works.example"} {
		_, err := Parse([]byte(strings.Replace(sound, "https://works.example", address, 1)))
		if err == nil || !strings.Contains(err.Error(), "has a user or a password") || strings.Contains(err.Error(), "w9") {
			t.Errorf("%s: %v", address, err)
		}
	}
	page := strings.Replace(sound, "https://works.example", "https://works.example/@us", 1)
	if _, err := Parse([]byte(page)); err != nil {
		t.Errorf("an @ in the path: %v", err)
	}
}

// Only the faulty setting is reported, not the correct ones near it.
func TestOneFaultIsOneError(t *testing.T) {
	for _, tt := range []struct{ name, old, new, want string }{
		{"a name with a placeholder", "name: London Works", "name: Works <3",
			`platform.name "Works <3": it must not contain <, which marks a placeholder in attribution statements`},
		{"an area with a borough twice", "boroughs: [camden, ", "boroughs: [camden, camden, ",
			`served area "central-london": borough "camden" is there twice; leave one out`},
		{"an area without a name", "name: Central London", "name: ''", `served area "central-london": name is missing`},
		{"an area without boroughs", "boroughs: [camden, islington]", "boroughs: []",
			`served area "central-london": boroughs is empty`},
		{"limits of one source that is there", "sources:", "drift: {employer_boards: {min_records: 1}}\nsources:", ""},
		{"limits of the platform", "sources:", "drift: {platform: {min_records: 1}}\nsources:", ""},
		{"limits of one source that is not there", "sources:", "drift: {bords: {min_records: 1}}\nsources:",
			"drift.bords: no such source is configured; configured are platform, employer_boards"},
		{"limits out of range", "sources:", "drift: {platform: {min_soc_pct: 101}}\nsources:",
			"drift.platform: min_soc_pct must be 0 to 100"},
		{"an area of one borough", "boroughs: [camden, islington]", "boroughs: [camden]", ""},
	} {
		_, err := Parse([]byte(strings.Replace(sound, tt.old, tt.new, 1)))
		if (err == nil) != (tt.want == "") || err != nil && err.Error() != tt.want {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	// If the sources cannot be made, their limits are not checked; the error of making them has the reason.
	text := strings.Replace(sound, "vendor: ashby", "vendor: nobody", 1)
	_, err := Parse([]byte(strings.Replace(text, "sources:", "drift: {bords: {min_records: 1}}\nsources:", 1)))
	if err != nil {
		t.Errorf("a source that cannot be made: %v", err)
	}
}

// A key without a name, and one of a single hyphen, are keys of nothing.
func TestKeysOfNothing(t *testing.T) {
	for _, key := range []string{`""`, `"-"`} {
		_, err := Parse([]byte(sound + key + ": 1\n"))
		if err == nil || !strings.Contains(err.Error(), "unknown key ") {
			t.Errorf("%s: %v", key, err)
		}
	}
}

func TestFaultsAreNamedAllAtOnce(t *testing.T) {
	tests := []struct {
		name, old, new string
		want           []string
	}{
		{"unknown key at the top", "contact:", "contacts: x\ncontact:",
			[]string{`unknown key "contacts"`, `"contact"`}},
		{"two unknown keys below", "{vendor: ashby, token: acme, employer: Acme}", "{vendr: ashby, tokn: acme}",
			[]string{`"sources.employer_boards.boards[0].vendr"`, `boards[0].vendor"`, `boards[0].tokn"`,
				`boards[0].token"`}},
		{"unknown source", "employer_boards:", "employer_bords:",
			[]string{`sources.employer_bords`, `sources.employer_boards`}},
		{"no name and no contact", "name: London Works, ", "name: '', ", []string{"platform.name"}},
		{"contact without an address", "data@works.example", "data", []string{"contact"}},
		{"area twice", "sources:", "  - {slug: central-london, name: X, boroughs: []}\nsources:",
			[]string{"twice", "boroughs is empty"}},
		{"bad slug", "slug: central-london", "slug: Central London", []string{"lower-case"}},
		{"not YAML", "platform: {", "platform: {{", []string{"not YAML"}},
		{"thousands of levels", "contact: data@works.example", "contact: " + strings.Repeat("[", 200_000),
			[]string{"nested more than 100 levels"}},
		{"thousands of levels of lists", "contact: data@works.example", "contact:\n" + strings.Repeat("- ", 200_000),
			[]string{"nested more than 100 levels"}},
		{"wrong kind", "contact: data@works.example", "contact: [a, b]", []string{"wrong kind"}},
		{"a word for a number", "sources:", "drift: {employer_boards: {max_fall_pct: abc}}\nsources:",
			[]string{"wrong kind in line ", `"abc" is not a whole number`}},
		{"bounds of no source, and out of range", "sources:",
			"drift: {employer_bords: {min_records: 1}, employer_boards: {min_soc_pct: 101}}\nsources:",
			[]string{"drift.employer_bords: no such source is configured; configured are",
				"drift.employer_boards: min_soc_pct must be 0 to 100"}},
		{"exceptions that say too little", "sources:",
			"checks: {min_rows: 1, exceptions: [{check: verify, of: x, until: soon}, {check: shrink, who: A, why: B, until: " +
				"2026-12-31}]}\nsources:",
			[]string{"min_rows"}},
		{"exceptions that say too little", "sources:",
			"checks: {exceptions: [{check: verify, of: x, until: soon}, {check: shrink, who: A, why: B, until: " +
				"2026-12-31}]}\nsources:",
			[]string{`check "verify" cannot be excused`, "exceptions[0]: the fields who and why must be given",
				"exceptions[0]: until must be a date", "exceptions[1]: of must name"}},
		{"exceptions of nothing, and twice", "sources:",
			"checks: {exceptions: [{check: shrink, of: advert, who: A, why: B, until: 2026-12-31}, {check: coded, of: " +
				"platform, who: A, why: B, until: 2026-12-31}, {check: coded, of: platform, who: C, why: D, until: " +
				"2027-12-31}]}\nsources:",
			[]string{`exceptions[0]: there is no table "advert"`,
				`exceptions[2]: there is another for coded of "platform"`}},
		{"limits out of range", "sources:",
			"checks: {max_shrink_pct: 101, tables: {advert: {min_rows: 1}, adverts: {max_shrink_pct: -1}}}\nsources:",
			[]string{"checks.max_shrink_pct must be 1 to 100", "checks.tables.advert: there is no such table",
				"checks.tables.adverts.max_shrink_pct must be 1 to 100"}},
		{"unknown bound", "sources:", "drift: {employer_boards: {min_recrods: 1}}\nsources:",
			[]string{`min_recrods`, `min_records`}},
		{"protection", "sources:", "people: {protection: hidden}\nsources:",
			[]string{`people.protection "hidden"`, "rounded", "plain"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Replace(sound, tt.old, tt.new, 1)
			if text == sound {
				t.Fatal("the case changes nothing")
			}
			_, err := Parse([]byte(text))
			if err == nil {
				t.Fatal("no error")
			}
			for _, w := range tt.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("error %q does not name %s", err, w)
				}
			}
		})
	}
}

// A cluster that others could listen to is refused before anything is read.
func TestOpenClusterIsRefused(t *testing.T) {
	for block, fault := range map[string]string{
		`engine: {connect: "sc://spark.example/;use_ssl=true", work: "s3://bucket/prefix", token_env: TOKEN}`: "",
		`engine: {connect: "sc://127.0.0.1", work: /work, token_env: TOKEN}`:                                  "",
		`engine: {connect: "sc://spark.example", work: /work, allow_plaintext: true}`:                         "",
		`engine: {connect: "sc://spark.example", work: /work}`:                                                "allow_plaintext",
		`engine: {connect: "sc://spark.example", work: /work, allow_plaintext: true, token_env: TOKEN}`:       "over TLS only",
		`engine: {connect: "sc://127.0.0.1", work: work}`:                                                     "absolute directory",
		`engine: {work: /work}`: "sc://host:15002",
		`engine: {connect: "sc://127.0.0.1", work: /work, token: secret}`: "engine.token",
	} {
		_, err := Parse([]byte(sound + block + "\n"))
		if fault == "" && err != nil || fault != "" && (err == nil || !strings.Contains(err.Error(), fault)) {
			t.Errorf("%s: %v, want %q", block, err, fault)
		}
	}
}
