package snapshots

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// fromAdverts lists the kinds of sources that deliver adverts, separated by spaces.
const fromAdverts = "platform employer_boards apprenticeships"

// Tables returns the schemas of all tables, sorted by name. Every snapshot has all of them; a table
// without data is empty.
func Tables() []Table { return slices.Clone(tables) }

var tables = []Table{
	table[AdvertsRow]("adverts", fromAdverts,
		"Counted adverts that ask for a skill, per cell. The API publishes shares that are computed from these counts, "+
			"not the counts. Adverts are not people.",
		"area_kind", "place", "skill", "level", "sector", "soc", "source", "month"),
	table[AdvertsTotalRow]("adverts_total", fromAdverts,
		"Counted adverts per cell, whatever they ask for: the denominators of the shares. Adverts without a text or a "+
			"list of skills are left out.",
		"area_kind", "place", "sector", "soc", "source", "month"),
	table[CandidatesRow]("candidates", "platform",
		"Printed counts of residents: all, by borough, by highest level on record, by sector sought, and those who seek "+
			"work. Made once a quarter.",
		"dimension", "value"),
	table[CorrectionsRow]("corrections", "statistics geography",
		"The operator's corrections of publishers' errors, with the outcome of each.",
		"source_key", "kind", "record", "field"),
	table[CourseDemandRow]("course_demand", "statistics",
		"Published figures on training courses, with the change on the year before.",
		"country", "region_code", "metric", "subject_area", "period_end"),
	table[EventsRow]("events", "platform",
		"The events that every partner receives. Events of a partner are kept outside the snapshot, in files of these "+
			"columns. No event names a person or a pseudonym.",
		"occurred_at", "id"),
	table[EvidenceRow]("evidence", "statistics projections", "The published evidence behind the figures.",
		"published_on", "id"),
	table[FreshnessRow]("freshness", "",
		"When each part of each source, such as a board or a data set, was last received.", "source_key", "part"),
	table[JobsRow]("jobs", "platform apprenticeships",
		"Live adverts that may be republished under the terms of their sources, one for each vacancy that the rules of "+
			"counting admit, however long ago it was posted.",
		"posted_at", "id"),
	table[LevelsRow]("levels", "", "The five levels of a skill.", "level"),
	table[FilterCombinationsRow]("lists", fromAdverts,
		"The published combinations of filters: those that match at least 5 counted adverts, of at least 3 employers, in "+
			"the whole window, month or quarter. Single months and quarters have no rankings; the table adverts has the "+
			"skills that their adverts ask for.",
		"window_months", "month", "source", "soc", "sector", "place"),
	table[OccupationsRow]("occupations", "", "SOC 2020 groups.", "soc"),
	table[OutlinesRow]("outlines", "geography",
		"Outlines of the boroughs, simplified for a map of all of them that is 600 pixels wide or high. Neighbours keep "+
			"the same border. A borough without a row has no outline in any source.",
		"place"),
	table[PathwayStandardsRow]("pathway_standards", "platform", "Apprenticeship standards on the pathways.", "pathway",
		"code"),
	table[PathwayStepsRow]("pathway_steps", "platform", "The steps of the pathways.", "pathway", "position"),
	table[PathwaysRow]("pathways", "platform", "Published careers pathways.", "slug", "id"),
	table[PeopleRow]("people", "platform",
		"Printed counts and shares of people in the twelve months of the quarter, one row per skill and published "+
			"combination of filters. Nothing is published for a combination without a row; if no counted advert of "+
			"the last 24 months requires the skill in it, there is a row only if people are published. Made once a "+
			"quarter.",
		"signature", "place", "value", "skill"),
	table[PlaceMembersRow]("place_members", "platform", "The boroughs of each served area.", "area", "borough"),
	table[PlacesRow]("places", "platform geography", "The values of the parameter `place`.", "place"),
	table[RankingsRow]("rankings", fromAdverts,
		"The number of adverts of each list that ask for each skill.", "list", "skill"),
	table[RankingsRow]("rankings_by_skill", fromAdverts,
		"The rows of rankings, sorted by skill, for breakdowns of one skill.", "skill", "list"),
	table[RegionsRow]("regions", "geography", "UK regions with official codes.", "kind", "name", "code"),
	table[ResidentsRow]("residents", "platform", "Share of residents below each level of a skill. Made once a quarter.",
		"place", "skill", "level"),
	table[S106Row]("s106", "platform",
		"Headline counts of section 106 obligations, for the whole platform and for each place.", "place"),
	table[S106PeopleRow]("s106_people", "platform",
		"Printed counts of jobs and people of section 106 obligations, for the whole platform and for each place. Made "+
			"once a quarter.", "place"),
	table[SectorsRow]("sectors", "", "The sectors: the 15 apprenticeship routes.", "sector"),
	table[SkillsRow]("skills", "", "The register of skills.", "skill"),
	table[SkillsGapsRow]("skills_gaps", "projections",
		"Forecast skills gaps by occupation. A projection by England's national skills bodies is left out if fewer than "+
			"10,000 people are employed in the occupation in either year. Fewer than 10,000 openings are left out too. "+
			"The publisher's guidance asks for 10,000 people behind each figure.",
		"country", "classification", "soc", "region_code", "source_key", "horizon_year"),
	table[SourcesRow]("sources", "", "Every receivable source, with licence and cadence.", "key"),
}

