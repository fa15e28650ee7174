package ingest

import (
	"labour/pipeline/coding/area"
	"labour/sources"
)

// Records holds the records that Read does not write to staged files. They are unchanged, except
// that a borough has the current code of its council.
type Records struct {
	Areas        []sources.Area
	AreaHistory  *area.History // former and current codes of areas
	Boundaries   []sources.Boundary
	Boroughs     []sources.Borough
	Evidence     []sources.Evidence
	Pathways     []sources.Pathway
	Developments []sources.S106Development

	// Wards, Headlines and Priorities are used only by the embargoed datasets.
	Wards      []sources.Ward
	Headlines  []sources.Headline
	Priorities []sources.PlanPriority

	// groups, titles and changes are used only while sources are read.
	groups  []sources.OccupationGroup
	titles  []sources.OccupationTitle
	changes []sources.AreaCodeChange
}

// take appends a record to the list for its type. It returns false if there is no list for this
// type.
func (in *Records) take(r sources.Record) bool {
	return keep(&in.groups, r) || keep(&in.titles, r) || keep(&in.Areas, r) || keep(&in.changes, r) ||
		keep(&in.Boundaries, r) || keep(&in.Evidence, r) ||
		keep(&in.Pathways, r) || keep(&in.Developments, r) || keep(&in.Wards, r) || keep(&in.Headlines, r) ||
		keep(&in.Priorities, r)
}

// keep appends a record to the list if the record has the list's type. It reports whether it did.
func keep[T sources.Record](list *[]T, r sources.Record) bool {
	one, ok := r.(T)
	if ok {
		*list = append(*list, one)
	}
	return ok
}
