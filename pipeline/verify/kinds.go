package verify

import (
	"embed"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"labour/snapshots"
)

// files holds the SQL queries that find faults. Each folder has the queries of one check.
//
//go:embed sql/*/*.sql
var files embed.FS

// statedWords has the values that snapshots/FORMAT.md states for a column, by table and column,
// separated by commas. Columns that are not listed here may have any value.
var statedWords = map[string]string{
	"candidates.dimension":       "all,borough,level,sector_sought,seeking_work",
	"corrections.outcome":        "applied,mended,no_record",
	"course_demand.metric":       "apprenticeship_starts,further_education_enrolments,skills_bootcamp_starts",
	"course_demand.region_kind":  "nation,region,council,lsip",
	"events.type":                "application.created,click.recorded,outcome.recorded,opportunity.published",
	"evidence.kind":              "statistic,projection,report,news",
	"evidence.signal":            "gap,no_gap,none",
	"jobs.type":                  "job,apprenticeship,training",
	"outlook.classification":     "SOC2020,SOC2018-US",
	"outlook.horizon_months":     "6,12,24,36,48,60",
	"people.signature":           "none,place,sector,soc,level,source,place_sector,place_soc,place_level,place_source",
	"places.area_kind":           "borough,area",
	"priorities.kind":            "occupation,sector,skill",
	"reach.within_km":            "5,10,20",
	"regions.kind":               "nation,region,council,travel_to_work_area,lsip,itl1,itl2,itl3",
	"skills_gaps.classification": "SOC2020,SOC2018-US",
	"sources.cadence":            "daily,weekly,monthly,quarterly,annual",
	"sources.kind":               "platform,employer_boards,apprenticeships,statistics,projections,geography,news,plans",
	"trends.digits":              "1,2,3,4",
	"trends.direction":           "growing,shrinking,steady",
}

// faultQuery is an SQL query that finds one kind of fault. The field `of` is the name of the table
// that it checks, or of a kind of column (see isKind). The query is in the file
// sql/<check>/<of>.sql. If there are several, they are in sql/<check>/<of>.<what>.sql.
type faultQuery struct{ check, of, text string }

// faultQueries returns all queries that find faults, from the folder sql.
func faultQueries() ([]faultQuery, error) {
	names, err := fs.Glob(files, "sql/*/*.sql")
	var all []faultQuery
	for _, name := range names {
		text, readErr := files.ReadFile(name)
		err = errors.Join(err, readErr)
		of, _, _ := strings.Cut(path.Base(name), ".")
		all = append(all, faultQuery{strings.Replace(path.Base(path.Dir(name)), "small_", "small ", 1), of, string(text)})
	}
	return all, err
}

// columns returns the columns of a file to which a query applies. For a query on the whole file it
// returns a single "". It returns nil if the query does not apply to the file.
func (j *rowChecker) columns(q faultQuery, a rowFile) (names []string) {
	_, isTable := j.schema(a.Name)
	isOfEach := q.of == "each" && (isTable || q.check == "as_of")
	isOfCells := q.of == "cells" && isTable && strings.HasPrefix(a.Name, "adverts")
	switch {
	case q.of == a.Name, isOfEach, isOfCells:
		return []string{""}
	case !isTable:
		return nil
	}
	for _, c := range a.Columns {
		if j.isKind(q.of, a, c) {
			names = append(names, c.Name)
		}
	}
	return names
}

// isKind reports whether a column is of the given kind, such as "counts" or "shares". Queries apply
// to kinds of columns.
func (j *rowChecker) isKind(kind string, a rowFile, c snapshots.Column) bool {
	_, count := a.Column(c.Name + snapshots.StatusSuffix)
	source := slices.Contains(snapshots.SourceColumns(), c.Name)
	isOfList := a.Name == "lists" && c.Name == "sources"
	switch kind {
	case "counts": // counts of people
		return count
	case "rounded": // counts of people that are rounded to a multiple of 5
		return count && j.manifest.RoundsPeople() && snapshots.IsPeopleTable(a.Name)
	case "people_skills": // skills of rows with figures of people
		return c.Name == "skill" && snapshots.IsPeopleTable(a.Name)
	case "shares":
		return c.Type == snapshots.TypeDecimal1 && !strings.Contains(c.Name, "change")
	case "vacancies":
		return path.Dir(a.file) == snapshots.EmbargoedDirName && (c.Name == "vacancies" || c.Name == "previous_vacancies")
	case "skill_levels": // adverts has a query of its own, and pathways have levels of qualifications
		isLevel := c.Name == "level" || c.Name == "reference_level"
		return isLevel && a.Name != "adverts" && !strings.HasPrefix(a.Name, "pathway")
	case "words":
		return statedWords[a.Name+"."+c.Name] != ""
	case "named":
		return source || isOfList
	case "several": // columns with the keys of several sources
		return isOfList || c.Name == "source_keys" || c.Name == "pointing_sources"
	case "counted":
		return source && slices.Contains([]string{"adverts", "adverts_total", "demand", "trends", "reach"}, a.Name)
	}
	return false
}

// schema returns the schema of a table or embargoed dataset. The second result is false if there is
// none with this name.
func (j *rowChecker) schema(name string) (snapshots.Table, bool) {
	if t, ok := snapshots.FindEmbargoedTable(name); ok {
		return t, true
	}
	return snapshots.FindTable(name)
}
