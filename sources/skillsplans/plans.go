// Package skillsplans reads which skills, occupations and sectors are in demand according to local
// plans, such as local skills improvement plans.
//
// A plan is a text document. The operator reads it and records what is in demand in a CSV file. The
// file has the columns kind, code and page, and none of the plan's words:
//
//	kind,code,page
//	occupation,2231,14
//	sector,digital,9
//	skill,project-management,
//
// Each plan is a separate source with its own licence and terms. The configuration states whether
// the publisher permits a summary; the default is no. Without permission, a plan is read but not
// published.
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
	"labour/sources/soc2020"
)

// KeyPrefix begins the source key of every local plan. The plan's id follows it, as in "plan_kent".
const KeyPrefix = "plan_"

// Config is the block `local_skills_plans` of the configuration file.
type Config struct {
	Plans []Plan `yaml:"plans"` // local plans to read
}

// Plan configures one local plan. Its CSV file lists what the plan names as in demand.
type Plan struct {
	// ID names the plan permanently, over all editions, in lower-case letters, digits and
	// underscores. The source key of the plan is plan_ and this id.
	ID string `yaml:"id"`
	// CSVFile is the CSV file: a path relative to the configuration file, or a file:// or http(s)://
	// address.
	CSVFile   string `yaml:"file"`
	Title     string `yaml:"title"`     // title of the plan's document
	Publisher string `yaml:"publisher"` // name of the plan's publisher
	// national statistics code of the plan's area, such as E69000039
	RegionCode string `yaml:"region"`
	Published  string `yaml:"published"`             // day of the plan's publication, YYYY-MM-DD
	Licence    string `yaml:"licence"`               // name of the licence or of the terms
	Statement  string `yaml:"attribution_statement"` // attribution statement to show with the data
	Link       string `yaml:"link"`                  // web page about the plan, for people
	// MaySummarise is true if the publisher has agreed to a summary in our own words with a
	// citation.
	MaySummarise bool `yaml:"may_summarise"`
}

// New checks the configuration and returns one source for each plan. The error lists all mistakes.
// Each source emits a sources.PlanPriority for every valid row of the plan's CSV file.
func New(cfg Config) ([]sources.Source, error) {
	if err := filelist.CheckEntries("plans", cfg.Plans, func(p Plan) string { return p.ID }, (*Plan).check); err != nil {
		return nil, fmt.Errorf("configure local_skills_plans: %w", err)
	}
	list := make([]sources.Source, len(cfg.Plans))
	for i, p := range cfg.Plans {
		list[i] = p.source()
	}
	return list, nil
}

// check returns an error that lists all mistakes in a plan's configuration, or nil.
func (p *Plan) check() error {
	var errs sources.ConfigErrors
	errs.Require(sources.IsWebOrFileAddress(p.CSVFile), "file %q must be a path or an http(s) or file address", p.CSVFile)
	errs = append(errs, sources.CheckConfigID(p.ID))
	errs.Require(strings.TrimSpace(p.Title) != "", "title is missing: what is the plan called?")
	errs.Require(sources.IsAreaCode(p.RegionCode), "region %q must be a national statistics code", p.RegionCode)
	day, err := sources.ParseDate(p.Published)
	errs.Require(err == nil && !day.IsZero(), "published %q must be the day of publication, YYYY-MM-DD", p.Published)
	errs = append(errs, p.info().Validate())
	return errors.Join(errs...)
}

// info describes the plan as a source: its key, publisher, licence and terms.
func (p *Plan) info() sources.Info {
	return sources.Info{
		Key: KeyPrefix + p.ID, Publisher: strings.TrimSpace(p.Publisher), Title: strings.TrimSpace(p.Title),
		Kind:    sources.KindPlans,
		Licence: p.Licence, Link: p.Link, Statement: sources.AttributionStatement(p.Statement), Cadence: sources.Annual,
		Terms: sources.Terms{MayFetch: true, MaySummarise: p.MaySummarise},
	}
}

const (
	objectName = "priorities.csv"
	maxFile    = 4 << 20
)

func (p *Plan) source() sources.Source {
	return filelist.Files[Plan]{SourceInfo: p.info(), ConfigField: "plans", Entries: []Plan{*p}, ParseFile: parse,
		RequestOf: func(p Plan) sources.Request {
			return sources.Request{Name: objectName, URL: p.CSVFile, Accept: sources.AcceptNotHTML, MaxBytes: maxFile}
		}}
}

// columnNames are the columns of a plan's CSV file. The file may have them in any order.
var columnNames = []string{"kind", "code", "page"}

var (
	isCode = map[string]func(string) bool{
		sources.PriorityOccupation: soc2020.IsGroup,
		sources.PrioritySector:     sources.IsSlug,
		sources.PrioritySkill:      sources.IsSlug,
	}
	pagePattern = regexp.MustCompile(`^([0-9]{1,4}|[ivxlc]{1,8})?$`)
)

// parse reads the CSV file of a plan. An error has a sources.FaultCode and means that the whole
// file is unusable.
func parse(ctx context.Context, text []byte, p Plan) (parsed filelist.ParsedFile, err error) {
	list, err := sheets.ReadSheets(ctx, text, "")
	if err != nil {
		return parsed, err
	}
	if len(list[0].Rows) == 0 {
		return parsed, sources.CodedErrorf(sources.FaultSuddenlyEmpty, "the file is empty")
	}
	table, err := sheets.FindTableByHeader(list[0], columnNames...)
	if err != nil {
		return parsed, err
	}
	for name := range table.Columns {
		if !slices.Contains(columnNames, name) {
			return parsed, sources.CodedErrorf(sources.FaultColumnUnknown, "column %.40q: the columns are %s", name,
				strings.Join(columnNames, ", "))
		}
	}
	parsed.Faults = table.Faults
	for i, row := range table.Rows {
		if strings.Join(row, "") != "" {
			kind := table.Cell(row, "kind")
			code := table.Code(row, "code")
			page := strings.ToLower(table.Cell(row, "page"))
			p.add(&parsed, table.RowPosition(i), kind, code, page)
		}
	}
	return parsed, nil
}

// add adds one row of a plan's CSV file to parsed. It adds a fault if the row is invalid or repeats
// an earlier row. where is the position of the row. kind, code and page are the row's cells.
func (p Plan) add(parsed *filelist.ParsedFile, where, kind, code, page string) {
	isCode, known := isCode[kind]
	published, _ := sources.ParseDate(p.Published) // checked by New
	record := sources.PlanPriority{Source: KeyPrefix + p.ID, Plan: p.ID, Title: strings.TrimSpace(p.Title),
		RegionCode: p.RegionCode, Kind: kind, Code: code, Page: page, Published: published, Link: p.Link}
	same := func(r sources.Record) bool {
		before := r.(sources.PlanPriority)
		return before.Kind == kind && before.Code == code
	}
	switch {
	case !known:
		parsed.AddFault(where, sources.FaultBadValue, "kind %.40q must be occupation, sector or skill", kind)
	case !isCode(code):
		parsed.AddFault(where, sources.FaultBadValue, "%.80q is not the code of a %s", code, kind)
	case !pagePattern.MatchString(page):
		parsed.AddFault(where, sources.FaultBadValue, "page %.40q must be a number, Arabic or Roman, or empty", page)
	case slices.ContainsFunc(parsed.Records, same):
		parsed.AddFault(where, sources.FaultSchema, "%s %s is there twice; the first is used", kind, code)
	default:
		parsed.Records = append(parsed.Records, record)
	}
}
