// Package onsoccupations reads the Standard Occupational Classification 2020 (SOC 2020) of the
// Office for National Statistics: its structure, the job titles of the unit groups, and the coding
// index. The program has a built-in copy; configured files add titles to it. Each file is a
// workbook or a CSV file. The package finds columns by their headings, so that it can read a new
// edition with the same headings.
package onsoccupations

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"

	"labour/sources"
	"labour/sources/filelist"
	"labour/sources/sheets"
)

// Key is the `source_key` of the Standard Occupational Classification 2020 (SOC 2020).
const Key = "ons_soc2020"

// Values of FileConfig.Kind: what a file of SOC 2020 contains.
const (
	// KindStructure is a file with the codes and names of the groups, from major group to unit group.
	KindStructure = "structure"
	// KindRelatedTitles is a file with examples of job titles for each unit group, from volume 1.
	KindRelatedTitles = "related_titles"
	// KindCodingIndex is the coding index of volume 2: job titles with their unit groups.
	KindCodingIndex = "coding_index"
)

// Config is the block `ons_soc2020` of the configuration file.
type Config struct {
	Files []FileConfig `yaml:"files"` // files of the classification to read
}

// FileConfig configures one file of SOC 2020. It has no default, because the file's address changes
// with every edition.
type FileConfig struct {
	ID   string `yaml:"id"`   // permanent name of the file: lower-case letters, digits and hyphens
	URL  string `yaml:"url"`  // http(s) or file:// address of an xlsx or CSV file
	Kind string `yaml:"kind"` // content of the file: structure, related_titles or coding_index
	// name of a workbook's sheet; empty = the first one with a readable header
	Sheet string `yaml:"sheet"`
}

// New checks the configuration and returns the source. The error lists all mistakes.
//
// The source emits a sources.OccupationGroup or sources.OccupationTitle for each row with a SOC
// 2020 code. Rows without a code are skipped. A file with unexpected columns is rejected.
func New(cfg Config) (sources.Source, error) {
	return filelist.Files[FileConfig]{SourceInfo: info, ConfigField: "files", Entries: cfg.Files, ParseFile: parse,
		RequestOf: func(f FileConfig) sources.Request {
			return sources.Request{Name: f.ID, URL: f.URL, Accept: sources.AcceptNotHTML}
		}}.NewSource((*FileConfig).check)
}

func (f *FileConfig) check() error {
	if titleHeads[f.Kind] == nil {
		return fmt.Errorf("kind %q must be %s, %s or %s", f.Kind, KindStructure, KindRelatedTitles, KindCodingIndex)
	}
	return nil
}

// info describes the source. Its Kind is "statistics", because there is no kind for
// classifications.
var info = sources.Info{
	Key:       Key,
	Publisher: "Office for National Statistics",
	Title:     "Standard Occupational Classification 2020: structure, job titles and coding index",
	Kind:      sources.KindStatistics,
	Licence:   "Open Government Licence v3.0",
	Link: "https://www.ons.gov.uk/methodology/classificationsandstandards/" +
		"standardoccupationalclassificationsoc/soc2020",
	Statement:   sources.StatementOGL,
	Cadence:     sources.Annual,
	Terms:       sources.Terms{MayFetch: true, MayCount: true, MayRepublish: true, MaySummarise: true},
	IsReference: true,
}

// codeColumns are the columns that may contain a SOC 2020 code, separated by |. The most detailed
// level comes first. A file has either one code column or one column per level.
const codeColumns = "soc2020unitgroup|soc2020minorgroup|soc2020submajorgroup|soc2020majorgroup|soc2020code|soc2020|code"

const (
	// title is the key of the column with job titles, also used in error messages.
	title = "a title"
	// naturalTitle is the key of the column with job titles in natural word order, such as "school
	// teacher". It is preferred to a column with titles such as "teacher, school".
	naturalTitle = "a title in natural word order"
)

