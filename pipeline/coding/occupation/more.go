package occupation

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Added tells what became of the rows of a file of further titles.
type Added struct {
	Titles    int // titles that are new
	Known     int // rows whose title is known already: the embedded code stays
	Qualified int // rows left out because they hold for one industry or duty only
	Ambiguous int // titles left out because the file gives them several codes
	Uncoded   int // rows left out because they have no words or no unit group
}

// WithTitles gives a register that also knows the titles of a CSV file in the
// form the Office for National Statistics publishes them: the coding index
// (columns SOC_2020, INDEXOCC or INDEXOCC in natural word order, and the
// qualifiers ADD and IND) or a list of related titles (soc2020,
// related_job_title). The embedded titles win, since they are worded like
// adverts. A title of one word is taken as a whole title only: the index has
// "Engineer", which says nothing about other engineers. An error means that
// the file cannot be read as such a table; r itself is never changed.
func (r *Register) WithTitles(rd io.Reader) (*Register, Added, error) {
	table := csv.NewReader(rd)
	table.FieldsPerRecord = -1
	header, err := table.Read()
	if err != nil {
		return nil, Added{}, fmt.Errorf("read the header of the titles file: %w", err)
	}
	cols, err := titleColumns(header)
	if err != nil {
		return nil, Added{}, err
	}
	file := titlesFile{register: r, codes: map[string]string{}}
	for {
		row, err := table.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, Added{}, fmt.Errorf("read the titles file: %w", err)
		}
		file.take(cols, row)
	}
	phrases := append(slices.Clone(r.index.phrases), file.phrases()...)
	grown := &Register{groups: r.groups, names: r.names, index: newIndex(phrases)}
	return grown, file.added, nil
}

// columns are places in a row; -1 where the file has no such column.
type columns struct{ code, title, duty, industry int }

func titleColumns(header []string) (columns, error) {
	c := columns{-1, -1, -1, -1}
	for i, name := range header {
		switch name = columnName(name); {
		case name == "soc2020":
			c.code = i
		case strings.HasPrefix(name, "indexocc") && (c.title < 0 || strings.Contains(name, "natural")):
			c.title = i
		case name == "relatedjobtitle":
			c.title = i
		case name == "add":
			c.duty = i
		case name == "ind":
			c.industry = i
		}
	}
	if c.code < 0 || c.title < 0 {
		return c, fmt.Errorf("the titles file has no columns SOC_2020 and INDEXOCC (or related_job_title) in %q", header)
	}
	return c, nil
}

func columnName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		}
		return -1
	}, name)
}

// titlesFile gathers the usable rows of one file.
type titlesFile struct {
	register *Register
	added    Added
	order    []string
	codes    map[string]string // folded title -> unit group, "" if several
}

func (f *titlesFile) take(cols columns, row []string) {
	cell := func(i int) string {
		if i < 0 || i >= len(row) {
			return ""
		}
		return strings.TrimSpace(row[i])
	}
	code, words := cell(cols.code), foldWords(cell(cols.title))
	if len(words) == 0 || len(code) != 4 || !f.register.Valid(code) {
		f.added.Uncoded++
		return
	}
	if cell(cols.duty) != "" || cell(cols.industry) != "" {
		f.added.Qualified++
		return
	}
	if _, ok := f.register.index.find(words); ok {
		f.added.Known++
		return
	}
	key := strings.Join(words, " ")
	other, seen := f.codes[key]
	switch {
	case !seen:
		f.order = append(f.order, key)
		f.codes[key] = code
	case other != "" && other != code:
		f.codes[key] = ""
		f.added.Ambiguous++
	}
}

func (f *titlesFile) phrases() []phrase {
	var out []phrase
	for _, key := range f.order {
		if code := f.codes[key]; code != "" {
			words := strings.Split(key, " ")
			out = append(out, phrase{words: words, soc: code, whole: len(words) == 1})
		}
	}
	f.added.Titles = len(out)
	return out
}
