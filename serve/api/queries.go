package api

import (
	"time"
)

// AttributionNotice tells users how to attribute the data. It is in every response of an endpoint
// under /v1/labour.
const AttributionNotice = "Wherever a figure is shown, republished or passed on, show the attribution_statement of " +
	"every source it came from, word for word. Anyone you give the data to takes on the same rule."

// PlatformKey is the source key of the platform's own data, such as its vacancies, and of figures
// that the service computes itself, such as unmet skills.
const PlatformKey = "platform"

// Envelope is the JSON response of an endpoint under /v1/labour: rows, sources, the attribution
// notice and metadata.
type Envelope[R any, M any] struct {
	Data              []R      `json:"data" nullable:"false" doc:"The figures."`
	Sources           []Source `json:"sources" nullable:"false" doc:"Exactly the sources that the figures of this response came from, each once, ordered by key. Every source_key in data is among them. Empty when there are no rows."`
	AttributionNotice string   `json:"attribution_notice" doc:"The attribution rule, in every response."`
	Meta              M        `json:"meta" doc:"About this response."`
}

// Source is one source of the figures in a response, with the attribution statement to show.
type Source struct {
	Key                  string `json:"key" example:"platform" doc:"Source key; matches source_key in data rows."`
	Publisher            string `json:"publisher" example:"Office for National Statistics" doc:"Publisher name."`
	Licence              string `json:"licence" example:"Open Government Licence v3.0" doc:"Licence text."`
	Link                 string `json:"link" example:"https://www.ons.gov.uk/" doc:"A link to the source."`
	AttributionStatement string `json:"attribution_statement" example:"Contains public sector information licensed under the Open Government Licence v3.0." doc:"Text that must be displayed, word for word, with any figure from the source."`
}

// Meta is the "meta" object of a list: date of the data, snapshot, number of rows, and cursor of
// the next page.
type Meta struct {
	AsOf       Date      `json:"as_of" doc:"The date the data describes."`
	Generated  Timestamp `json:"generated" doc:"When this response was built."`
	Snapshot   string    `json:"snapshot" example:"2026-11-20.1" doc:"The snapshot that answered. It lets you say exactly which data a figure came from."`
	Returned   int       `json:"returned" minimum:"0" doc:"Number of rows in this page."`
	Limit      int       `json:"limit" minimum:"1" doc:"The page size applied. It is lower than the one you asked for when that was above the maximum."`
	NextCursor *string   `json:"next_cursor" doc:"Send it back unchanged as cursor, with the same filters, for the next page. null on the last page, and always null on unpaged endpoints."`
	Truncated  *bool     `json:"truncated,omitempty" nullable:"false" doc:"On unpaged endpoints: whether rows were left out because of limit."`
	Note       string    `json:"note,omitempty" doc:"A remark on this answer: region was replaced by other codes, too few adverts match to show figures, or the operator corrected some of the figures."`
}

// PeopleMeta is the "meta" object of a list of unmet skills. It also describes the figures about
// people.
type PeopleMeta struct {
	Meta
	PeopleAsOf    NullableDate   `json:"people_as_of" doc:"The last day that the figures about people describe, the same as people.to; null in data without people. They are made once a quarter, adverts more often."`
	AdvertsPlaced *AdvertsPlaced `json:"adverts_placed,omitempty" nullable:"false" doc:"How exactly the places of the matching adverts are known. Left out of an empty answer, and with by."`
	People        People         `json:"people" doc:"Period, rounding and availability of the figures about people."`
}

// AdvertsPlaced holds the shares of adverts whose place is known exactly, roughly or not at all.
type AdvertsPlaced struct {
	InBorough  Percent `json:"in_borough_pct" doc:"Per cent of the matching adverts that are known to be in a borough or council."`
	InAreaOnly Percent `json:"in_area_only_pct" doc:"Per cent that are only known to be in a wider area, such as London or a county. They count for places that contain the whole area, and for none of its boroughs."`
	NotPlaced  Percent `json:"not_placed_pct" doc:"Per cent that are in the United Kingdom, at a place that is not known more closely."`
}

