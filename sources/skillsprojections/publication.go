// Package skillsprojections reads publications of England's national skills bodies about which
// occupations need more people. It reads occupational projections, the list of priority occupations
// and the occupations in demand. Each publication is a workbook or a CSV file.
//
// # What counts as a gap
//
// A projection states the employment of an occupation in a base year (B) and its net change until a
// later year (N). It also states the replacement demand (R), the people who leave and have to be
// replaced. The total requirement is T = N + R. Let t and b be T and B of all occupations together.
// T/B measures how hard it is to find the people needed.
//
//   - gap: N > 0 and T/B > t/b. The occupation grows, and relative to its size it needs more people
//     than all occupations together.
//   - no_gap: N < 0 and T/B < t/b. The occupation shrinks, and relative to its size it needs fewer.
//   - none: everything else. Growth and replacement point in different directions.
//
// The publisher says: "As a general rule of thumb, it is advisable to only publish statistics or
// analyses which are based on counts of at least 10,000 individuals". Occupations with fewer people
// in either year are therefore left out. A total requirement below 10,000 is compared but not
// published.
//
// An occupation on the list of priority occupations is a gap. If the list gives employment for two
// years and its unit is configured, it is published as a projection, and otherwise as a report. If
// all its figures are for fewer than 10,000 people, the unit may be wrong, and the file is not used.
//
// For the occupations in demand, `critical` and `elevated` demand are a gap and `not in demand` is
// no gap. The publisher's missing values (z, x, c) are none. Only the newest period counts. A file
// whose newest period has fewer than half of the rows of the period before is not used.
//
// Projections are made for occupation groups with codes of two digits, the other publications for
// unit groups of four. Codes are never shortened or split to make sources agree. A code that is not
// in the official list of groups is a fault of its row.
//
// # Reuse
//
// A publication is open only if the configuration marks it so. Evidence from any other publication
// is marked Embargoed and is in no public table. This applies, for example, to the workbooks of the
// Skills Imperative 2035. Their copyright belongs to Warwick Institute for Employment Research and
// Cambridge Econometrics.
package skillsprojections

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"labour/sources"
	"labour/sources/filelist"
	"labour/sources/sheets"
)

// Source keys of the publications, one per publisher. Each has its own block in the configuration.
const (
	KeySkillsEngland        = "skills_england"
	KeyOccupationsInDemand  = "dfe_occupations_in_demand"
	KeySkillsImperative2035 = "skills_imperative_2035"
)

// Values of Publication.Kind: projections of employment, an assessment of priority occupations, or a
// list of occupations in demand.
const (
	KindProjections         = "projections"
	KindPriorityOccupations = "priority_occupations"
	KindOccupationsInDemand = "occupations_in_demand"
)

// Values of Publication.Reuse: whether the publisher's terms permit reuse.
const (
	// ReuseOpen is for a publication under the Open Government Licence v3.0.
	ReuseOpen = "open"
	// ReuseUnconfirmed is for a publication that is not known to be open. Its evidence is embargoed.
	ReuseUnconfirmed = "unconfirmed"
)

// UnitedKingdomCode is the national statistics code of the United Kingdom.
const UnitedKingdomCode = "K02000001"

// Config lists the publications of one publisher. It is the block `skills_england`,
// `dfe_occupations_in_demand` or `skills_imperative_2035` of the configuration file.
type Config struct {
	Publications []Publication `yaml:"publications"` // published files to read
}

