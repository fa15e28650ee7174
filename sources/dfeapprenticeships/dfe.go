// Package dfeapprenticeships reads the Department for Education's statistics on apprenticeship
// starts, further education enrolments and skills bootcamp starts. They come from the public API of
// Explore Education Statistics and cover England, its regions, councils and local skills
// improvement plan areas.
//
// A data set is a CSV file with one row for each combination of filters, such as age or sex. A
// filter value `Total` means the sum over that filter. Only rows in which every filter except the
// subject is `Total` are used; other rows would count a learner several times.
//
// An unknown column could be such a filter, so a file with an unknown column is rejected.
package dfeapprenticeships

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"labour/sources"
	"labour/sources/filelist"
)

// Key is the source key of the Department for Education's statistics.
const Key = "dfe_apprenticeships"

// DefaultBaseURL is the public address of the statistics API, version 1.
const DefaultBaseURL = "https://api.education.gov.uk/statistics/v1"

// The quantities that a data set may count.
const (
	MetricApprenticeships  = "apprenticeship_starts"
	MetricFurtherEducation = "further_education_enrolments"
	MetricBootcamps        = "skills_bootcamp_starts"
)

// The parts of an academic year that a data set may cover.
const (
	CoversFullYear  = "full_year"  // August to July
	CoversToOctober = "to_october" // August to October
	CoversToJanuary = "to_january" // August to January
	CoversToApril   = "to_april"   // August to April
)

// What the publisher's symbol `low` means in a data set: fewer than 5, or not published.
const (
	LowUnderFive    = "under_5"       // fewer than 5 and more than 0
	LowNotPublished = "not_published" // anything else, for example 0 to 4, or a base under 50
)

// Config is the block `dfe_apprenticeships` of the configuration.
type Config struct {
	BaseURL string `yaml:"base_url"` // the address of the API without a slash at the end; empty is DefaultBaseURL
	// DataSets are the data sets to read, in order. If two data sets have the same figure, the
	// first one is used.
	DataSets []DataSet `yaml:"data_sets"`
}

// DataSet configures one data set: its id, what it counts and how to read it.
type DataSet struct {
	ID string `yaml:"id"` // the publisher's id of the data set, a UUID
	// Metric is what it counts: apprenticeship_starts,
	// further_education_enrolments or skills_bootcamp_starts.
	Metric string `yaml:"metric"`
	// Column is the column with the figure. Empty uses the usual column of the metric: starts or
	// start_count; e_and_t_aims_enrolments, enrolments or enrolment_count; start_total.
	Column string `yaml:"column"`
	// Filters gives the value to use for a filter that has no value `Total`. It also declares
	// filters that this program does not know.
	Filters map[string]string `yaml:"filters"`
	// IgnoreColumns are further columns that are figures, not filters, and that this program may
	// ignore.
	IgnoreColumns []string `yaml:"ignore_columns"`
	// Covers is the part of the academic year that the figures cover: full_year, to_october,
	// to_january or to_april. The file itself does not state it: the edition "Aug to Apr" has the
	// same time_period as the final year. If it is empty, the publisher's title, summary and labels
	// decide; if they name no months, the years are full.
	Covers string `yaml:"covers"`
	// LowMeans is the meaning of the code `low` (`k`, `~` in older files) in this data set: under_5
	// or not_published. The code is shown as fewer than 5 "only where that file's notes define it
	// as fewer than 5 and more than 0". Empty is under_5 for apprenticeship_starts, whose files are
	// rounded to 10 and whose notes define it so, and not_published for everything else. The
	// recorded files contain no 0, so set not_published here if you read `low` as 0 to 4.
	LowMeans string `yaml:"low_means"`
}

// Source reads the configured data sets. It implements sources.Source.
type Source struct{ cfg Config }

var idPattern = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z-]{0,63}$`)

// New validates the configuration and returns the source. The error lists all mistakes in the
// configuration.
func New(cfg Config) (*Source, error) {
	cfg.BaseURL = cmp.Or(strings.TrimRight(cfg.BaseURL, "/"), DefaultBaseURL)
	cfg.DataSets = slices.Clone(cfg.DataSets)
	if err := filelist.CheckEntries("data_sets", cfg.DataSets, DataSet.name, (*DataSet).complete); err != nil {
		return nil, fmt.Errorf("configure %s: %w", Key, err)
	}
	return &Source{cfg: cfg}, nil
}

func (d DataSet) name() string { return d.ID }

// complete sets the defaults and checks the values.
func (d *DataSet) complete() error {
	if d.LowMeans == "" {
		d.LowMeans = LowNotPublished
		if d.Metric == MetricApprenticeships {
			d.LowMeans = LowUnderFive
		}
	}
	var errs sources.ConfigErrors
	oneOf := func(field, v string, allowed ...string) {
		errs.Require(slices.Contains(allowed, v), "%s %q must be one of %s", field, v, strings.Join(allowed, ", "))
	}
	errs.Require(idPattern.MatchString(d.ID), "id %q must be letters, digits and hyphens", d.ID)
	oneOf("metric", d.Metric, MetricApprenticeships, MetricFurtherEducation, MetricBootcamps)
	oneOf("low_means", d.LowMeans, LowUnderFive, LowNotPublished)
	if d.Covers != "" {
		oneOf("covers", d.Covers, CoversFullYear, CoversToOctober, CoversToJanuary, CoversToApril)
	}
	return errors.Join(errs...)
}

// Info describes the source.
func (s *Source) Info() sources.Info {
	return sources.Info{
		Key:       Key,
		Publisher: "Department for Education",
		Title:     "Apprenticeships, further education and skills",
		Kind:      sources.KindStatistics,
		Licence:   "Open Government Licence v3.0",
		Link:      "https://explore-education-statistics.service.gov.uk/find-statistics/apprenticeships",
		Statement: sources.StatementOGL,
		Cadence:   sources.Quarterly,
		Terms:     sources.Terms{Fetch: true, Count: true, Republish: true, Summarise: true},
	}
}