// FindTable returns the schema of the table called name, and reports whether the table exists.
func FindTable(name string) (Table, bool) {
	return find(tables, func(t Table) bool { return t.Name == name })
}

// The values of the column area_kind in the tables of adverts. An advert in several boroughs counts
// in the rows of each borough, but only once in the rows of the whole country. Never add numbers of
// rows with different values of area_kind.
const (
	// AreaKindAll marks the rows for the whole country. They count every advert once, and their
	// column place is empty.
	AreaKindAll = "all"
	// AreaKindBorough marks the rows that count the adverts of one borough.
	AreaKindBorough = "borough"
	// AreaKindServed marks the rows that count the adverts of one area that the service covers and
	// that consists of several boroughs.
	AreaKindServed = "area"
)

// The values of the column signature in the table people. Each value names a combination of filters
// for which counts of people are published, such as "place_sector".
const (
	// Unfiltered marks counts of people that no filter restricts.
	Unfiltered = "none"
	// FilteredByPlace marks counts of people that are filtered by place only.
	FilteredByPlace = "place"
	// FilteredBySector marks counts of people that are filtered by sector only.
	FilteredBySector = "sector"
	// FilteredBySOC marks counts of people that are filtered by occupation (SOC 2020 code) only.
	FilteredBySOC = "soc"
	// FilteredByLevel marks counts of people that are filtered by level only.
	FilteredByLevel = "level"
	// FilteredBySource marks counts of people that are filtered by the source of the adverts only.
	FilteredBySource = "source"
	// FilteredByPlaceAndSector marks counts of people that are filtered by place and sector.
	FilteredByPlaceAndSector = "place_sector"
	// FilteredByPlaceAndSOC marks counts of people that are filtered by place and occupation (SOC
	// 2020 code).
	FilteredByPlaceAndSOC = "place_soc"
	// FilteredByPlaceAndLevel marks counts of people that are filtered by place and level.
	FilteredByPlaceAndLevel = "place_level"
	// FilteredByPlaceAndSource marks counts of people that are filtered by place and by the source
	// of the adverts.
	FilteredByPlaceAndSource = "place_source"
)

// WithoutPlaceFilter removes the filter place from the name of a combination of filters. It
// returns "sector" for "place_sector", and "none" for "place". It returns other names unchanged.
func WithoutPlaceFilter(signature string) string {
	switch filter, ok := strings.CutPrefix(signature, FilteredByPlace+"_"); {
	case ok:
		return filter
	case signature == FilteredByPlace:
		return Unfiltered
	}
	return signature
}

