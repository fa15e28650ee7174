// Package config reads labour.yaml: the platform, the served areas, the cadence
// of the counts of people, the sources and the limits of the checks. An unknown
// key is an error that names the nearest known one, a source without a block is
// not asked, and no secret is in the file.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"labour/pipeline/corrections"
	"labour/pipeline/drift"
	"labour/sources/all"
)

// Config is labour.yaml.
type Config struct {
	Platform    Platform     `yaml:"platform"`
	Contact     string       `yaml:"contact"` // e-mail address or web page in the User-Agent of every request
	ServedAreas []ServedArea `yaml:"served_areas"`
	People      People       `yaml:"people"`
	Checks      Checks       `yaml:"checks"`
	Sources     all.Config   `yaml:"sources"`
	// Drift are bounds of what each source delivers, by source key.
	Drift map[string]drift.Limits `yaml:"drift"`
	// CorrectionsFile is the file of corrections; empty = none.
	CorrectionsFile string `yaml:"corrections"`
	// Corrections are what that file says.
	Corrections []corrections.Correction `yaml:"-"`
}

// Platform is the jobs platform whose operator publishes the service.
type Platform struct {
	Name string `yaml:"name"` // appears in `Source: <name>.`
	Link string `yaml:"link"` // where people find it
	Feed string `yaml:"feed"` // a directory, or an https:// base; empty = no feed
}

// ServedArea is a union of boroughs that `place` may name.
type ServedArea struct {
	Slug     string   `yaml:"slug"`
	Name     string   `yaml:"name"`
	Boroughs []string `yaml:"boroughs"` // slugs
}

// People says how counts of people are published.
type People struct {
	Cadence string `yaml:"cadence"` // quarter: rebuilt at quarter ends
	// MinEmployers is the fewest employers of whose applicants a number is shown: 3, or
	// more; 0 is 3. "Production: 3, tests: 1": fewer can be set in code alone, by who
	// makes the people up, so that no file switches the rule off by a slip.
	MinEmployers int `yaml:"min_employers"`
}

// Load reads and checks the file. A relative feed, and the relative file of a plan,
// are relative to the file.
func Load(path string) (*Config, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read configuration: %w; name the file with --config, README.md has an example", err)
	}
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	c, err := Parse(b)
	if err != nil {
		return nil, fmt.Errorf("configuration %s: %w", path, err)
	}
	if f := c.Platform.Feed; f != "" && !strings.Contains(f, "://") && !filepath.IsAbs(f) {
		c.Platform.Feed = filepath.Join(filepath.Dir(path), f)
	}
	if err := c.loadCorrections(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("configuration %s: %w", path, err)
	}
	return c, c.locatePlans(filepath.Dir(path))
}

// locatePlans makes file addresses of the paths of plans.
func (c *Config) locatePlans(dir string) error {
	if c.Sources.LocalSkillsPlans == nil {
		return nil
	}
	for i, p := range c.Sources.LocalSkillsPlans.Plans {
		if p.File == "" || strings.Contains(p.File, "://") {
			continue
		}
		file := p.File
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		whole, err := filepath.Abs(file)
		if err != nil {
			return fmt.Errorf("file of the plan %s: %w", p.ID, err)
		}
		c.Sources.LocalSkillsPlans.Plans[i].File = (&url.URL{Scheme: "file", Path: filepath.ToSlash(whole)}).String()
	}
	return nil
}

// Parse reads and checks the text of a labour.yaml. All faults are reported at once.
func Parse(text []byte) (*Config, error) {
	var c Config
	if err := strict(text, &c); err != nil {
		return nil, err
	}
	c.setDefaults()
	return &c, c.validate()
}

func (c *Config) setDefaults() {
	if c.People.Cadence == "" {
		c.People.Cadence = "quarter"
	}
	if c.People.MinEmployers == 0 {
		c.People.MinEmployers = fewestEmployers
	}
	c.Checks.setDefaults()
}

// fewestEmployers is the least that people.min_employers may be.
const fewestEmployers = 3

var slugForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func (c *Config) validate() error {
	var errs []error
	need := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	need(strings.TrimSpace(c.Platform.Name) != "", "platform.name is missing: it appears in every attribution statement")
	u, err := url.Parse(c.Platform.Link)
	need(err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "", "platform.link must be the platform's http(s) address")
	need(strings.ContainsAny(c.Contact, "@/"), "contact must be an e-mail address or a web page: publishers want to know who asks")
	need(c.People.Cadence == "quarter", "people.cadence %q: only quarter is sound", c.People.Cadence)
	need(c.People.MinEmployers >= fewestEmployers, "people.min_employers must be at least %d: with fewer, an employer can subtract its own applicants", fewestEmployers)
	c.Checks.validate(need)
	c.validateDrift(need)
	seen := map[string]bool{}
	for _, a := range c.ServedAreas {
		need(slugForm.MatchString(a.Slug), "served area %q: slug must be lower-case letters, digits and hyphens", a.Slug)
		need(!seen[a.Slug], "served area %q is there twice", a.Slug)
		need(a.Name != "", "served area %q: name is missing", a.Slug)
		need(len(a.Boroughs) > 0, "served area %q: boroughs is empty", a.Slug)
		seen[a.Slug] = true
	}
	return errors.Join(errs...)
}
