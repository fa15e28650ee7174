package sources

// The records that only the held datasets are made of.

// Ward is one electoral ward with its middle, from which distances are measured.
type Ward struct {
	Source    string
	Code      string // national statistics code: E05, W05, S13 or N08 and six digits
	Name      string
	Council   string  // code of its council
	Latitude  float64 // degrees north, WGS 84
	Longitude float64 // degrees east, WGS 84
	Edition   string  // year of the code list, "2025"
}

// Topic is what a publication on the labour market is about, out of the closed list
// of the connector that read it. In a sentence its underscores are spaces.
type Topic string

// Headline is one publication of a feed on the labour market. It holds none of the
// publisher's words: they are turned into topics where the feed is read.
type Headline struct {
	Source    string
	ID        string // the publisher's own, unique within Source
	Published Date
	Topics    []Topic // at least one
	Link      string  // where it can be read
}

// The kinds of Priority.
const (
	PriorityOccupation = "occupation"
	PrioritySector     = "sector"
	PrioritySkill      = "skill"
)

// Priority is one thing that a plan lists as in demand, coded by whoever read the
// plan.
type Priority struct {
	Source     string
	Plan       string // id of the plan
	Title      string // what the plan is called
	RegionCode string // national statistics code of its area
	Kind       string // occupation, sector or skill
	Code       string // SOC 2020 code of 1 to 4 digits, sector slug or skill slug
	Page       string // "" = not paged
	Published  Date
	Link       string // where the plan can be read
}

func (Ward) record()     {}
func (Headline) record() {}
func (Priority) record() {}
