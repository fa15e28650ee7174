package labourdata

import (
	"time"

	"labour/snapshots/figure"
)

// SkillsUnmetRow ranks one skill, or one bucket of a skill.
type SkillsUnmetRow struct {
	Rank           int // from 1, in the whole list for the filters
	Skill          string
	SkillName      string
	Level          int // level usually asked, 1 to 5
	LevelName      string
	SourceKey      string         // platform
	AdvertsShare   figure.Tenths  // of the adverts that match the filters
	PeopleBelow    *figure.Tenths // nil = not published
	TurnedDown     figure.Count
	HiredWith      *figure.Tenths // nil = not published
	TurnedDownWith *figure.Tenths // nil = not published
	Difference     *figure.Tenths // HiredWith - TurnedDownWith of the printed values; nil when either is
	Score          *int64         // hundredths, from the printed values; nil when PeopleBelow is
	Bucket         *string        // set when the question had By, else nil
	BucketName     *string        // set when Bucket is
}

// CourseDemandRow is one count of people in training.
type CourseDemandRow struct {
	SourceKey     string
	Metric        string
	RegionCode    string
	RegionName    string
	SubjectArea   string
	PeriodEnd     time.Time // midnight UTC
	Value         figure.Count
	PreviousValue figure.Count   // of the same period one year before
	Change        *figure.Tenths // nil when either value is not a number or the previous one is 0
}

// SkillsGapsRow is one projection for one occupation.
type SkillsGapsRow struct {
	SOC               string
	Occupation        string
	Classification    string // SOC2020, or SOC2018-US for country US
	Country           string
	RegionCode        *string // nil = the country
	SourcesAgreeing   int
	PointingSources   []string // keys, sorted; never nil
	BaseYear          *int
	HorizonYear       *int
	ProjectedChange   *figure.Tenths
	ProjectedOpenings *int64
	SourceKey         string
}

// EvidenceRow is one piece of published evidence.
type EvidenceRow struct {
	ID          string
	PublishedOn time.Time // midnight UTC
	Title       string
	Statement   string
	Kind        string
	Signal      string
	SOC         *string
	RegionCode  *string
	Country     string
	SourceKey   string
	Licence     string
	Link        string
}

// SourcesRow describes one receivable source.
type SourcesRow struct {
	Key                  string
	Publisher            string
	Title                string
	Kind                 string
	Licence              string
	Link                 string
	AttributionStatement string
	Cadence              Cadence
	LastSuccessAt        *time.Time // nil = never
	AdvertsCounted       bool
	Rows                 int64
}

// Cadence is how often a source is expected to publish.
type Cadence string

// The cadences.
const (
	Daily     Cadence = "daily"
	Weekly    Cadence = "weekly"
	Monthly   Cadence = "monthly"
	Quarterly Cadence = "quarterly"
	Annual    Cadence = "annual"
)

// After is the time so many cadences after t, by the calendar. A cadence that is
// not known is taken as daily, the strictest.
func (c Cadence) After(t time.Time, times int) time.Time {
	switch c {
	case Weekly:
		return t.AddDate(0, 0, 7*times)
	case Monthly:
		return t.AddDate(0, times, 0)
	case Quarterly:
		return t.AddDate(0, 3*times, 0)
	case Annual:
		return t.AddDate(times, 0, 0)
	}
	return t.AddDate(0, 0, times)
}

// Stale is true when there was never a success, or the last one is older than
// twice the cadence at the time of the call.
func (r SourcesRow) Stale(now time.Time) bool {
	return r.LastSuccessAt == nil || r.FreshUntil().Before(now)
}

// FreshUntil is the last moment at which a source with a success is not stale.
func (r SourcesRow) FreshUntil() time.Time { return r.Cadence.After(*r.LastSuccessAt, 2) }

// RegionsRow is one region with its official code.
type RegionsRow struct {
	Code       string
	Name       string
	NameWelsh  *string
	Kind       string
	NationCode *string // nil when it crosses nations
	Slug       *string // local skills improvement plan areas only
	SourceKey  string
}

// Position points at the row, for the page after it.
func (r SkillsUnmetRow) Position() SkillsUnmetPosition {
	p := SkillsUnmetPosition{Rank: r.Rank, Score: r.Score, AdvertsShare: int64(r.AdvertsShare), Skill: r.Skill}
	if r.Bucket != nil {
		p.Bucket = *r.Bucket
	}
	return p
}

// Position points at the row, for the page after it.
func (r EvidenceRow) Position() EvidencePosition {
	return EvidencePosition{PublishedOn: r.PublishedOn, ID: r.ID}
}