// People describes the figures about people in a response: their period, and how small numbers are
// protected.
type People struct {
	From       NullableDate `json:"from" doc:"First day of the twelve months that figures about applicants describe, for any value of window. Counts of residents and of section 106 sites are instead the state of the export from which the figures were made, on or after to. null in data without people."`
	To         NullableDate `json:"to" doc:"The last day of the twelve months: the end of a calendar quarter. Counts of residents and of section 106 sites are the state of the export from which the figures were made, on this day or after it. null in data without people."`
	Protection string       `json:"protection" enum:"rounded,plain,hidden" doc:"rounded: counts are 0, \"<5\" or one of the two multiples of 5 around the count, which a fair draw decides. plain: exact from 5, with which groups of 1 to 4 can be worked out. hidden: data without people."`
	RoundedTo  int          `json:"rounded_to" minimum:"1" doc:"Counts are multiples of this number: 5 where they are rounded, else 1."`
	Published  bool         `json:"published" doc:"Whether figures about people exist for these filters. They exist without a filter, with one filter, and for place with one other filter. by counts as a filter; with by=month there are none, nor for a place that was added, or whose boroughs changed, after the figures were made."`
	Note       string       `json:"note,omitempty" doc:"If published is false, the reason and the nearest filters that have figures about people. If the operator withdrew figures, the skills and the reason."`
	// whether the operator withdrew some figures; the field Note names them
	Withdrawn bool `json:"-"`
	// why the requested place has no figures about people yet; empty if it has some. The text in
	// Note contains this reason.
	PlaceNote string `json:"-"`
	// why the snapshot has no figures about people, or never has them for these filters; empty if it
	// has some, if they were withdrawn, or if only PlaceNote is the reason. It is for pages, so it
	// names no parameter. The text in Note begins with this reason.
	MissingNote string `json:"-"`
}

// AllWithdrawn reports whether the operator withdrew all figures about people.
func (p People) AllWithdrawn() bool { return p.Withdrawn && !p.Published }

// ErrorBody is the JSON body of every error response.
type ErrorBody struct {
	Error Error `json:"error"`
}

// Error describes the error in an error response: a code for programs and a message for people.
type Error struct {
	Code              string  `json:"code" enum:"invalid_parameter,unknown_place,unknown_region,invalid_cursor,cursor_expired,unauthorized,insufficient_scope,dataset_not_open,not_found,method_not_allowed,conflict,payload_too_large,unsupported_media_type,rate_limited,quota_exceeded,too_many_requests,internal,unavailable,timeout" doc:"Machine-readable code."`
	Message           string  `json:"message" doc:"Text for people, with advice. Do not match on it; it may be reworded."`
	RequestID         string  `json:"request_id" pattern:"^req_[0-9A-HJKMNP-TV-Z]{26}$" doc:"Request identifier, the same as in X-Request-Id. Quote it when you ask about an error."`
	RetryAfterSeconds *int64  `json:"retry_after_seconds,omitempty" nullable:"false" minimum:"1" doc:"Seconds to wait before calling again, the same as in Retry-After. On 429, and on 503 where it is known."`
	Details           []Fault `json:"details,omitempty" nullable:"false" doc:"Every fault of the request, all at once."`
}

// Fault describes what is wrong with one parameter of a request or one field of its body.
type Fault struct {
	Parameter string   `json:"parameter" doc:"Name of the parameter, or of the field of the body."`
	Message   string   `json:"message" doc:"What is wrong with it."`
	Allowed   []string `json:"allowed,omitempty" nullable:"false" doc:"The values it may have, when there are few."`
	Nearest   []string `json:"nearest,omitempty" nullable:"false" maxItems:"3" doc:"Up to three known names or values near the one given."`
}

// The queries below are the only definition of an endpoint's parameters: their tags are used to
// decode, check and document them. Handlers set the other fields of a query. A field with the tag
// parameter:"-" is no parameter of a request.

