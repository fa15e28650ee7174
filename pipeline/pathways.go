package pipeline

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"labour/snapshots"
	"labour/sources"
)

// writePathways writes the careers pathways with their steps and standards.
func (t *tables) writePathways() error {
	var rows []snapshots.PathwaysRow
	var steps []snapshots.PathwayStepsRow
	var standards []snapshots.PathwayStandardsRow
	for _, p := range t.build.in.pathways {
		rows = append(rows, snapshots.PathwaysRow{ID: p.ID, Slug: p.Slug, Title: p.Title, Summary: p.Summary, Sector: p.Sector, UpdatedOn: day(p.Updated)})
		steps = append(steps, pathwaySteps(p)...)
		for _, s := range p.Standards {
			standards = append(standards, snapshots.PathwayStandardsRow{Pathway: p.ID, Code: s.Code, Title: s.Title, Level: int8(s.Level)})
		}
	}
	slices.SortFunc(rows, func(a, b snapshots.PathwaysRow) int {
		return cmp.Or(strings.Compare(a.Slug, b.Slug), strings.Compare(a.ID, b.ID))
	})
	slices.SortFunc(steps, func(a, b snapshots.PathwayStepsRow) int {
		return cmp.Or(strings.Compare(a.Pathway, b.Pathway), cmp.Compare(a.Position, b.Position))
	})
	slices.SortStableFunc(standards, func(a, b snapshots.PathwayStandardsRow) int {
		return cmp.Or(strings.Compare(a.Pathway, b.Pathway), strings.Compare(a.Code, b.Code))
	})
	// A standard that a pathway names twice is one.
	standards = slices.CompactFunc(standards, func(a, b snapshots.PathwayStandardsRow) bool {
		return a.Pathway == b.Pathway && a.Code == b.Code
	})
	return errors.Join(write(t, "pathways", rows), write(t, "pathway_steps", steps), write(t, "pathway_standards", standards))
}

// pathwaySteps are the steps of one pathway by their numbers; steps with one
// number stay as the platform gives them.
func pathwaySteps(p sources.Pathway) []snapshots.PathwayStepsRow {
	ordered := slices.Clone(p.Steps)
	slices.SortStableFunc(ordered, func(a, b sources.PathwayStep) int { return cmp.Compare(a.Order, b.Order) })
	rows := make([]snapshots.PathwayStepsRow, len(ordered))
	for i, s := range ordered {
		rows[i] = snapshots.PathwayStepsRow{Pathway: p.ID, Position: int16(i + 1), Step: int16(s.Order), Title: s.Title,
			Description: s.Description, SOC: orNull(s.SOC)}
		if s.Level > 0 {
			level := int8(s.Level)
			rows[i].Level = &level
		}
	}
	return rows
}
