// Package onsoccupations reads what the Office for National Statistics publishes of the Standard
// Occupational Classification 2020: its structure, the job titles related to its unit groups, and
// the coding index. "Occupations are coded with SOC 2020": the program carries the structure and
// titles of its own, and the office's files, where they are configured, add their titles to them.
//
// Each is a workbook or a CSV of one sheet. Columns are found by their headings,
// so that a new edition is read as long as they keep their names.
package onsoccupations

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"labour/sources"
	"labour/sources/filelist"
)

// Key is the source key of the classification.
const Key = "ons_soc2020"

// What a file holds.
const (
	KindStructure     = "structure"      // codes and names of the groups, from major group to unit group
	KindRelatedTitles = "related_titles" // examples of job titles of each unit group, of volume 1
	KindCodingIndex   = "coding_index"   // the index of volume 2
)

// Config is the block `ons_soc2020` of the configuration.
type Config struct {
	Files []File `yaml:"files"` // the files of the classification
}

// File is one file and how it is read. The office's addresses change with every
// edition, so there is no default.
type File struct {
	// ID names it for ever, over all editions: lower-case letters, digits, hyphens.
	ID string `yaml:"id"`
	// URL is the file: xlsx or CSV, at an http(s) or file address.
	URL string `yaml:"url"`
	// Kind is structure, related_titles or coding_index.
	Kind string `yaml:"kind"`
	// Sheet is the sheet of a workbook; empty takes the first with a header that can be read.
	Sheet string `yaml:"sheet"`
}

// Source is the connector. New makes it.
type Source struct{ cfg Config }

var idPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

// New checks the configuration and returns the connector. All faults of the
// configuration are reported at once.
func New(cfg Config) (*Source, error) {
	cfg.Files = slices.Clone(cfg.Files)
	if err := filelist.Check("files", cfg.Files, func(f File) string { return f.ID }, (*File).check); err != nil {
		return nil, fmt.Errorf("configure %s: %w", Key, err)
	}
	return &Source{cfg}, nil
}

func (f *File) check() error {
	var errs []error
	if !sources.IsAddress(f.URL) {
		errs = append(errs, fmt.Errorf("url %q must be an http(s) or file address", f.URL))
	}
	if !idPattern.MatchString(f.ID) {
		errs = append(errs, fmt.Errorf("id %q must be lower-case letters, digits and hyphens", f.ID))
	}
	if kinds := []string{KindStructure, KindRelatedTitles, KindCodingIndex}; !slices.Contains(kinds, f.Kind) {
		errs = append(errs, fmt.Errorf("kind %q must be one of %s", f.Kind, strings.Join(kinds, ", ")))
	}
	return errors.Join(errs...)
}

// Info describes the source. It holds no figure: its contract kind is statistics,
// as the contract has none for classifications.
func (s *Source) Info() sources.Info {
	return sources.Info{
		Key:       Key,
		Publisher: "Office for National Statistics",
		Title:     "Standard Occupational Classification 2020: structure, job titles and coding index",
		Kind:      sources.KindStatistics,
		Licence:   "Open Government Licence v3.0",
		Link:      "https://www.ons.gov.uk/methodology/classificationsandstandards/standardoccupationalclassificationsoc/soc2020",
		Statement: sources.StatementOGL,
		Cadence:   sources.Annual,
		Terms:     sources.Terms{Fetch: true, Count: true, Republish: true, Summarise: true},
		Reference: true,
	}
}