// DefaultWindow is the window of adverts for a query that names none, in months.
const DefaultWindow = 12

// SkillsUnmetQuery is a query for unmet skills: those that adverts require and residents lack. ""
// and 0 mean "no filter", except for Window and Limit, which are always set. SOC is an occupation
// code or its first digits.
type SkillsUnmetQuery struct {
	Place  string `query:"place" maxLength:"100" example:"camden" doc:"Slug of a borough or of another served area. An unknown place is 400. Without it, all places."`
	Sector string `query:"sector" maxLength:"100" example:"digital" doc:"Sector slug (one of the apprenticeship routes). An unknown one is 400."`
	SOC    string `query:"soc" pattern:"^[0-9]{1,4}$" patternDescription:"1 to 4 digits of SOC 2020" example:"2136" doc:"Occupation code, SOC 2020; 1 to 3 digits select the whole group. Digits that are no group are 400."`
	Level  int    `query:"level" enum:"1,2,3,4,5" doc:"Skill level that the advert asked."`
	Source string `query:"source" enum:"platform,employer_boards,find_an_apprenticeship" doc:"Where the advert was posted: on the platform, on an employer's own board, or in the national apprenticeship service."`
	Window int    `query:"window" enum:"3,6,12,24" default:"12" doc:"Calendar months, up to and including the month of as_of."`
	Skill  string `query:"skill" maxLength:"100" example:"excel" doc:"Skill slug. Alone it gives the skill's one row; with by it breaks the skill down. An unknown one is 400."`
	// By is the dimension by which the figures of one skill, given in Skill, are broken down.
	// Without Skill, only "sector" is valid; the result is then the first skill in the list of each
	// sector.
	By    Breakdown            `query:"by" enum:"place,sector,soc,soc2020,SOC 2020,level,month" letters:"any" means:"soc2020=soc,SOC 2020=soc" doc:"Breaks one skill down: one row per bucket, with bucket and bucket_name. Needs skill. place with by=place gives the row of that place alone. Rows are ordered by rank, months by the calendar. soc2020 and SOC 2020 mean soc. Letters may be of any case."`
	After *SkillsUnmetPosition `parameter:"-"`
	Limit int                  // most rows to return, at least 1
	// Zeros is true if the result must also have a row with 0 for each place where enough adverts
	// match but none of them requires the skill. Only maps need such rows, with By set to ByPlace.
	Zeros bool `parameter:"-"`
}

// Breakdown is a dimension by which the figures of one skill are broken down, such as place.
type Breakdown string

// ByPlace and the constants below are the dimensions by which the figures of one skill can be
// broken down.
const (
	ByPlace  Breakdown = "place"
	BySector Breakdown = "sector"
	BySOC    Breakdown = "soc"
	ByLevel  Breakdown = "level"
	ByMonth  Breakdown = "month"
)

// SkillsUnmetPosition identifies the last row of a page of unmet skills, by the values that sort
// the rows. A cursor contains it.
type SkillsUnmetPosition struct {
	Rank         int    `json:"r"`
	Score        *int64 `json:"c"` // score times 10,000; nil sorts last
	AdvertsShare int64  `json:"a"` // share in tenths of a per cent
	Skill        string `json:"k"`
	// place, sector, SOC code, level or month of the row; empty if the query has no By
	Bucket string `json:"b,omitempty"`
}

// CourseDemandQuery is a query for counts of people in training, such as apprenticeship starts.
type CourseDemandQuery struct {
	Country     string // ISO 3166-1 alpha-2 code, such as GB
	Region      string // official code of a region; empty = national figures
	Metric      string `query:"metric" enum:"apprenticeship_starts,further_education_enrolments,skills_bootcamp_starts" doc:"Measure kind; without it, all kinds."`
	SubjectArea string `query:"subject_area" maxLength:"200" example:"Health, Public Services and Care" doc:"Name of a subject area, in any letter case; without it, all areas."`
	Limit       int
}

