// Package onsoccupations reads the Standard Occupational Classification 2020 (SOC 2020) of the
// Office for National Statistics: its structure, the job titles of the unit groups, and the coding
// index. The program has a built-in copy; configured files add titles to it. Each file is a
// workbook or a CSV file. Columns are found by their headings, so that a new edition with the same
// headings can be read.
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

// Key is the source key of the occupational classification, as in every figure's `source_key`.
const Key = "ons_soc2020"

// Kinds of files that the office publishes about the classification.
const (
	KindStructure = "structure" // codes and names of the groups, from major group to unit group
	// examples of job titles for each unit group, from volume 1
	KindRelatedTitles = "related_titles"
	// coding index of volume 2: job titles with their unit groups
	KindCodingIndex = "coding_index"
)

// Config is the block `ons_soc2020` of the configuration file.
type Config struct {
	Files []FileConfig `yaml:"files"` // files of the classification to read
}

// FileConfig configures one file of the classification. Addresses change with every edition, so
// there is no default.
type FileConfig struct {
	ID   string `yaml:"id"`   // permanent name of the file: lower-case letters, digits and hyphens
	URL  string `yaml:"url"`  // http(s) or file:// address of an xlsx or CSV file
	Kind string `yaml:"kind"` // content of the file: structure, related_titles or coding_index
	// name of a workbook's sheet; empty = the first one with a readable header
	Sheet string `yaml:"sheet"`
}

// New validates the configuration and returns the source. The error lists all mistakes in the
// configuration. Rows are read as sources.OccupationGroup and sources.OccupationTitle. A file with
// unexpected columns is rejected. Rows without a code of 1 to 4 digits are skipped.
func New(cfg Config) (sources.Source, error) {
	return filelist.Files[FileConfig]{SourceInfo: info, ConfigField: "files", Entries: cfg.Files, ParseFile: parse,
		RequestOf: func(f FileConfig) sources.Request {
			return sources.Request{Name: f.ID, URL: f.URL, Accept: sources.AcceptData}
		}}.NewSource((*FileConfig).check)
}

func (f *FileConfig) check() error {
	if titleHeads[f.Kind] == nil {
		return fmt.Errorf("kind %q must be %s, %s or %s", f.Kind, KindStructure, KindRelatedTitles, KindCodingIndex)
	}
	return nil
}

// info describes the source. Its kind is "statistics" because there is no kind for classifications.
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

// codeColumns are the columns that may have a code, the most detailed level first. The structure
// file has either one code column or one for each of the four levels. Each row has a code in one of
// them.
const codeColumns = "soc2020unitgroup|soc2020minorgroup|soc2020submajorgroup|soc2020majorgroup|soc2020code|soc2020|code"

// Columns of job titles. A title in natural word order is preferred to one that begins with its
// main noun.
const (
	title        = "a title"
	naturalTitle = "a title in natural word order"
)

// titleHeads has, for each kind of file, a pattern for the headings of title columns. The pattern
// matches headings in the form that squeeze returns.
var titleHeads = map[string]*regexp.Regexp{
	KindStructure:     regexp.MustCompile(`^title$|grouptitle$`),
	KindRelatedTitles: regexp.MustCompile(`^relatedjobtitles?$`),
	KindCodingIndex:   regexp.MustCompile(`^indexocc`),
}

// columnOf returns a function that maps a heading to the name of its column, for one kind of file.
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

// squeeze returns a heading in lower case, with only its letters and digits.
func squeeze(heading string) string {
	return strings.Map(func(r rune) rune {
		isLetter, isDigit := 'a' <= r && r <= 'z', '0' <= r && r <= '9'
		if isLetter || isDigit {
			return r
		}
		return -1
	}, strings.ToLower(heading))
}

// parse reads one file of the classification. An error means that the whole file is unusable, and
// has a sources.FaultCode.
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

// records converts the rows of a file to records. It skips rows without a code, which are headings
// and notes, and rows that the office left uncoded.
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

// uncodedCell matches the text in the code cell of an index entry that has no code.
var uncodedCell = regexp.MustCompile(`^[}{.*-]+$|^(?i:n/?a|u/?c|unc?oded)$`)

// codeOf returns the most detailed SOC 2020 code in a row. If the row has no code, unreadable is
// the text of the first cell in a code column that is neither empty nor a mark for "uncoded".
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