// Publication configures one published file. It has no default address, because addresses change
// with every edition.
type Publication struct {
	// permanent name of the publication: lower-case letters, digits and hyphens
	ID  string `yaml:"id"`
	URL string `yaml:"url"` // address of an xlsx, xlsm or CSV file
	// kind of publication: projections, priority_occupations or occupations_in_demand
	Kind  string `yaml:"kind"`
	Title string `yaml:"title"` // title of the publication; empty = the usual title of its kind
	// publisher's name of the edition, such as "2023" or "August 2025"
	Edition string `yaml:"edition"`
	// day of publication, YYYY-MM-DD, which the files do not state
	Published string `yaml:"published"`
	// Region is the national statistics code of the area that the figures are about, such as
	// K02000001 for the United Kingdom or E92000001 for England. Figures of England and of the
	// United Kingdom are never combined.
	Region string `yaml:"region"`
	Reuse  string `yaml:"reuse"` // open or unconfirmed; empty = unconfirmed
	// web page about the publication, for people; empty = that of the source
	Link string `yaml:"link"`
	// Sheet is the name of a workbook's sheet; empty = "Occ T2" for projections, and for other
	// kinds the first sheet with a readable header.
	Sheet string `yaml:"sheet"`
	// CategoryColumn is the name of the column with the category of demand; empty = found by its usual
	// name.
	CategoryColumn string `yaml:"column"`
	// EmploymentUnit is the unit of employment in a list of priority occupations: people or
	// thousands. If it is empty, no figures of the list are used. If all figures are for fewer than
	// 10,000 people, the unit may be wrong, and the file is not used.
	EmploymentUnit string `yaml:"unit"`
}

var titles = map[string]string{
	KindProjections:         "Labour market and skills projections",
	KindPriorityOccupations: "Assessment of priority skills",
	KindOccupationsInDemand: "Occupations in demand",
}

// New checks the configuration and returns the source with the given key. The error lists all
// mistakes.
//
// The source emits a sources.Evidence for each occupation. An unreadable occupation is a fault. A
// file without a required column is rejected.
func New(key string, cfg Config) (sources.Source, error) {
	if _, known := bodies[key]; !known {
		return nil, fmt.Errorf("configure %s: no body publishes under this key", key)
	}
	return filelist.Files[Publication]{SourceInfo: infoOf(key, cfg.Publications), ConfigField: "publications",
		Entries: cfg.Publications,
		RequestOf: func(p Publication) sources.Request {
			return sources.Request{Name: p.ID, URL: p.URL, Accept: sources.AcceptNotHTML}
		},
		ParseFile: func(ctx context.Context, text []byte, p Publication) (filelist.ParsedFile, error) {
			rows, faults, err := parse(ctx, text, p)
			parsed := filelist.ParsedFile{Faults: faults}
			for _, r := range rows {
				if e, ok := r.evidence(p.evidence(key), p); ok {
					parsed.Records = append(parsed.Records, e)
				}
			}
			return parsed, err
		},
	}.NewSource((*Publication).complete)
}

// complete sets the defaults of a publication's configuration and then checks it.
func (p *Publication) complete() error {
	p.Reuse = cmp.Or(p.Reuse, ReuseUnconfirmed)
	p.Title = cmp.Or(p.Title, titles[p.Kind])
	if p.Sheet == "" && p.Kind == KindProjections {
		p.Sheet = "Occ T2"
	}
	var errs sources.ConfigErrors
	errs.Require(titles[p.Kind] != "", "kind %q must be %s, %s or %s", p.Kind, KindProjections, KindPriorityOccupations,
		KindOccupationsInDemand)
	errs.Require(p.Reuse == ReuseOpen || p.Reuse == ReuseUnconfirmed, "reuse %q must be %s or %s", p.Reuse, ReuseOpen,
		ReuseUnconfirmed)
	errs.Require(sources.IsAreaCode(p.Region),
		"region %q must be a national statistics code; K02000001 is the United Kingdom", p.Region)
	errs.Require(p.EmploymentUnit == "" || p.EmploymentUnit == "people" ||
		p.EmploymentUnit == "thousands", "unit %q must be people or thousands",
		p.EmploymentUnit)
	day, err := sources.ParseDate(p.Published)
	errs.Require(err == nil && !day.IsZero(), "published %q must be the day of publication, YYYY-MM-DD", p.Published)
	return errors.Join(errs...)
}

// publisher holds the publisher's name, and the title and web page of its publications.
type publisher struct{ publisher, title, link string }

var bodies = map[string]publisher{
	KeySkillsEngland: {"Skills England", "Assessment of priority skills",
		"https://www.gov.uk/government/publications/assessment-of-priority-skills-to-2030"},
	KeyOccupationsInDemand: {"Department for Education", "Occupations in demand",
		"https://explore-education-statistics.service.gov.uk/find-statistics/occupations-in-demand"},
	KeySkillsImperative2035: {"Department for Education", "Labour market and skills projections: 2020 to 2035",
		"https://www.gov.uk/government/publications/labour-market-and-skills-projections-2020-to-2035"},
}

