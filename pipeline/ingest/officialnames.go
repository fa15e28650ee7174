package ingest

import (
	"labour/pipeline/coding/area"
	"labour/sources"
)

// areaKey identifies an official area, such as the council E09000007.
type areaKey struct{ kind, code string }

// learnOfficialNames sets the official names of the areas from the lists of areas, with the
// operator's corrections.
func (r *reader) learnOfficialNames() {
	r.officialNames = map[areaKey]string{}
	for _, a := range area.NewestEditions(r.result.Areas) {
		r.officialNames[areaKey{a.Kind, a.Code}] = a.Name
	}
}

// withOfficialName returns a copy of a statistic with the official name of its region. It returns a
// statistic whose region is in no list of areas, or another record, as it is. A file may give a code
// the name of another region, and the table regions has only one name for a code.
func (r *reader) withOfficialName(record sources.Record) sources.Record {
	t, ok := record.(sources.Statistic)
	if !ok {
		return record
	}
	code := r.result.AreaHistory.CurrentCodeIfRecoded(t.RegionCode)
	if name := r.officialNames[areaKey{t.RegionKind, code}]; name != "" {
		t.RegionName = name
	}
	return t
}