// The keys of the Parquet metadata of a table's file. With this metadata, a copied file still
// states what it contains and under which licences.
const (
	// MetaFormat is the key of the version of the snapshot format.
	MetaFormat = "labour.format"
	// MetaTable is the key of the table's name.
	MetaTable = "labour.table"
	// MetaSnapshot is the key of the ID of the snapshot that contains the table.
	MetaSnapshot = "labour.snapshot"
	// MetaDescription is the key of the table's description.
	MetaDescription = "labour.description"
	// MetaLicence is the key of the licences of the table's sources. The value has one licence per
	// line, sorted.
	MetaLicence = "labour.licence"
	// MetaAttribution is the key of the attribution statements of the table's sources. The value
	// has one statement per line, sorted.
	MetaAttribution = "labour.attribution"
	// MetaColumnPrefix, followed by the name of a column, is the key of the column's description.
	MetaColumnPrefix = "labour.column."
)

// TableMetadata returns the Parquet key-value metadata of a table's file. sources are the sources
// that the table credits.
func TableMetadata(t Table, id ID, sources []SourcesRow) map[string]string {
	var licences, statements []string
	for _, s := range sources {
		licences, statements = append(licences, s.Licence), append(statements, s.AttributionStatement)
	}
	meta := map[string]string{
		MetaFormat: Format, MetaTable: t.Name, MetaSnapshot: string(id), MetaDescription: t.Doc,
		MetaLicence: JoinDistinctLines(licences), MetaAttribution: JoinDistinctLines(statements),
	}
	for _, c := range t.Columns {
		meta[MetaColumnPrefix+c.Name] = c.Doc
	}
	return meta
}

// JoinDistinctLines returns the distinct texts, sorted, one per line. It sorts the slice texts in
// place.
func JoinDistinctLines(texts []string) string {
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), "\n")
}

// UnknownNameError is the error for a name that does not exist, such as the name of a table. It
// suggests the most similar existing name.
type UnknownNameError struct {
	// kind of thing that does not exist, such as "table" or "column of the key of adverts"
	NameKind string
	Name     string // the name that was requested
	// the existing name that is most similar to the requested one; empty if there is none
	Suggestion string
}

// Error returns a message such as: there is no table "job"; the nearest is "jobs". It has no
// suggestion if nothing exists.
func (e *UnknownNameError) Error() string {
	if e.Suggestion == "" {
		return fmt.Sprintf("there is no %s %q", e.NameKind, e.Name)
	}
	return fmt.Sprintf("there is no %s %q; the nearest is %q", e.NameKind, e.Name, e.Suggestion)
}

// FindFile returns the schema of the table or embargoed dataset called name, and the path of its
// file in a snapshot. The error is an *UnknownNameError if there is no such table or dataset.
func FindFile(name string) (Table, string, error) {
	if t, ok := FindTable(name); ok {
		return t, TableFileName(name), nil
	}
	if t, ok := FindEmbargoedTable(name); ok {
		return t, EmbargoedFileName(name), nil
	}
	var names []string
	for _, t := range slices.Concat(Tables(), EmbargoedTables()) {
		names = append(names, t.Name)
	}
	return Table{}, "", &UnknownNameError{NameKind: "table", Name: name, Suggestion: MostSimilar(name, names)}
}

// MostSimilar returns the text in names that is most similar to name: the one with the fewest edits
// (Levenshtein distance). If several are equally similar, it returns the first in alphabetical
// order. If names is empty, it returns "". It returns a name however different it is, because an
// operator can only mean one of them. The server's searches for similar values return only near ones.
func MostSimilar(name string, names []string) string {
	best, distance := "", -1
	for _, known := range names {
		d := levenshtein.ComputeDistance(name, known)
		isEarlierOfEqual := d == distance && known < best
		if distance < 0 || d < distance || isEarlierOfEqual {
			best, distance = known, d
		}
	}
	return best
}
