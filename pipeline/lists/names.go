// Package lists writes the tables that are not statistics: places, skills and other names with
// their codes, sources and their freshness, evidence, jobs, events, pathways and section 106 sites.
// It handles no counts of people.
package lists

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"labour/pipeline/cells"
	"labour/pipeline/coding"
	"labour/pipeline/coding/area"
	"labour/pipeline/coding/skill"
	"labour/pipeline/corrections"
	"labour/pipeline/outlines"
	"labour/pipeline/servedplaces"
	"labour/pipeline/tablewriter"
	"labour/snapshots"
	"labour/snapshots/outline"
	"labour/snapshots/parquetio"
	"labour/sources"
	"labour/sources/boundaries"
)

// NamesInputs holds the inputs of WriteNames, such as the official areas and the list of skills.
type NamesInputs struct {
	Registers    coding.Registers
	ServedPlaces servedplaces.Places
	SourceInfos  []sources.Info // descriptions of the configured sources
	Areas        []sources.Area // official areas, such as councils and regions, with their codes
	AreaHistory  *area.History  // former and current codes of the areas
	Boundaries   []sources.Boundary
	// corrections of publishers' records, with their outcomes after all sources were read
	Corrections *corrections.Set
}

// WriteNames writes the tables of names and codes. They are skills, levels, sectors, occupations,
// places, place_members, regions, corrections and outlines.
func WriteNames(ctx context.Context, w *tablewriter.Writer, in NamesInputs) error {
	w.OnStep("write lists")
	outlines, err := in.outlines()
	if err != nil {
		return err
	}
	skills, err := skillRows(ctx, w, in.Registers.Skills)
	if err != nil {
		return err
	}
	var levels []snapshots.LevelsRow
	for l := skill.LevelEntry; l <= skill.LevelExpert; l++ {
		levels = append(levels, snapshots.LevelsRow{Level: int8(l), Name: l.Name()})
	}
	var sectors []snapshots.SectorsRow
	for _, s := range in.Registers.Sectors.Sectors() {
		sectors = append(sectors, snapshots.SectorsRow{Sector: s.Slug, Name: s.Name})
	}
	var occupations []snapshots.OccupationsRow
	for _, g := range in.Registers.Occupations.Groups() {
		occupations = append(occupations, snapshots.OccupationsRow{SOC: g.Code, Name: g.Name})
	}
	return errors.Join(tablewriter.WriteRows(w, "skills", skills), tablewriter.WriteRows(w, "levels", levels),
		tablewriter.WriteRows(w, "sectors", sectors), tablewriter.WriteRows(w, "occupations", occupations),
		tablewriter.WriteRows(w, "places", in.ServedPlaces.PlaceRows),
		tablewriter.WriteRows(w, "place_members", in.ServedPlaces.MemberRows),
		tablewriter.WriteRows(w, "regions", in.regions()),
		tablewriter.WriteRows(w, "corrections", CorrectionRows(in.Corrections, in.SourceInfos)),
		tablewriter.WriteRows(w, "outlines", outlines))
}

// skillRows returns the rows of the table skills, one for each skill of the register. The level of
// a skill is the one that adverts require most often. If no advert states one, it is the register's
// level.
func skillRows(ctx context.Context, w *tablewriter.Writer, register *skill.Register) ([]snapshots.SkillsRow, error) {
	file, err := w.RunQuery(ctx, cells.QuerySkillLevels)
	if err != nil {
		return nil, err
	}
	type asked struct {
		Skill string `col:"skill"`
		Level int8   `col:"level"`
	}
	level := map[string]int8{}
	for row, err := range parquetio.Rows[asked](file) {
		if err != nil {
			return nil, fmt.Errorf("the levels of skills: %w", err)
		}
		level[row.Skill] = row.Level
	}
	var skills []snapshots.SkillsRow
	for _, s := range register.Skills() {
		usual := int8(s.Level)
		skills = append(skills, snapshots.SkillsRow{Skill: s.Slug, Name: s.Name, ReferenceLevel: usual,
			Level: cmp.Or(level[s.Slug], usual), Kind: string(s.Kind), Wordings: s.Wordings})
	}
	return skills, nil
}

