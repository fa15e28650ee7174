// Package config reads the configuration file labour.yaml: the platform, the served areas, the
// sources and the limits of the checks. An unknown key is an error that suggests the most similar
// known key. Only configured sources are fetched. The file contains no secret.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"labour/pipeline/cells/engine"
	"labour/pipeline/check"
	"labour/pipeline/coding/skill"
	"labour/pipeline/corrections"
	"labour/sources"
	"labour/sources/all"
	"labour/sources/platform"
)

// Config is the content of labour.yaml.
type Config struct {
	Platform    platform.Config `yaml:"platform"`     // the jobs platform whose operator publishes the service
	Contact     string          `yaml:"contact"`      // e-mail address or web page in the User-Agent of every request
	ServedAreas []ServedArea    `yaml:"served_areas"` // unions of boroughs that `place` accepts
	People      People          `yaml:"people"`       // how counts of people are published
	// the limits beyond which a snapshot is not promoted, and the acknowledged faults
	Checks  check.Limits `yaml:"checks"`
	Sources all.Config   `yaml:"sources"` // one block per source; a source without a block is not fetched
	// Drift has the limits for deliveries by source key.
	Drift map[string]check.SourceLimits `yaml:"drift"`
	// SkillsFile is your own register of skills: a CSV file with the columns slug, name, patterns,
	// level, kind and, if patterns need it, contexts; empty = the built-in register.
	SkillsFile string `yaml:"skills"`
	// CorrectionsFile is the file of corrections; empty = none.
	CorrectionsFile string `yaml:"corrections"`
	// Engine is a cluster that counts instead of the built-in DuckDB; see "Counting on a cluster".
	Engine *engine.Cluster `yaml:"engine"`
	// Corrections are the contents of that file.
	Corrections []corrections.Correction `yaml:"-"`
	// Skills is the register of SkillsFile; nil = the built-in one.
	Skills *skill.Register `yaml:"-"`
}

// ServedArea is a union of boroughs that the API's parameter `place` accepts.
type ServedArea struct {
	Slug     string   `yaml:"slug"`     // its name in web addresses
	Name     string   `yaml:"name"`     // its name for people
	Boroughs []string `yaml:"boroughs"` // slugs of its boroughs
}

// People holds the settings for counts of people.
type People struct {
	// Protection is rounded (the default) or plain: exact numbers from 5, from which most groups of
	// 1 to 4 can be worked out.
	Protection string `yaml:"protection"`
}

// Load reads and checks a configuration file. Relative paths in it are relative to its folder.
func Load(path string) (*Config, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read configuration: %w; name the file with --config, or write one with labour init",
			err)
	}
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	c, err := Parse(b)
	if err != nil {
		return nil, fmt.Errorf("configuration %s: %w", path, err)
	}
	for _, f := range []*string{&c.Platform.Feed, &c.SkillsFile, &c.CorrectionsFile} {
		if *f != "" && !strings.Contains(*f, "://") && !filepath.IsAbs(*f) {
			*f = filepath.Join(filepath.Dir(path), *f)
		}
	}
	err = c.loadCorrections()
	if err == nil && c.SkillsFile != "" {
		c.Skills, err = skill.LoadFile(c.SkillsFile)
	}
	if err != nil {
		return nil, fmt.Errorf("configuration %s: %w", path, err)
	}
	return c, c.locatePlans(filepath.Dir(path))
}

// locatePlans turns the paths of plans into file URLs.
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

// Parse parses and checks the text of a labour.yaml. It returns all errors together.
func Parse(text []byte) (*Config, error) {
	var c Config
	if err := strict(text, &c); err != nil {
		return nil, err
	}
	c.setDefaults()
	return &c, c.validate()
}

func (c *Config) setDefaults() {
	c.People.Protection = cmp.Or(c.People.Protection, "rounded")
	c.Checks.SetDefaults()
}

func (c *Config) validate() error {
	var errs sources.ConfigErrors
	need := errs.Require
	need(strings.TrimSpace(c.Platform.Name) != "",
		"platform.name is missing: it appears in every attribution statement")
	u, err := url.Parse(c.Platform.Link)
	need(err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "",
		"platform.link must be the platform's http(s) address")
	need(strings.ContainsAny(c.Contact, "@/"),
		"contact must be an e-mail address or a web page: publishers want to know who asks")
	need(c.People.Protection == "rounded" || c.People.Protection == "plain",
		"people.protection %q: it is rounded (counts are multiples of 5, and small groups are not divided) or plain (exact counts from 5, most groups of 1 to 4 can be)", c.People.Protection)
	c.Checks.Validate(need)
	if c.Engine != nil {
		cluster := *c.Engine
		cluster.Token = c.Engine.TokenEnv // only whether it is set matters here
		errs = append(errs, cluster.Check())
	}
	c.validateDrift(need)
	seen := map[string]bool{}
	for _, a := range c.ServedAreas {
		need(sources.IsSlug(a.Slug), "served area %q: slug must be lower-case letters, digits and hyphens",
			a.Slug)
		need(!seen[a.Slug], "served area %q is there twice", a.Slug)
		need(a.Name != "", "served area %q: name is missing", a.Slug)
		need(len(a.Boroughs) > 0, "served area %q: boroughs is empty", a.Slug)
		seen[a.Slug] = true
	}
	return errors.Join(errs...)
}