// SkillsGapsQuery is a query for forecast skills gaps by occupation.
type SkillsGapsQuery struct {
	Country string // ISO 3166-1 alpha-2 code, such as GB
	Region  string // official code of a region; empty = the whole country
	SOC     string `query:"soc" pattern:"^[0-9][0-9-]{0,6}$" patternDescription:"the beginning of an occupation code, such as 2136 (SOC 2020) or 15-1252 (United States)" doc:"Beginning of an occupation code in the country's classification."`
	Horizon int    `query:"horizon" minimum:"2000" maximum:"2100" example:"2035" doc:"Last year of the projection."`
	Limit   int
}

// EvidenceQuery is a query for published evidence about the labour market, such as reports and
// projections, newest first.
type EvidenceQuery struct {
	Country string            // ISO 3166-1 alpha-2 code, such as GB
	Region  string            // official code of a region; empty = no filter
	SOC     string            `query:"soc" pattern:"^[0-9][0-9-]{0,6}$" patternDescription:"the beginning of an occupation code, such as 2136 (SOC 2020) or 15-1252 (United States)" doc:"Beginning of an occupation code."`
	Kind    string            `query:"kind" enum:"statistic,projection,report,news" doc:"Kind of publication; without it, all kinds."`
	After   *EvidencePosition `parameter:"-"`
	Limit   int
}

// EvidencePosition identifies the last row of a page of evidence, by the values that sort the rows.
// A cursor contains it.
type EvidencePosition struct {
	PublishedOn time.Time `json:"p"` // day of publication, at midnight UTC
	ID          string    `json:"i"`
}

// SourcesQuery is a query for all sources of the data.
type SourcesQuery struct {
	At time.Time `parameter:"-"` // time of the request, to tell which sources are stale
}

// RegionsQuery is a query for regions by kind and name, such as all travel-to-work areas.
type RegionsQuery struct {
	Kind  string `query:"kind" enum:"travel_to_work_area,council,lsip,itl,itl1,itl2,itl3,region,nation" default:"travel_to_work_area" doc:"Kind of geography: travel-to-work area, council, local skills improvement plan area, ITL region (itl for all three levels), region of England, nation."`
	Name  string `query:"name" maxLength:"100" example:"lond" doc:"Search by name, English or Welsh, in any letter case and with or without accents: every word must be the beginning of a word of the name."`
	Limit int
}

// JobsQuery is a query for live adverts of jobs, apprenticeships and training, newest first. ""
// means "no filter".
type JobsQuery struct {
	Borough string        `query:"borough" maxLength:"100" example:"camden" doc:"Slug of a borough or of another served area. An unknown one is 400. Without it, all."`
	Type    string        `query:"type" enum:"job,apprenticeship,training" doc:"Type of advert; without it, all types."`
	Sector  string        `query:"sector" maxLength:"100" example:"digital" doc:"Sector slug (one of the apprenticeship routes). An unknown one is 400."`
	SOC     string        `query:"soc" pattern:"^[0-9]{1,4}$" patternDescription:"1 to 4 digits of SOC 2020" example:"2136" doc:"Occupation code, SOC 2020; 1 to 3 digits select the whole group."`
	Search  string        `query:"q" maxLength:"100" example:"care assist" doc:"Search in title and employer, in any letter case and with or without accents: every word must be the beginning of a word there."`
	After   *JobsPosition `parameter:"-"`
	Limit   int
}

// JobsPosition identifies the last row of a page of jobs, by the values that sort the rows. A
// cursor contains it.
type JobsPosition struct {
	PostedAt  time.Time `json:"p"`
	FirstSeen time.Time `json:"f"`
	ID        string    `json:"i"`
}

// EventsQuery is a query for the events that one partner may see: its own, and the clicks and
// opportunities without a partner.
type EventsQuery struct {
	Partner string // name of the partner who may see the events
	Type    string // type of event; empty = all types
	// earliest time, inclusive; with it the oldest events come first, without it the newest
	Since *time.Time
	Page  int // number of the page, from 1
	Limit int
}

