package api

// VocabularyQuery is a query for the known values of a parameter, such as all places.
type VocabularyQuery struct {
	Name  string `query:"name" maxLength:"100" doc:"Search by name, in any letter case and with or without accents: every word must be the beginning of a word of the name."`
	Limit int
}

// PlacesRow is one place, whose slug is a value of the parameters place and borough.
type PlacesRow struct {
	Slug      string  `json:"slug" example:"camden" doc:"Slug, which the parameters place and borough take."`
	Name      string  `json:"name" example:"Camden" doc:"Name."`
	Code      *string `json:"code" example:"E09000007" doc:"National-statistics code of a borough's council, which the parameter region takes; null for an area."`
	Kind      string  `json:"kind" enum:"borough,area" doc:"borough, or area: several boroughs. Areas overlap boroughs and must not be added."`
	Boroughs  Keys    `json:"boroughs" nullable:"false" doc:"Slugs of the boroughs of an area; empty for a borough."`
	SourceKey string  `json:"source_key" example:"platform" doc:"Key of a source in sources."`
}

// SectorsRow is one sector, whose slug is a value of the parameter sector.
type SectorsRow struct {
	Slug      string `json:"slug" example:"digital" doc:"Slug, which the parameter sector takes."`
	Name      string `json:"name" example:"Digital" doc:"Name of the apprenticeship route."`
	SourceKey string `json:"source_key" example:"platform" doc:"Key of a source in sources."`
}

// SkillsRow is one skill, whose slug is a value of the parameter skill.
type SkillsRow struct {
	Slug      string `json:"slug" example:"excel" doc:"Slug, which the parameter skill takes."`
	Name      string `json:"name" example:"Microsoft Excel" doc:"Name."`
	Kind      string `json:"kind" example:"technical" doc:"Group of the skill, such as health, transferable or licence."`
	Level     int    `json:"level" minimum:"1" maximum:"5" doc:"The level usually asked of the skill, the same as in skills-unmet; 1 for a licence, which is held or not."`
	LevelName string `json:"level_name" example:"working" doc:"Name of the level."`
	SourceKey string `json:"source_key" example:"platform" doc:"Key of a source in sources."`
}

// NextOccupationsQuery is a query for the occupations that share the most skills with a given
// occupation.
type NextOccupationsQuery struct {
	SOC   string // SOC 2020 code of the given unit group, four digits
	Limit int
}

// NextOccupation is an occupation that shares at least two typical skills with a given occupation.
// A skill is typical of an occupation if at least a tenth of the occupation's adverts of 12 months
// require it, and this share is at least twice the skill's share of all adverts. Transferable
// skills do not count.
type NextOccupation struct {
	SOC    string
	Skills Keys // slugs of the shared skills, the most typical of both occupations first
}

// OccupationsRow is one occupation or group of occupations, whose SOC 2020 code is a value of the
// parameter soc.
type OccupationsRow struct {
	SOC       string `json:"soc" example:"2136" doc:"Code of SOC 2020, which the parameter soc takes."`
	Name      string `json:"name" example:"Programmers and software development professionals" doc:"Official name of the group."`
	Digits    int    `json:"digits" minimum:"1" maximum:"4" doc:"Digits of the code: 1 for a major group, 4 for a unit group."`
	SourceKey string `json:"source_key" example:"platform" doc:"Key of a source in sources."`
}
