package onsoccupations

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"labour/sources"
	"labour/sources/filelist"
	"labour/sources/sheets"
)

// Read turns the files into sources.OccupationGroup and sources.OccupationTitle,
// in the order of the configuration and of the rows of each file. A file whose
// columns are not those that are expected is refused whole. Rows without a code
// of 1 to 4 digits are headings, notes and entries that the office left uncoded.
func (s *Source) Read(ctx context.Context, x sources.Extract, open sources.Opener, out sources.Sink) error {
	return s.files().Read(ctx, x, open, out)
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

// maxDownload bounds a file as it is sent. The coding index has about 4 MB.
const maxDownload = 64 << 20

func (s *Source) files() filelist.Files[File] {
	return filelist.Files[File]{Source: Key, Field: "files", Entries: s.cfg.Files, Parse: parse, Request: func(f File) sources.Request {
		return sources.Request{Name: f.ID, URL: f.URL, MaxBytes: maxDownload, Accept: sources.AcceptData}
	}}
}

// Fetch downloads every file.
func (s *Source) Fetch(ctx context.Context, f sources.Fetcher) error { return s.files().Fetch(ctx, f) }