// EventsPage is one page of events.
type EventsPage struct {
	Rows  []EventsRow
	Total int64 // number of events that match the query, on all pages
	// PartnerEventsMissing is true if this server's data directory does not have the partners' events, so
	// that the response lacks them.
	PartnerEventsMissing bool
}

// EmbargoedQuery is a query for rows of one of the six embargoed datasets (demand, trends, outlook,
// reach, signals, priorities). "" and 0 mean "no filter". Each dataset uses only some of the
// fields.
type EmbargoedQuery struct {
	// first digits of an occupation code; used by the datasets demand, trends and outlook
	SOC       string
	Digits    int    // length of the occupation codes, 1 to 4 digits; used by the dataset trends
	Direction string // growing, shrinking or steady occupations; used by the dataset trends
	Country   string // ISO 3166-1 alpha-2 code, always set; used by the dataset outlook
	// official code of a region; used by the datasets outlook (empty = the whole country) and
	// priorities (empty = no filter)
	Region   string
	Months   int                // months to the forecast horizon, such as 12; used by the dataset outlook
	Ward     string             // official code of a ward, such as E05000128; used by the dataset reach
	Council  string             // official code of a council, for its wards; used by the dataset reach
	WithinKM int                // distance in kilometres: 5, 10 or 20; used by the dataset reach
	Topic    string             // topic of the publication, such as vacancies; used by the dataset signals
	Kind     string             // occupation, sector or skill; used by the dataset priorities
	After    *EmbargoedPosition `parameter:"-"`
	Limit    int
}

// EmbargoedPosition identifies the last row of a page of an embargoed dataset. Position is the
// row's number in the unfiltered list, from 1.
type EmbargoedPosition struct {
	Position int64 `json:"p"`
}

// Scan implements sql.Scanner: it reads a row number from a database column.
func (p *EmbargoedPosition) Scan(v any) error { return scanInt(v, &p.Position) }

// CursorPosition returns the values that identify this row in the list of unmet skills. A cursor
// that contains them continues after the row.
func (r SkillsUnmetRow) CursorPosition() SkillsUnmetPosition {
	p := SkillsUnmetPosition{Rank: r.Rank, Score: r.Score.TenThousandths, AdvertsShare: int64(r.AdvertsShare.Tenths),
		Skill: r.Skill}
	if r.Bucket != nil {
		p.Bucket = *r.Bucket
	}
	return p
}

// CursorPosition returns the values that identify this row in the list of evidence. A cursor that
// contains them continues after the row.
func (r EvidenceRow) CursorPosition() EvidencePosition {
	return EvidencePosition{PublishedOn: r.PublishedOn.Time(), ID: r.ID}
}

// CursorPosition returns the values that identify this row in the list of jobs. A cursor that
// contains them continues after the row.
func (r JobsRow) CursorPosition() JobsPosition {
	return JobsPosition{PostedAt: r.PostedAt.Time(), FirstSeen: r.FirstSeenAt.Time(), ID: r.ID}
}

// CursorPosition returns the row's number in the list of demand by occupation. A cursor that
// contains it continues after the row.
func (r DemandRow) CursorPosition() EmbargoedPosition { return r.At }

// CursorPosition returns the row's number in the list of trends. A cursor that contains it
// continues after the row.
func (r TrendsRow) CursorPosition() EmbargoedPosition { return r.At }

// CursorPosition returns the row's number in the list of outlooks. A cursor that contains it
// continues after the row.
func (r OutlookRow) CursorPosition() EmbargoedPosition { return r.At }

// CursorPosition returns the row's number in the list of vacancies near each ward. A cursor that
// contains it continues after the row.
func (r ReachRow) CursorPosition() EmbargoedPosition { return r.At }

// CursorPosition returns the row's number in the list of signals. A cursor that contains it
// continues after the row.
func (r SignalsRow) CursorPosition() EmbargoedPosition { return r.At }

// CursorPosition returns the row's number in the list of local priorities. A cursor that contains
// it continues after the row.
func (r PrioritiesRow) CursorPosition() EmbargoedPosition { return r.At }
