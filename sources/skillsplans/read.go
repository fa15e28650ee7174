package skillsplans

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

const (
	objectName = "priorities.csv"
	maxFile    = 4 << 20
)

func (s *Source) files() filelist.Files[Plan] {
	key, published := s.Info().Key, s.published()
	return filelist.Files[Plan]{Source: key, Field: "plans", Entries: []Plan{s.plan},
		Request: func(p Plan) sources.Request {
			return sources.Request{Name: objectName, URL: p.File, Accept: sources.AcceptData, MaxBytes: maxFile}
		},
		Parse: func(ctx context.Context, text []byte, p Plan) (filelist.Parsed, error) {
			lines, faults, err := parse(ctx, text)
			parsed := filelist.Parsed{Faults: faults}
			for _, l := range lines {
				parsed.Records = append(parsed.Records, sources.Priority{Source: key, Plan: p.ID, Title: strings.TrimSpace(p.Title),
					RegionCode: p.Region, Kind: l.kind, Code: l.code, Page: l.page, Published: published, Link: p.Link})
			}
			return parsed, err
		}}
}

func (s *Source) published() sources.Date {
	day, _ := sources.ParseDate(s.plan.Published) // checked by New
	return day
}

// Fetch takes the file.
func (s *Source) Fetch(ctx context.Context, f sources.Fetcher) error { return s.files().Fetch(ctx, f) }

// Read turns the file into sources.Priority, in the order of its rows.
func (s *Source) Read(ctx context.Context, x sources.Extract, from sources.Opener, out sources.Sink) error {
	return s.files().Read(ctx, x, from, out)
}

// line is one thing that a plan lists.
type line struct{ kind, code, page string }

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
func parse(ctx context.Context, text []byte) ([]line, []sources.Fault, error) {
	list, err := sheets.Read(ctx, text, "")
	if err != nil {
		return nil, nil, err
	}
	if len(list) == 0 || len(list[0].Rows) == 0 {
		return nil, nil, sources.Coded(sources.FaultEmpty, errors.New("the file is empty"))
	}
	rows, at, err := sheets.Header(list[0].Rows, columnNames()...)
	if err != nil {
		return nil, nil, err
	}
	for name := range at {
		if !slices.Contains(columnNames(), name) {
			return nil, nil, sources.Coded(sources.FaultColumnUnknown, fmt.Errorf("column %.40q: the columns are %s", name, strings.Join(columnNames(), ", ")))
		}
	}
	var lines []line
	var faults []sources.Fault
	for i, row := range rows {
		if strings.Join(row, "") == "" {
			continue
		}
		l := line{sheets.Cell(row, at["kind"]), sheets.Cell(row, at["code"]), strings.ToLower(sheets.Cell(row, at["page"]))}
		if code, detail := l.fault(lines); detail != "" {
			faults = append(faults, sources.Fault{Where: fmt.Sprintf("row %d", i+2), Code: code, Detail: detail})
			continue
		}
		lines = append(lines, l)
	}
	return lines, faults, nil
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
