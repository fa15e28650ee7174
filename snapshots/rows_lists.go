package snapshots

import (
	"slices"
	"time"
)

// IsRankingTable reports whether a table is lists, rankings or rankings_by_skill. These tables are
// computed from counted adverts. changes.parquet does not list their differences, because it lists
// the differences of the tables adverts and adverts_total.
func IsRankingTable(table string) bool {
	return slices.Contains([]string{"lists", "rankings", "rankings_by_skill"}, table)
}

// FilterCombinationsRow is a row of the table lists: a combination of filters that matches at least
// 5 adverts of at least 3 employers, and is therefore published.
type FilterCombinationsRow struct {
	List         int32      `col:"list" doc:"number of the list in rankings, from 1 in the order of the table"`
	WindowMonths int8       `col:"window_months" unit:"months" doc:"3, 6, 12 or 24 for a window of calendar months up to that of as_of; 1 for a single month; 3 for a calendar quarter"`
	Month        *time.Time `col:"month" doc:"first day of the single month or of the quarter; null for a window. There are the quarters whose first month is among the 24 up to as_of, including the current quarter"`
	Source       string     `col:"source" doc:"key of the source where the adverts were first posted; empty = all"`
	SOC          string     `col:"soc" doc:"SOC 2020 group of 1 to 4 digits; empty = all"`
	Sector       string     `col:"sector" doc:"sector slug; empty = all"`
	Place        string     `col:"place" doc:"place slug; empty = the whole country"`
	Adverts      int32      `col:"adverts" unit:"adverts" doc:"adverts that match, at least 5, of at least 3 employers"`
	InCouncil    int32      `col:"in_council" unit:"adverts" doc:"adverts among these whose council is known"`
	InArea       int32      `col:"in_area" unit:"adverts" doc:"adverts among these that are only known to be in a wider area"`
	Sources      string     `col:"sources" doc:"keys of the sources of the adverts, sorted, separated by commas"`
}

// RankingsRow is a row of the tables rankings and rankings_by_skill. It counts the adverts that
// match one published combination of filters and require one skill.
type RankingsRow struct {
	List    int32  `col:"list" doc:"number of the list in lists"`
	Skill   string `col:"skill" doc:"skill slug"`
	Adverts int32  `col:"adverts" unit:"adverts" doc:"adverts of the list that ask for the skill, at least 1"`
}

const (
	// SkillKindLicence is the value of SkillsRow.Kind for licences, such as a driving licence.
	SkillKindLicence = "licence"
	// LicenceLevelName is the name of a licence's only level. A licence has no other levels, since a
	// person either holds it or does not.
	LicenceLevelName = "held"
)