// infoOf describes the source with the given key. If none of its publications is open for reuse,
// the terms permit only fetching.
func infoOf(key string, list []Publication) sources.Info {
	b := bodies[key]
	i := sources.Info{Key: key, Publisher: b.publisher, Title: b.title, Kind: sources.KindProjections, Link: b.link,
		Cadence: sources.Annual, Licence: "Open Government Licence v3.0", Statement: sources.StatementOGL,
		Terms: sources.Terms{MayFetch: true, MayCount: true, MayRepublish: true, MaySummarise: true}}
	open := func(p Publication) bool { return p.Reuse == ReuseOpen }
	embargoed := func(p Publication) bool { return p.Reuse != ReuseOpen }
	switch {
	case !slices.ContainsFunc(list, open):
		i.Licence = "Not confirmed; embargoed"
		i.Statement = sources.AttributionStatement("Source: " + b.publisher + ", " + b.title + ". Reuse terms not confirmed.")
		i.Terms = sources.Terms{MayFetch: true}
	case slices.ContainsFunc(list, embargoed):
		i.Licence += "; publications whose reuse is not confirmed are embargoed"
	}
	return i
}

// evidence returns a record with the fields that all occupations of the publication share, such as
// its date. key is the source key of the publication.
func (p Publication) evidence(key string) sources.Evidence {
	day, _ := sources.ParseDate(p.Published) // checked by New
	e := sources.Evidence{Source: key, Published: day, Class: "SOC2020", Country: "GB", Link: p.Link,
		Embargoed: p.Reuse != ReuseOpen,
		Title:     strings.TrimSpace(p.Title + " " + p.Edition)}
	if p.Region != UnitedKingdomCode {
		e.RegionCode = p.Region
	}
	return e
}

// parse reads the first readable sheet of a published file. It returns the occupations, and a fault
// for each unusable row. An error has a sources.FaultCode and means that the whole file is unusable.
// After an incomplete sheet, parse reads no other one, because that could be an older list.
func parse(ctx context.Context, text []byte, p Publication) ([]occupation, []sources.Fault, error) {
	list, err := sheets.ReadSheets(ctx, text, p.Sheet)
	if err != nil {
		return nil, nil, err
	}
	read := readList
	if p.Kind == KindProjections {
		read = projections
	}
	var first error
	for _, sheet := range list {
		rows, faults, err := read(sheet, p)
		switch {
		case err == nil && len(rows) > 0:
			if err := p.checkUnit(rows); err != nil {
				return nil, nil, err
			}
			return rows, faults, nil
		case err == nil:
			err = sources.CodedErrorf(sources.FaultSuddenlyEmpty, "there is no occupation under the header")
			if len(faults) > 0 {
				err = fmt.Errorf("%w; %s", err, faults[0].Detail)
			}
		}
		if sheet.Name != "" {
			err = fmt.Errorf("sheet %q: %w", sheet.Name, err)
		}
		if sources.FaultCodeOf(err) == sources.FaultIncomplete {
			return nil, nil, err
		}
		first = cmp.Or(first, err)
	}
	return nil, nil, first
}

// checkUnit returns an error if a list of priority occupations has figures, but none for enough
// people. The publisher has then probably changed the unit, and all figures would be lost.
func (p Publication) checkUnit(rows []occupation) error {
	rows = slices.DeleteFunc(slices.Clone(rows), func(o occupation) bool { return o.figures == nil })
	isPublishable := func(o occupation) bool { return o.figures.publishable() }
	if p.Kind != KindPriorityOccupations || len(rows) == 0 || slices.ContainsFunc(rows, isPublishable) {
		return nil
	}
	return sources.CodedErrorf(sources.FaultBadValue, "with `unit: %s`, all employment is below %d,000 people, and the "+
		"unit may be wrong; set `unit` to that of the file (people or thousands), or remove it to use the list without "+
		"figures", p.EmploymentUnit, minPeople)
}
