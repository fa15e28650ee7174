package labourdata

import "time"

// SkillsUnmetQuery asks for skills not met. The empty string and 0 mean "no
// filter", except Window and Limit, which are always set.
type SkillsUnmetQuery struct {
	Place  string // place slug
	Sector string // sector slug
	SOC    string // 1 to 4 digits of SOC 2020; a prefix selects the group
	Level  int    // 1 to 5, the level the advert asked
	Source string // platform, employer_boards or find_an_apprenticeship
	Window int    // 3, 6, 12 or 24 calendar months up to and including the month of as_of
	Skill  string // skill slug
	By     By     // only with Skill
	After  *SkillsUnmetPosition
	Limit  int // most rows to return, at least 1
}

// By is how one skill is broken down.
type By string

// The breakdowns of one skill.
const (
	ByPlace  By = "place"
	BySector By = "sector"
	BySOC    By = "soc"
	ByLevel  By = "level"
	ByMonth  By = "month"
)

// SkillsUnmetPosition points at the last row of a page. It carries the whole
// sort key, so that it also finds its place in a list with other filters.
type SkillsUnmetPosition struct {
	Rank         int    `json:"r"`
	Score        *int64 `json:"c"` // hundredths; nil sorts last
	AdvertsShare int64  `json:"a"` // tenths of a per cent
	Skill        string `json:"k"`
	Bucket       string `json:"b,omitempty"` // with By
}

// CourseDemandQuery asks what people are training for.
type CourseDemandQuery struct {
	Country     string // ISO 3166-1 alpha-2
	Region      string // official code, resolved; empty = national figures (region kind nation)
	Metric      string // apprenticeship_starts, further_education_enrolments or skills_bootcamp_starts; empty = all
	SubjectArea string // exact name but for letter case; empty = all
	Limit       int
}

// SkillsGapsQuery asks for forecast skills gaps.
type SkillsGapsQuery struct {
	Country string // ISO 3166-1 alpha-2
	Region  string // official code, resolved; empty = the country
	SOC     string // beginning of an occupation code in the country's classification
	Horizon int    // last year of the projection; 0 = all
	Limit   int
}

// EvidenceQuery asks for the published evidence, newest first.
type EvidenceQuery struct {
	Country string // ISO 3166-1 alpha-2
	Region  string // official code, resolved; empty = no filter
	SOC     string // beginning of an occupation code; empty = no filter
	Kind    string // statistic, projection, report or news; empty = all
	After   *EvidencePosition
	Limit   int
}

// EvidencePosition points at the last row of a page.
type EvidencePosition struct {
	PublishedOn time.Time `json:"p"` // midnight UTC
	ID          string    `json:"i"`
}

// SourcesQuery asks for every receivable source.
type SourcesQuery struct{}

// RegionsQuery asks for regions of one kind, by name.
type RegionsQuery struct {
	Kind string // travel_to_work_area, council, lsip, itl1, itl2, itl3, nation or region
	// Name is words: every one must be the beginning of a word of the name (English or
	// Welsh), whatever the letter case and accents. Empty = all.
	Name  string
	Limit int
}
