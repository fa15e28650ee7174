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
	"regexp"
	"slices"
	"strings"

	"labour/pipeline/cells/engine"
	"labour/pipeline/check/limits"
	"labour/pipeline/coding/skill"
	"labour/pipeline/corrections"
	"labour/sources"
	"labour/sources/all"
	"labour/sources/platform"
)

// Config is the content of the configuration file, labour.yaml.
type Config struct {
	// the jobs platform whose operator publishes the service
	Platform platform.Config `yaml:"platform"`
	// e-mail address or web page to contact the operator; sent in the User-Agent of every request
	Contact string `yaml:"contact"`
	// named unions of boroughs that the API's parameter `place` accepts
	ServedAreas []ServedArea `yaml:"served_areas"`
	// how counts of people are protected when they are published
	People PeopleSettings `yaml:"people"`
	// the limits beyond which a snapshot is not promoted, and the acknowledged faults
	CheckLimits limits.Checks `yaml:"checks"`
	// one block for each source; a source without a block is not fetched
	Sources all.Config `yaml:"sources"`
	// Drift has the limits for what each source delivers, by source key.
	Drift map[string]limits.Source `yaml:"drift"`
	// SkillsFile is your own register of skills: a CSV file with the columns slug, name, patterns,
	// level, kind and, if patterns need it, contexts; empty = the built-in register.
	SkillsFile string `yaml:"skills"`
	// CorrectionsFile is the path of the operator's file of corrections; empty = no corrections.
	CorrectionsFile string `yaml:"corrections"`
	// Engine holds the settings of a cluster that counts instead of the built-in DuckDB; see
	// "Counting on a cluster".
	Engine *engine.Cluster `yaml:"engine"`
	// Corrections are the corrections of publishers' records in CorrectionsFile.
	Corrections []corrections.Correction `yaml:"-"`
	// Skills is the register of skills read from SkillsFile; nil = the built-in register.
	Skills *skill.Register `yaml:"-"`
}

// ServedArea is a named group of boroughs. API clients can use its slug as a value of the parameter
// `place`.
type ServedArea struct {
	Slug     string   `yaml:"slug"`     // name of the area in web addresses, such as central-london
	Name     string   `yaml:"name"`     // name of the area on pages, such as Central London
	Boroughs []string `yaml:"boroughs"` // slugs of the boroughs that make up the area
}

// PeopleSettings holds the settings for publishing counts of people.
type PeopleSettings struct {
	// Protection is how counts of people are published: rounded (the default) to multiples of 5,
	// or plain, which prints exact numbers from 5 and lets most groups of 1 to 4 be worked out.
	Protection string `yaml:"protection"`
}

// Load reads and checks a configuration file. Relative paths in the file are relative to its
// folder.
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
	for _, f := range []*string{&c.Platform.FeedAddress, &c.SkillsFile, &c.CorrectionsFile} {
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

// locatePlans replaces the paths of the configured local skills plans with file:// URLs. Relative
// paths are relative to dir. Values that already are URLs do not change.
func (c *Config) locatePlans(dir string) error {
	if c.Sources.LocalSkillsPlans == nil {
		return nil
	}
	for i, p := range c.Sources.LocalSkillsPlans.Plans {
		if p.CSVFile == "" || strings.Contains(p.CSVFile, "://") {
			continue
		}
		file := p.CSVFile
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		whole, err := filepath.Abs(file)
		if err != nil {
			return fmt.Errorf("file of the plan %s: %w", p.ID, err)
		}
		c.Sources.LocalSkillsPlans.Plans[i].CSVFile = (&url.URL{Scheme: "file", Path: filepath.ToSlash(whole)}).String()
	}
	return nil
}

// withUser matches the beginning of an address that has a user or a password.
var withUser = regexp.MustCompile(`//[^/\s"']*@`)

// Parse parses and checks the content of a configuration file. The error joins all errors in it.
func Parse(text []byte) (*Config, error) {
	if withUser.Match(text) {
		return nil, errors.New("an address has a user or a password (//user:password@): a secret must not stand in this " +
			"file; leave it out")
	}
	c := Config{CheckLimits: limits.DefaultChecks()} // a limit in the file replaces its default
	if err := strict(text, &c); err != nil {
		return nil, err
	}
	c.People.Protection = cmp.Or(c.People.Protection, "rounded")
	c.CheckLimits.PerSource = c.Drift // the checks of a snapshot read it there
	return &c, c.validate()
}

func (c *Config) validate() error {
	var errs sources.ConfigErrors
	need := errs.Require
	need(strings.TrimSpace(c.Platform.Name) != "",
		"platform.name is missing: it appears in every attribution statement")
	need(!strings.Contains(c.Platform.Name, "<"),
		"platform.name %q: it must not contain <, which marks a placeholder in attribution statements", c.Platform.Name)
	u, err := url.Parse(c.Platform.Link)
	isWeb := err == nil && (u.Scheme == "https" || u.Scheme == "http")
	need(isWeb && u.Host != "",
		"platform.link must be the platform's http(s) address")
	need(c.Platform.HasPlainFeed(),
		"platform.feed must be a directory, or an http(s) or file address without user, password, query and fragment: "+
			"a secret must not stand in this file; put the value of the header Authorization into an environment variable, "+
			"and its name into platform.feed_key_env")
	need(strings.ContainsAny(c.Contact, "@/"),
		"contact must be an e-mail address or a web page: publishers want to know who asks")
	need(c.People.Protection == "rounded" || c.People.Protection == "plain",
		"people.protection %q: it must be rounded (counts are multiples of 5, and small groups stay unknown) or plain "+
			"(exact counts from 5 on, from which most groups of 1 to 4 can be worked out)", c.People.Protection)
	c.CheckLimits.Validate(need)
	if c.Engine != nil {
		cluster := *c.Engine
		cluster.Token = c.Engine.TokenEnv // only whether it is set matters here
		errs = append(errs, cluster.Validate())
	}
	c.validateDrift(need)
	seen := map[string]bool{}
	for _, a := range c.ServedAreas {
		need(sources.IsSlug(a.Slug), "served area %q: slug must be lower-case letters, digits and hyphens",
			a.Slug)
		need(!seen[a.Slug], "served area %q is there twice", a.Slug)
		need(a.Name != "", "served area %q: name is missing", a.Slug)
		need(len(a.Boroughs) > 0, "served area %q: boroughs is empty", a.Slug)
		for i, borough := range a.Boroughs {
			need(!slices.Contains(a.Boroughs[:i], borough), "served area %q: borough %q is there twice; leave one out", a.Slug,
				borough)
		}
		seen[a.Slug] = true
	}
	return errors.Join(errs...)
}