// regions returns the rows of the table regions, one for each official area. If several editions
// have the same area, the newest is used.
func (in *NamesInputs) regions() []snapshots.RegionsRow {
	areas := area.NewestEditions(in.Areas)
	rows := make([]snapshots.RegionsRow, 0, len(areas))
	for _, a := range areas {
		rows = append(rows, snapshots.RegionsRow{Code: a.Code, Name: a.Name, Kind: a.Kind, SourceKey: a.Source,
			NameWelsh: snapshots.NullIfEmpty(a.NameWelsh), NationCode: snapshots.NullIfEmpty(a.NationCode),
			Slug:        snapshots.NullIfEmpty(a.Slug),
			FormerCodes: snapshots.NullIfEmpty(strings.Join(in.AreaHistory.FormerCodes(a.Code), ","))})
	}
	return rows
}

// CorrectionRows returns the rows of the table corrections, one for each correction in set. infos
// describes the configured sources. The old and new values are nil if the terms of the source do
// not permit publishing them. The old value is also nil if the correction withdraws a figure.
func CorrectionRows(set *corrections.Set, infos []sources.Info) []snapshots.CorrectionsRow {
	var rows []snapshots.CorrectionsRow
	set.ForEachOutcome(func(c corrections.Correction, o corrections.Outcome) {
		row := snapshots.CorrectionsRow{SourceKey: c.Source, Kind: c.Kind, Record: c.Record, Field: c.Field,
			Reason: c.Reason, DecidedBy: c.DecidedBy, DecidedOn: c.DecidedOn().Time(), Outcome: string(o)}
		if mayRepublish(infos, c.Source) {
			row.Old, row.New = &c.Old, &c.New
		}
		if row.WithdrawsFigure() {
			row.Old = nil
		}
		rows = append(rows, row)
	})
	return snapshots.DistinctRowsOf("corrections", rows)
}

// UnappliedCorrections returns a fault for each correction in set that was not applied. The text of
// the fault asks the operator to review the correction.
func UnappliedCorrections(set *corrections.Set) (faults []sources.Fault) {
	set.ForEachOutcome(func(c corrections.Correction, o corrections.Outcome) {
		if o != corrections.OutcomeApplied {
			faults = append(faults, sources.Fault{Source: c.Source, Where: c.Kind + " " + c.Record,
				Code: sources.FaultCorrectionNotApplied,
				Detail: fmt.Sprintf(
					"the correction of %s is not applied (%s: %s); look at it again and change or remove it", c.Field, o,
					o.Explain())})
		}
	})
	return faults
}

// mapPixels is the longer side of the map in pixels. The outlines of boroughs are simplified for
// this size.
const mapPixels = 600

// outlines returns the simplified outlines of the served boroughs. It leaves out boroughs without a
// boundary that may be published, and boundaries without an area.
func (in *NamesInputs) outlines() ([]snapshots.OutlinesRow, error) {
	given := in.boundariesByCode()
	var rows []snapshots.OutlinesRow
	var shapes []orb.MultiPolygon
	for _, p := range in.ServedPlaces.Boroughs() {
		boundary, ok := given[p.Code]
		if !ok {
			continue
		}
		shape, err := boundaries.Parse(boundary)
		if err != nil {
			return nil, err
		}
		rows = append(rows, snapshots.OutlinesRow{Place: p.Place, Code: p.Code, SourceKey: boundary.Source})
		shapes = append(shapes, shape)
	}
	for i, simple := range outlines.Simplify(shapes, mapPixels) {
		if len(simple) > 0 { // otherwise it has no area
			rows[i].Outline = outline.Format(simple)
		}
	}
	return slices.DeleteFunc(rows, func(r snapshots.OutlinesRow) bool { return r.Outline == "" }), nil
}

// boundariesByCode returns the boundaries that may be published, by the current code of the area.
// If an area has several boundaries, it returns the first.
func (in *NamesInputs) boundariesByCode() map[string]sources.Boundary {
	given := map[string]sources.Boundary{}
	for _, boundary := range in.Boundaries {
		code := in.AreaHistory.CurrentCodeIfRecoded(boundary.Code)
		_, twice := given[code]
		if mayRepublish(in.SourceInfos, boundary.Source) && !twice {
			given[code] = boundary
		}
	}
	return given
}
