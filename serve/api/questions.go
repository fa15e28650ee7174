package api

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
	By     By     // only with Skill; by sector without one asks for the skill that leads each sector's list
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
	Score        *int64 `json:"c"` // ten-thousandths; nil sorts last
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

// JobsQuery asks for live jobs, newest first. The empty string means "no filter".
type JobsQuery struct {
	Borough string // place slug: a borough or another served area
	Type    string // job, apprenticeship or training
	Sector  string // sector slug
	SOC     string // 1 to 4 digits of SOC 2020; a prefix selects the group
	// Search is words that are looked for in title and employer: every one must be the
	// beginning of a word there, whatever the letter case and accents. Empty = all.
	Search string
	After  *JobsPosition
	Limit  int
}

// JobsPosition points at the last row of a page.
type JobsPosition struct {
	PostedAt  time.Time `json:"p"`
	FirstSeen time.Time `json:"f"`
	ID        string    `json:"i"`
}

// EventsQuery asks for the events of one partner and those of none.
type EventsQuery struct {
	Partner string     // name of the partner
	Type    string     // empty = all
	Since   *time.Time // inclusive; with it the oldest comes first, without it the newest
	Page    int        // from 1
	Limit   int
}

// EventsPage is one page of events.
type EventsPage struct {
	Rows  []EventsRow
	Total int64 // "the count of all events matching the same filters including since"
	// OwnMissing says that the events of partners are not where the server reads.
	OwnMissing bool
}

// HeldQuery asks for rows of an embargoed dataset. The empty string and 0 mean "no
// filter"; each dataset has some of the filters.
type HeldQuery struct {
	SOC       string // demand, trends, outlook: beginning of an occupation code
	Digits    int    // trends: digits of the group, 1 to 4
	Direction string // trends: growing, shrinking or steady
	Country   string // outlook: ISO 3166-1 alpha-2, always set
	Region    string // outlook: official code, empty = the country; priorities: empty = all
	Months    int    // outlook: months to the horizon
	Ward      string // reach: code of a ward
	Council   string // reach: code of a council
	WithinKM  int    // reach: distance
	Topic     string // signals
	Kind      string // priorities: occupation, sector or skill
	After     *HeldPosition
	Limit     int
}

// HeldPosition points at the last row of a page: its number, from 1, in the order of
// the answer without filters.
type HeldPosition struct {
	Position int64 `json:"p"`
}

// Scan reads a column of positions.
func (p *HeldPosition) Scan(v any) error { return scanInt(v, &p.Position) }

// Position points at the row, for the page after it.
func (r SkillsUnmetRow) Position() SkillsUnmetPosition {
	p := SkillsUnmetPosition{Rank: r.Rank, Score: r.Score.TenThousandths, AdvertsShare: int64(r.AdvertsShare.Tenths), Skill: r.Skill}
	if r.Bucket != nil {
		p.Bucket = *r.Bucket
	}
	return p
}

// Position points at the row, for the page after it.
func (r EvidenceRow) Position() EvidencePosition {
	return EvidencePosition{PublishedOn: r.PublishedOn.Time(), ID: r.ID}
}

// Position points at the row, for the page after it.
func (r JobsRow) Position() JobsPosition {
	return JobsPosition{PostedAt: r.PostedAt.Time(), FirstSeen: r.FirstSeenAt.Time(), ID: r.ID}
}
