// Package blsprojections reads employment statistics of the United States Bureau of Labor
// Statistics. It reads the employment projections by occupation (a CSV file or Table 1.2 of the
// workbook) and series of the time series API.
//
// Occupations have codes of the United States' own classification, SOC2018-US. There is no official
// mapping from it to SOC 2020, so none is made.
//
// # What counts as a gap
//
// The projections give employment in a base year and ten years later. Each occupation's projected
// growth is compared with the average growth of all occupations. The signal of an occupation is
//
//   - gap: employment grows, and by a greater percentage than the average ("faster than
//     average" in the Bureau's words);
//   - no_gap: employment falls;
//   - none: everything else.
//
// Job openings are shown but do not affect the signal, because they also count people who change
// occupation. Only single occupations ("Line item") are used, not the rows that sum several.
//
// A time series says nothing about a gap. Its evidence has the kind "statistic" and the signal none.
package blsprojections

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"labour/sources"
)

// Key is the `source_key` of the United States employment projections.
const Key = "bls_employment_projections"

const (
	// DefaultBaseURL is the address of the time series API if Config.BaseURL is empty.
	DefaultBaseURL = "https://api.bls.gov/publicAPI/v2"
	// DefaultProjectionsURL is the address of the projections file if Projections.URL is empty.
	DefaultProjectionsURL = "https://www.bls.gov/emp/ind-occ-matrix/occupation.xlsx"
	// DefaultKeyEnv names the environment variable or file with the API's registration key if
	// Config.KeyEnv is empty.
	DefaultKeyEnv = "BLS_API_KEY"
)

// maxSeries is the maximum number of time series in the configuration. Each series costs one
// request. The Bureau of Labor Statistics allows 25 requests a day without a key.
const maxSeries = 25

// Config is the block `bls_employment_projections` of the configuration file. It must set
// Projections or Series, or both.
type Config struct {
	// one edition of the employment projections
	Projections *Projections `yaml:"projections"`
	Series      []Series     `yaml:"series"` // series to read from the time series API
	// BaseURL is the address of version 2 of the time series API, without a slash at the end; empty
	// = DefaultBaseURL.
	BaseURL string `yaml:"base_url"`
	// KeyEnv names the environment variable or file that holds the API's registration key; empty =
	// DefaultKeyEnv. The API also works without a key.
	KeyEnv string `yaml:"key_env"`
}

// Projections configures one edition of the employment projections.
type Projections struct {
	// address of the workbook or CSV file; empty = DefaultProjectionsURL
	URL       string `yaml:"url"`
	Published string `yaml:"published"` // day of release, YYYY-MM-DD, which the files do not state
	Sheet     string `yaml:"sheet"`     // name of the workbook's sheet; empty = "Table 1.2"
}

// Series configures one time series of the Bureau's API, such as the unemployment rate.
type Series struct {
	ID string `yaml:"id"` // the Bureau's id of the series, such as "LNS14000000"
	// what the series measures, such as "Unemployment rate, seasonally adjusted"
	Title string `yaml:"title"`
	Unit  string `yaml:"unit"` // unit of the values, such as "per cent" or "thousand"
}

// Source reads the employment projections and the configured time series. It implements
// sources.Source.
type Source struct{ cfg Config }

var seriesPattern = regexp.MustCompile(`^[A-Z0-9_#-]{3,40}$`)

// New checks the configuration and returns the source. The error lists all mistakes.
func New(cfg Config) (*Source, error) {
	base, err := sources.BaseURL(cfg.BaseURL, DefaultBaseURL)
	cfg.BaseURL = base
	cfg.KeyEnv = cmp.Or(cfg.KeyEnv, DefaultKeyEnv)
	var errs sources.ConfigErrors
	errs.Require(cfg.Projections != nil || len(cfg.Series) > 0, "there are neither projections nor series to read")
	errs.Require(err == nil, "%v", err)
	if cfg.Projections != nil {
		p := *cfg.Projections
		p.URL = cmp.Or(p.URL, DefaultProjectionsURL)
		p.Sheet = cmp.Or(p.Sheet, "Table 1.2")
		day, err := sources.ParseDate(p.Published)
		errs.Require(err == nil && !day.IsZero(), "projections: published %q must be the day of release, YYYY-MM-DD",
			p.Published)
		errs.Require(sources.IsWebOrFileAddress(p.URL), "projections: url must be an http(s) or file address")
		cfg.Projections = &p
	}
	errs.Require(len(cfg.Series) <= maxSeries, "%d series: the Bureau answers %d queries a day without a key",
		len(cfg.Series), maxSeries)
	cfg.Series = slices.Clone(cfg.Series)
	seen := map[string]bool{}
	for i, s := range cfg.Series {
		errs.Require(seriesPattern.MatchString(s.ID), "series[%d]: id %q is no id of a series", i, s.ID)
		errs.Require(s.Title != "", "series[%d]: title is missing: the answer does not say what it measures", i)
		errs.Require(!seen[s.ID], "series[%d]: %s is named twice", i, s.ID)
		seen[s.ID] = true
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("configure %s: %w", Key, err)
	}
	return &Source{cfg}, nil
}

// Info describes the source: its key, publisher, licence and terms.
func (s *Source) Info() sources.Info { return info }

// info describes the source. The Bureau of Labor Statistics says: "You are free to use our public
// domain material without specific permission, although we do ask that you cite the Bureau of Labor
// Statistics as the source."
var info = sources.Info{
	Key:       Key,
	Publisher: "U.S. Bureau of Labor Statistics",
	Title:     "Employment projections by occupation",
	Kind:      sources.KindProjections,
	Licence:   "Public domain",
	Link:      "https://www.bls.gov/emp/",
	Statement: sources.StatementBLS,
	Cadence:   sources.Annual,
	Terms:     sources.Terms{MayFetch: true, MayCount: true, MayRepublish: true, MaySummarise: true},
}
