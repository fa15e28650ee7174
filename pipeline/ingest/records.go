package ingest

import (
	"labour/pipeline/coding/area"
	"labour/sources"
)

// Records holds the records that are kept in memory and not in intermediate files. The operator's
// corrections are applied. A borough has the current code of its council.
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

	// groups (of occupations), titles (of jobs) and changes (of area codes) are used only while
	// sources are read.
	groups  []sources.OccupationGroup
	titles  []sources.OccupationTitle
	changes []sources.AreaCodeChange
}

// add adds a record to the list for its type. It returns false if there is no list for the type.
func (in *Records) add(r sources.Record) bool {
	switch r := r.(type) {
	case sources.OccupationGroup:
		in.groups = append(in.groups, r)
	case sources.OccupationTitle:
		in.titles = append(in.titles, r)
	case sources.Area:
		in.Areas = append(in.Areas, r)
	case sources.AreaCodeChange:
		in.changes = append(in.changes, r)
	case sources.Boundary:
		in.Boundaries = append(in.Boundaries, r)
	case sources.Evidence:
		in.Evidence = append(in.Evidence, r)
	case sources.Pathway:
		in.Pathways = append(in.Pathways, r)
	case sources.S106Development:
		in.Developments = append(in.Developments, r)
	case sources.Ward:
		in.Wards = append(in.Wards, r)
	case sources.Headline:
		in.Headlines = append(in.Headlines, r)
	case sources.PlanPriority:
		in.Priorities = append(in.Priorities, r)
	default:
		return false
	}
	return true
}
