package skillsplans

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"labour/sources"
	"labour/sources/sheets"
)

const (
	objectName = "priorities.csv"
	maxFile    = 4 << 20
	// maxFaults bounds the faults that are reported of one plan.
	maxFaults = 20
)

// Fetch takes the file. One that cannot be read, or that lists nothing, is not taken
// over.
func (s *Source) Fetch(ctx context.Context, f sources.Fetcher) error {
	r := sources.Request{Name: objectName, URL: s.plan.File, Accept: sources.AcceptData, MaxBytes: maxFile}
	err := sources.FetchWhole(ctx, f, r, func(text []byte) error {
		_, _, err := parse(text)
		return err
	})
	if err != nil {
		f.Failed(objectName, err)
		return fmt.Errorf("plan %s: %w", s.plan.ID, err)
	}
	return nil
}

// open reads an archived file to its end, where the archive checks it.
func open(from sources.Opener, o sources.Object) ([]line, []rowFault, error) {
	text, err := sources.ReadWhole(from, o)
	if err != nil {
		return nil, nil, err
	}
	return parse(text)
}

// line is one thing that a plan lists.
type line struct{ kind, code, page string }

// rowFault is one row that cannot be used.
type rowFault struct {
	row    int
	code   sources.FaultCode
	detail string
}

// The columns of the file, in any order.
func columnNames() []string { return []string{"kind", "code", "page"} }

var (
	codePatterns = map[string]*regexp.Regexp{
		sources.PriorityOccupation: regexp.MustCompile(`^[1-9][0-9]{0,3}$`),
		sources.PrioritySector:     regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`),
		sources.PrioritySkill:      regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`),
	}
	pagePattern = regexp.MustCompile(`^([0-9]{1,4}|[ivxlc]{1,8})?$`)
)

// parse reads the file. The error says that nothing of it can be used, and has a
// sources.FaultCode.
func parse(text []byte) ([]line, []rowFault, error) {
	list, err := sheets.Read(text, "")
	if err != nil {
		return nil, nil, err
	}
	if len(list) == 0 || len(list[0].Rows) == 0 {
		return nil, nil, sources.Coded(sources.FaultEmpty, errors.New("the file is empty"))
	}
	rows := list[0].Rows
	at, err := columns(rows[0])
	if err != nil {
		return nil, nil, err
	}
	var lines []line
	var faults []rowFault
	for i, row := range rows[1:] {
		if strings.Join(row, "") == "" {
			continue
		}
		l := line{sheets.Cell(row, at["kind"]), sheets.Cell(row, at["code"]), strings.ToLower(sheets.Cell(row, at["page"]))}
		if code, detail := l.fault(lines); detail != "" {
			faults = append(faults, rowFault{i + 2, code, detail})
			continue
		}
		lines = append(lines, l)
	}
	if len(lines) == 0 {
		return nil, nil, sources.Coded(sources.FaultEmpty, errors.New("the file lists nothing that can be used"))
	}
	return lines, faults, nil
}

// columns finds the columns, and refuses a header with another or without one.
func columns(header []string) (map[string]int, error) {
	at := map[string]int{}
	for i := range header {
		name := strings.ToLower(sheets.Cell(header, i))
		_, twice := at[name]
		if name == "" {
			continue
		}
		if !slices.Contains(columnNames(), name) || twice {
			return nil, sources.Coded(sources.FaultColumnUnknown, fmt.Errorf("column %.40q: the columns are %s, each once", name, strings.Join(columnNames(), ", ")))
		}
		at[name] = i
	}
	for _, name := range columnNames() {
		if _, there := at[name]; !there {
			return nil, sources.Coded(sources.FaultColumnMissing, fmt.Errorf("there is no column %s in the first row", name))
		}
	}
	return at, nil
}

// fault says what is wrong with a line after those before it; the detail is empty
// when nothing is.
func (l line) fault(before []line) (sources.FaultCode, string) {
	pattern, known := codePatterns[l.kind]
	switch {
	case !known:
		return sources.FaultValue, fmt.Sprintf("kind %.40q must be occupation, sector or skill", l.kind)
	case !pattern.MatchString(l.code):
		return sources.FaultValue, fmt.Sprintf("%.80q is not the code of a %s", l.code, l.kind)
	case !pagePattern.MatchString(l.page):
		return sources.FaultValue, fmt.Sprintf("page %.40q must be a number, Arabic or Roman, or empty", l.page)
	case slices.ContainsFunc(before, func(b line) bool { return b.kind == l.kind && b.code == l.code }):
		return sources.FaultSchema, fmt.Sprintf("%s %s is there twice; the first is used", l.kind, l.code)
	}
	return "", ""
}

// Read turns the file into sources.Priority, in the order of its rows.
func (s *Source) Read(ctx context.Context, x sources.Extract, from sources.Opener, out sources.Sink) error {
	published, _ := sources.ParseDate(s.plan.Published) // checked by New
	key := s.Info().Key
	for _, o := range x.Objects {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read plan: %w", err)
		}
		lines, faults, err := open(from, o)
		var coded *sources.CodedError
		if sources.CodeOf(err) == sources.FaultUnavailable && !errors.As(err, &coded) {
			return err // of the machine, not of the data
		}
		if err != nil {
			out.Fault(sources.Fault{Source: key, Object: o.Name, Code: sources.CodeOf(err), Detail: err.Error()})
			continue
		}
		for _, f := range faults[:min(len(faults), maxFaults)] {
			out.Fault(sources.Fault{Source: key, Object: o.Name, Where: fmt.Sprintf("row %d", f.row), Code: f.code, Detail: f.detail})
		}
		for _, l := range lines {
			err := out.Emit(sources.Priority{Source: key, Plan: s.plan.ID, Title: strings.TrimSpace(s.plan.Title), RegionCode: s.plan.Region,
				Kind: l.kind, Code: l.code, Page: l.page, Published: published, Link: s.plan.Link})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
