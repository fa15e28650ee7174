package ingest

import (
	"labour/pipeline/coding/area"
	"labour/sources"
)

// Records holds the records that Read does not write to staged files. They are as the sources have
// them, except that a borough has the current code of its council.
type Records struct {
	Areas        []sources.Area
	History      *area.History // history of area codes
	Boundaries   []sources.Boundary
	Boroughs     []sources.Borough
	Evidence     []sources.Evidence
	Pathways     []sources.Pathway
	Developments []sources.Development

	// Records that only the embargoed datasets use.
	Wards      []sources.Ward
	Headlines  []sources.Headline
	Priorities []sources.Priority

	// Records used only during reading.
	groups  []sources.OccupationGroup
	titles  []sources.OccupationTitle
	changes []sources.CodeChange
}

// take appends a record to the list of its type. It returns false if there is no such list.
func (in *Records) take(r sources.Record) bool {
	return keep(&in.groups, r) || keep(&in.titles, r) || keep(&in.Areas, r) || keep(&in.changes, r) ||
		keep(&in.Boundaries, r) || keep(&in.Evidence, r) ||
		keep(&in.Pathways, r) || keep(&in.Developments, r) || keep(&in.Wards, r) || keep(&in.Headlines, r) ||
		keep(&in.Priorities, r)
}

// keep appends a record to the list if the record has the list's type. It reports whether it does.
func keep[T sources.Record](list *[]T, r sources.Record) bool {
	one, ok := r.(T)
	if ok {
		*list = append(*list, one)
	}
	return ok
}
