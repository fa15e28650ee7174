package snapshots

import "strings"

// The roll-ups: the adverts of the tables adverts and adverts_total of the last 24 months
// as small integers, added up and put in the orders in which questions about skills read
// them. Nothing is in them that those two tables do not say. Package rollups makes them.

// IsRollup reports whether a table follows from other tables of the same snapshot: what
// differs in it from one snapshot to the next differs in those too.
func IsRollup(table string) bool { return strings.HasPrefix(table, "rollup_") }

// RollupCodesRow is a row of the table rollup_codes.
type RollupCodesRow struct {
	Dimension string `col:"dimension" doc:"place, sector, skill or source"`
	Code      int16  `col:"code" doc:"the number; 0 = the whole country (a place) or not known (a sector)"`
	Value     string `col:"value" doc:"place, sector or skill slug, or key of a source of adverts; empty for number 0"`
}

// RollupMonthsRow is a row of the table rollup_months.
type RollupMonthsRow struct {
	SkillCode  int16 `col:"skill_code" doc:"number of the skill in rollup_codes"`
	PlaceCode  int16 `col:"place_code" doc:"number of the place in rollup_codes"`
	SOCCode    int32 `col:"soc_code" doc:"the SOC 2020 code filled up to four digits with zeros, and then the number of its own digits: 2134 is 21344 and 213 is 21303; 0 = not known"`
	SectorCode int16 `col:"sector_code" doc:"number of the sector in rollup_codes"`
	SourceCode int16 `col:"source_code" doc:"number of the source in rollup_codes"`
	MonthsBack int8  `col:"months_back" unit:"months" doc:"calendar months from the month of the adverts to the one of as_of, 0 to 23"`
	Level      int8  `col:"level" doc:"level asked, 1 to 5; 0 = not stated"`
	Adverts    int32 `col:"adverts" unit:"adverts" doc:"adverts in the cell, at least 1"`
}

// RollupSkillsRow is a row of the table rollup_skills.
type RollupSkillsRow struct {
	PlaceCode    int16 `col:"place_code" doc:"number of the place in rollup_codes"`
	SOCCode      int32 `col:"soc_code" doc:"the SOC 2020 code filled up to four digits with zeros, and then the number of its own digits: 2134 is 21344 and 213 is 21303; 0 = not known; -1 = all occupations of the sector"`
	SectorCode   int16 `col:"sector_code" doc:"number of the sector in rollup_codes; -1 = everything of the place"`
	SourceCode   int16 `col:"source_code" doc:"number of the source in rollup_codes"`
	WindowMonths int8  `col:"window_months" unit:"months" doc:"the shortest of 3, 6, 12 and 24 months up to as_of that holds the adverts"`
	SkillCode    int16 `col:"skill_code" doc:"number of the skill in rollup_codes"`
	Level        int8  `col:"level" doc:"level asked, 1 to 5; 0 = not stated"`
	Adverts      int32 `col:"adverts" unit:"adverts" doc:"adverts in the cell, at least 1"`
}

// RollupTotalsRow is a row of the table rollup_totals.
type RollupTotalsRow struct {
	PlaceCode  int16  `col:"place_code" doc:"number of the place in rollup_codes"`
	SOCCode    int32  `col:"soc_code" doc:"the SOC 2020 code filled up to four digits with zeros, and then the number of its own digits: 2134 is 21344 and 213 is 21303; 0 = not known; -1 = all occupations of the sector"`
	SectorCode int16  `col:"sector_code" doc:"number of the sector in rollup_codes; -1 = everything of the place"`
	SourceCode int16  `col:"source_code" doc:"number of the source in rollup_codes"`
	MonthsBack int8   `col:"months_back" unit:"months" doc:"calendar months from the month of the adverts to the one of as_of, 0 to 23"`
	Adverts    int32  `col:"adverts" unit:"adverts" doc:"adverts in the cell, at least 1"`
	InCouncil  int32  `col:"in_council" unit:"adverts" doc:"adverts of the cell whose council is known"`
	InArea     int32  `col:"in_area" unit:"adverts" doc:"adverts of the cell that are only known to be in a wider area"`
	Employer1  int32  `col:"employer_1" doc:"number of an employer with an advert in the cell, as in adverts_total; the three smallest"`
	Employer2  *int32 `col:"employer_2" doc:"number of an employer with an advert in the cell, as in adverts_total; the three smallest"`
	Employer3  *int32 `col:"employer_3" doc:"number of an employer with an advert in the cell, as in adverts_total; the three smallest"`
}
