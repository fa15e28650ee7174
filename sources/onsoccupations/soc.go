// Package onsoccupations reads what the Office for National Statistics publishes of the Standard
// Occupational Classification 2020: its structure, the job titles related to its unit groups, and
// the coding index. "Occupations are coded with SOC 2020": the program carries the structure and
// titles of its own, and the office's files, where they are configured, add their titles to them.
//
// Each is a workbook or a CSV of one sheet. Columns are found by their headings,
// so that a new edition is read as long as they keep their names.
package onsoccupations

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"labour/sources"
	"labour/sources/filelist"
	"labour/sources/sheets"
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

var idPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

// maxDownload bounds a file as it is sent. The coding index has about 4 MB.
const maxDownload = 64 << 20

// New checks the configuration and returns the connector. All faults of the configuration are
// reported at once. The files are read as sources.OccupationGroup and sources.OccupationTitle, in
// the order of the configuration and of the rows of each file. A file whose columns are not those
// that are expected is refused whole. Rows without a code of 1 to 4 digits are headings, notes and
// entries that the office left uncoded.
func New(cfg Config) (sources.Source, error) {
	files := slices.Clone(cfg.Files)
	if err := filelist.Check("files", files, func(f File) string { return f.ID }, (*File).check); err != nil {
		return nil, fmt.Errorf("configure %s: %w", Key, err)
	}
	return filelist.Files[File]{About: info(), Field: "files", Entries: files, Parse: parse, Request: func(f File) sources.Request {
		return sources.Request{Name: f.ID, URL: f.URL, MaxBytes: maxDownload, Accept: sources.AcceptData}
	}}, nil
}

func (f *File) check() error {
	var errs sources.Needs
	kinds := []string{KindStructure, KindRelatedTitles, KindCodingIndex}
	errs.Need(sources.IsAddress(f.URL), "url %q must be an http(s) or file address", f.URL)
	errs.Need(idPattern.MatchString(f.ID), "id %q must be lower-case letters, digits and hyphens", f.ID)
	errs.Need(slices.Contains(kinds, f.Kind), "kind %q must be one of %s", f.Kind, strings.Join(kinds, ", "))
	return errors.Join(errs...)
}

// info describes the source. It holds no figure: its contract kind is statistics,
// as the contract has none for classifications.
func info() sources.Info {
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

// headerRows is how far down a header is looked for: titles and notes stand above.
const headerRows = 60

// parse reads one file. The error says that nothing of it can be used, and has a sources.FaultCode.
func parse(ctx context.Context, text []byte, file File) (filelist.Parsed, error) {
	list, err := sheets.Read(ctx, text, file.Sheet)
	if err != nil {
		return filelist.Parsed{}, err
	}
	for _, sheet := range list {
		for i := range min(len(sheet.Rows), headerRows) {
			c, ok := columnsOf(sheet.Rows[i], file.Kind)
			if !ok {
				continue
			}
			if records := c.records(sheet.Rows[i+1:], file.Kind); len(records) > 0 {
				return filelist.Parsed{Records: records}, nil
			}
			return filelist.Parsed{}, sources.Coded(sources.FaultEmpty, fmt.Errorf("no group of SOC 2020 stands under the header of %s", file.ID))
		}
	}
	return filelist.Parsed{}, sources.Coded(sources.FaultColumnMissing, fmt.Errorf("no row of the first %d names %s", headerRows, wanted[file.Kind]))
}

var wanted = map[string]string{
	KindStructure:     "a code of SOC 2020 and a group title",
	KindRelatedTitles: "a code of SOC 2020 and related job titles",
	KindCodingIndex:   "SOC_2020 and INDEXOCC",
}

// columns says where everything stands; -1 = absent. The structure has one column
// of codes, or one for each of the four levels of which a row fills one.
type columns struct {
	codes                []int
	name, duty, industry int
	separated, wordOrder bool // titles in one cell; the title is in natural word order
}

// columnsOf reads a header; ok is false when the row is none.
func columnsOf(row []string, kind string) (c columns, ok bool) {
	c = columns{name: -1, duty: -1, industry: -1}
	for i := range row {
		head := squeezed(sheets.Cell(row, i))
		switch {
		case head == "soc2020", head == "code", head == "soc2020code",
			strings.HasPrefix(head, "soc2020") && strings.HasSuffix(head, "group"):
			c.codes = append(c.codes, i)
		case kind == KindCodingIndex:
			c.index(head, i)
		case kind == KindStructure && c.name < 0 && (head == "title" || strings.HasSuffix(head, "grouptitle")):
			c.name = i
		case kind == KindRelatedTitles && head == "relatedjobtitle":
			c.name = i
		case kind == KindRelatedTitles && head == "relatedjobtitles":
			c.name, c.separated = i, true
		}
	}
	return c, len(c.codes) > 0 && c.name >= 0
}

// index takes a column of the coding index, whose title in natural word order is
// preferred to the one that begins with its head noun.
func (c *columns) index(head string, i int) {
	switch {
	case strings.HasPrefix(head, "indexocc") && !c.wordOrder:
		c.name, c.wordOrder = i, strings.Contains(head, "natural")
	case head == "add":
		c.duty = i
	case head == "ind":
		c.industry = i
	}
}

// squeezed is a header in lower case, letters and digits only.
func squeezed(header string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(header))
}

func (c columns) records(rows [][]string, kind string) []sources.Record {
	var list []sources.Record
	for _, row := range rows {
		code, name := c.code(row), sheets.Cell(row, c.name)
		switch {
		case code == "" || name == "":
		case kind == KindStructure:
			list = append(list, sources.OccupationGroup{Source: Key, SOC: code, Name: name})
		case len(code) == 4:
			qualified := sheets.Cell(row, c.duty) != "" || sheets.Cell(row, c.industry) != ""
			for _, title := range c.titles(name) {
				list = append(list, sources.OccupationTitle{Source: Key, SOC: code, Title: title, Qualified: qualified})
			}
		}
	}
	return list
}

// titles are the titles of one cell; the office's workbook separates them by bars.
func (c columns) titles(cell string) []string {
	if !c.separated {
		return []string{cell}
	}
	var list []string
	for title := range strings.SplitSeq(cell, "|") {
		if title = strings.TrimSpace(title); title != "" {
			list = append(list, title)
		}
	}
	return list
}

// code is the code of a row: that of the deepest level that it fills.
func (c columns) code(row []string) string {
	for _, i := range slices.Backward(c.codes) {
		code := sheets.Cell(row, i)
		if code != "" && len(code) <= 4 && strings.Trim(code, "0123456789") == "" {
			return code
		}
	}
	return ""
}
