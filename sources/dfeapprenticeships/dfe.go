// Package dfeapprenticeships reads the Department for Education's statistics on apprenticeship
// starts, further education enrolments and skills bootcamp starts. They come from the public API of
// Explore Education Statistics and cover England, its regions, councils and local skills
// improvement plan areas.
//
// A data set is a CSV file with one row for each combination of filters, such as age or sex. A
// filter value `Total` means the sum over that filter. Only rows in which every filter except the
// subject is `Total` are used; other rows would count a learner several times.
//
// An unknown column could be such a filter, so a file with an unknown column is rejected. So is a
// file with fewer rows than the publisher announces.
package dfeapprenticeships

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"labour/sources"
	"labour/sources/filelist"
)

// Key is the `source_key` of figures from the Department for Education.
const Key = "dfe_apprenticeships"

// DefaultBaseURL is the public address of the Department's statistics API, version 1.
const DefaultBaseURL = "https://api.education.gov.uk/statistics/v1"

// Values of DataSet.Metric: what the figures of a data set count.
const (
	// MetricApprenticeships is for data sets that count people who start an apprenticeship.
	MetricApprenticeships = "apprenticeship_starts"
	// MetricFurtherEducation is for data sets that count enrolments in further education.
	MetricFurtherEducation = "further_education_enrolments"
	// MetricBootcamps is for data sets that count people who start a skills bootcamp.
	MetricBootcamps = "skills_bootcamp_starts"
)

// Values of DataSet.CoveredPeriod: the months of an academic year that the figures cover.
const (
	// CoversFullYear is for figures of the whole academic year, August to July.
	CoversFullYear = "full_year"
	// CoversToOctober is for figures of August to October.
	CoversToOctober = "to_october"
	// CoversToJanuary is for figures of August to January.
	CoversToJanuary = "to_january"
	// CoversToApril is for figures of August to April.
	CoversToApril = "to_april"
)

// Values of DataSet.MeaningOfLow: what the publisher's symbol `low` means.
const (
	// LowMeansUnderFive means that a figure marked `low` is from 1 to 4.
	LowMeansUnderFive = "under_5"
	// LowMeansNotPublished means that a figure marked `low` is not known to be from 1 to 4. For
	// example, it may also be 0.
	LowMeansNotPublished = "not_published"
)

// Config is the block `dfe_apprenticeships` of the configuration file.
type Config struct {
	// address of the API without a slash at the end; empty = DefaultBaseURL
	BaseURL string `yaml:"base_url"`
	// DataSets are the data sets to read, in order. If two of them have the same figure, the figure
	// of the first one is used.
	DataSets []DataSet `yaml:"data_sets"`
}

// DataSet configures one data set: its id, what its figures count and how to read its file.
type DataSet struct {
	ID string `yaml:"id"` // publisher's id of the data set, a UUID
	// Metric is what the figures count: apprenticeship_starts, further_education_enrolments or
	// skills_bootcamp_starts.
	Metric string `yaml:"metric"`
	// Column is the name of the column with the figures. If it is empty, the usual column of the
	// metric is used, such as starts, enrolments or start_total.
	Column string `yaml:"column"`
	// Filters gives the value of each filter (a column) that the rows to read must have. It is needed
	// for filters without the value `Total`, and for filters that this program does not know.
	Filters map[string]string `yaml:"filters"`
	// IgnoreColumns are unknown columns that may be ignored, because they hold figures and are not
	// filters.
	IgnoreColumns []string `yaml:"ignore_columns"`
	// CoveredPeriod is the part of the academic year that the figures cover: full_year, to_october,
	// to_january or to_april. The file does not state it: "Aug to Apr" has the same time_period as
	// the full year. If it is empty, the publisher's title, summary and labels decide. If these
	// name no months, the figures cover full years.
	CoveredPeriod string `yaml:"covers"`
	// MeaningOfLow is the meaning of the code `low` (`k`, `~` in older files): under_5 or
	// not_published. The specification shows it as fewer than 5 "only where that file's notes
	// define it as fewer than 5 and more than 0". If MeaningOfLow is empty, it is under_5 for
	// apprenticeship_starts, whose notes say so, and not_published for other metrics. Set
	// not_published if you read `low` as 0 to 4.
	MeaningOfLow string `yaml:"low_means"`
}

// Source reads the configured data sets. It implements sources.Source.
type Source struct{ cfg Config }

var idPattern = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z-]{0,63}$`)

// New checks the configuration and returns the source. The error lists all mistakes.
func New(cfg Config) (*Source, error) {
	base, err := sources.BaseURL(cfg.BaseURL, DefaultBaseURL)
	cfg.BaseURL = base
	cfg.DataSets = slices.Clone(cfg.DataSets)
	err = errors.Join(err, filelist.CheckEntries("data_sets", cfg.DataSets, DataSet.name, (*DataSet).complete))
	if err != nil {
		return nil, fmt.Errorf("configure %s: %w", Key, err)
	}
	return &Source{cfg: cfg}, nil
}

func (d DataSet) name() string { return d.ID }

// complete sets the defaults of a data set's configuration and then checks it.
func (d *DataSet) complete() error {
	if d.MeaningOfLow == "" {
		d.MeaningOfLow = LowMeansNotPublished
		if d.Metric == MetricApprenticeships {
			d.MeaningOfLow = LowMeansUnderFive
		}
	}
	var errs sources.ConfigErrors
	oneOf := func(field, v string, allowed ...string) {
		errs.Require(slices.Contains(allowed, v), "%s %q must be one of %s", field, v, strings.Join(allowed, ", "))
	}
	errs.Require(idPattern.MatchString(d.ID), "id %q must be letters, digits and hyphens", d.ID)
	oneOf("metric", d.Metric, MetricApprenticeships, MetricFurtherEducation, MetricBootcamps)
	oneOf("low_means", d.MeaningOfLow, LowMeansUnderFive, LowMeansNotPublished)
	if d.CoveredPeriod != "" {
		oneOf("covers", d.CoveredPeriod, CoversFullYear, CoversToOctober, CoversToJanuary, CoversToApril)
	}
	return errors.Join(errs...)
}

// Info describes the source: its key, publisher, licence and terms.
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
		Terms:     sources.Terms{MayFetch: true, MayCount: true, MayRepublish: true, MaySummarise: true},
	}
}
