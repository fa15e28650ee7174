package labourdata

import (
	"context"
	"time"

	"labour/snapshots/figure"
)

// Platform answers the questions of the endpoints beside the labour data, from the
// platform's own records.
type Platform interface {
	// Jobs are the live adverts that may be shown, newest first.
	Jobs(ctx context.Context, q JobsQuery) (Page[JobsRow], error)
	// Pathways are the published careers pathways, ordered by slug.
	Pathways(ctx context.Context) ([]Pathway, error)
	// Candidates are the counts of residents.
	Candidates(ctx context.Context) (Candidates, error)
	// S106 is the headline counts of a place; "" is the whole platform.
	S106(ctx context.Context, place string) (S106, error)
	// Events are what one partner may see of what happened.
	Events(ctx context.Context, q EventsQuery) (EventsPage, error)
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
	PostedAt time.Time `json:"p"`
	ID       string    `json:"i"`
}

// JobsRow is one live advert.
type JobsRow struct {
	ID       string
	Type     string
	Title    string
	Employer string
	// Borough is where the work is: of several the first one by slug that the
	// question asked for. Nil when it is in no served borough.
	Borough              *string
	BoroughName          *string
	Sector               *string
	SOC                  *string
	SalaryText           *string
	PostedAt             time.Time
	ClosesOn             *time.Time
	Link                 *string
	SourceKey            string
	AttributionStatement string
}

// Pathway is a published careers pathway.
type Pathway struct {
	ID, Slug, Title, Summary, Sector string
	Steps                            []PathwayStep
	Standards                        []Standard
	UpdatedOn                        time.Time
}

// PathwayStep is one step of a pathway, in order.
type PathwayStep struct {
	Order       int
	Title       string
	Description string
	SOC         *string
	Level       *int // 1 to 8
}

// Standard is an apprenticeship standard.
type Standard struct {
	Code  string
	Title string
	Level int // 2 to 7
}

// Candidates are the printed counts of residents.
type Candidates struct {
	Residents   figure.Count
	SeekingWork figure.Count
	ByBorough   []CandidatesGroup // by name of the place
	ByLevel     []CandidatesGroup // 1 to 5
	BySector    []CandidatesGroup // by name of the sector
}

// CandidatesGroup is one value of a breakdown.
type CandidatesGroup struct {
	Value string // place slug, level or sector slug
	Name  string
	Count figure.Count
}

// S106 is the headline counts of one place or the whole platform.
type S106 struct {
	Developments           int64
	Obligations            int64
	JobsCreated            int64
	ApprenticeshipsStarted int64
	LocalPeopleEmployed    figure.Count
	TrainingPlaces         int64
	ContributionsGBP       int64
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
}

// EventsRow is one thing that happened.
type EventsRow struct {
	ID         string
	Type       string
	OccurredAt time.Time
	Advert     *string
	Borough    *string
	Outcome    *string
}