// titleHeads maps each type of file to a pattern for the headings of its title columns. The
// patterns match headings in lower case without anything but letters and digits.
var titleHeads = map[string]*regexp.Regexp{
	KindStructure:     regexp.MustCompile(`^title$|grouptitle$`),
	KindRelatedTitles: regexp.MustCompile(`^relatedjobtitles?$`),
	KindCodingIndex:   regexp.MustCompile(`^indexocc`),
}

// columnOf returns a function that maps a heading to a column name, for one type of file.
func columnOf(kind string) func(heading string) string {
	return func(heading string) string {
		switch head := squeeze(heading); {
		case !titleHeads[kind].MatchString(head):
			return head
		case strings.Contains(head, "natural"):
			return naturalTitle
		}
		return title
	}
}

// squeeze returns a heading in lower case without anything but letters and digits. For example,
// "SOC 2020 Unit Group" becomes "soc2020unitgroup".
func squeeze(heading string) string {
	return strings.Map(func(r rune) rune {
		isLetter, isDigit := 'a' <= r && r <= 'z', '0' <= r && r <= '9'
		if isLetter || isDigit {
			return r
		}
		return -1
	}, strings.ToLower(heading))
}

// parse reads one file of SOC 2020. An error has a sources.FaultCode and means that the whole file
// is unusable.
func parse(ctx context.Context, text []byte, file FileConfig) (parsed filelist.ParsedFile, err error) {
	list, err := sheets.ReadSheets(ctx, text, file.Sheet)
	if err != nil {
		return parsed, err
	}
	for _, sheet := range list {
		var table sheets.Table
		if table, err = sheets.FindTable(sheet, columnOf(file.Kind), codeColumns, title+"|"+naturalTitle); err == nil {
			parsed = records(table, file.Kind)
			if len(parsed.Records) == 0 {
				err = sources.CodedErrorf(sources.FaultSuddenlyEmpty, "no group of SOC 2020 is below the header of %s", file.ID)
			}
			break
		}
	}
	return parsed, err
}

// records converts the rows of a SOC 2020 file to records. kind is the type of the file, such as
// KindStructure. records skips rows without a code, which are headings, notes and uncoded titles. It
// adds a fault for each invalid code.
func records(t sheets.Table, kind string) (parsed filelist.ParsedFile) {
	parsed.Faults = t.Faults
	for i, row := range t.Rows {
		code, unreadable := codeOf(t, row)
		name := cmp.Or(t.Cell(row, naturalTitle), t.Cell(row, title))
		switch {
		case name == "":
		case unreadable != "":
			parsed.AddFault(t.RowPosition(i), sources.FaultBadValue, "%s: %.40q is no code of SOC 2020", t.RowPosition(i),
				unreadable)
		case code == "":
		case kind == KindStructure:
			parsed.Records = append(parsed.Records, sources.OccupationGroup{Source: Key, SOC: code, Name: name})
		case len(code) == 4:
			qualified := kind == KindCodingIndex && t.Cell(row, "add")+t.Cell(row, "ind") != ""
			for each := range strings.SplitSeq(name, "|") { // the office's workbook has several related titles in one cell
				if each = strings.TrimSpace(each); each != "" {
					parsed.Records = append(parsed.Records, sources.OccupationTitle{Source: Key, SOC: code, Title: each,
						Qualified: qualified})
				}
			}
		}
	}
	return parsed
}

// uncodedCell matches a code cell that marks a job title as uncoded, such as "n/a" or "-".
var uncodedCell = regexp.MustCompile(`^[}{.*-]+$|^(?i:n/?a|u/?c|unc?oded)$`)

// codeOf returns the most detailed SOC 2020 code in a row, or "". If the row has no valid code but
// an invalid one, unreadable is the invalid code.
func codeOf(t sheets.Table, row []string) (code, unreadable string) {
	for column := range strings.SplitSeq(codeColumns, "|") {
		cell := t.Code(row, column)
		switch {
		case cell == "" || uncodedCell.MatchString(cell):
		case len(cell) <= 4 && strings.Trim(cell, "0123456789") == "":
			return cell, ""
		default:
			unreadable = cmp.Or(unreadable, cell)
		}
	}
	return "", unreadable
}
