// Package staging defines the temporary Parquet files in which a run keeps coded records until it
// counts them. "Staged" rows have codes, dates and pseudonyms, and no text of an advert. Only live
// adverts that may be published also have their published fields.
//
// The files are in the protected zone, the part of the data directory that is never published.
package staging

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources"
)

// Advert is one coded advert.
type Advert struct {
	Ordinal        int32     `col:"ordinal"`      // index among all adverts read, from 0
	ID             string    `col:"id"`           // the publisher's id
	Source         string    `col:"source"`       // source that delivered it
	FirstSource    string    `col:"first_source"` // source where it was first posted, for which it counts
	Sector         string    `col:"sector"`       // slug; "" = not known
	SOC            string    `col:"soc"`          // group of 2 to 4 digits; "" = not known
	Employer       string    `col:"employer"`     // normalised name
	Posted         time.Time `col:"posted"`
	PlacePrecision int8      `col:"placed"`   // a place.Precision
	Readable       bool      `col:"readable"` // has a text or a list of skills
}

// AdvertPlace is one council in which an advert's place of work is, or may be.
type AdvertPlace struct {
	Ordinal int32  `col:"ordinal"`
	Code    string `col:"code"`
	Sure    bool   `col:"sure"`
}

// AdvertArea is a served area (union of boroughs) in which an advert counts although its council is
// not known.
type AdvertArea struct {
	Ordinal int32  `col:"ordinal"`
	Area    string `col:"area"` // slug of the area
}

// AdvertSkill is one skill that an advert requires.
type AdvertSkill struct {
	Ordinal int32 `col:"ordinal"`
	Skill   int16 `col:"skill"` // number of the skill, see package cells
	Level   int8  `col:"level"` // 1 to 5; 0 = not stated
}

// Verdict is the result of the counting rules for an advert.
type Verdict struct {
	Ordinal   int32 `col:"ordinal"`
	CountedAs int32 `col:"counted_as"` // ordinal of the counted advert of the same vacancy; -1 = excluded
	// ordinal of the advert that represents it when people are counted, however old; -1 = none
	AppliedAs int32 `col:"applied_as"`
}

// Resident is one person on the platform, under a pseudonym.
type Resident struct {
	Ordinal      int32  `col:"ordinal"` // index among all residents read, from 0
	ID           string `col:"id"`
	Borough      string `col:"borough"`
	SeekingWork  bool   `col:"seeking_work"`
	SectorSought string `col:"sector_sought"`
}

// ResidentSkill is one skill that a resident has.
type ResidentSkill struct {
	Resident int32 `col:"resident"` // ordinal of the resident
	Skill    int16 `col:"skill"`    // index of the skill in the register of skills
	Level    int8  `col:"level"`
}

// Outcome is an application whose applicant was hired or turned down. It required at least one
// skill of the register.
type Outcome struct {
	Ordinal     int32     `col:"ordinal"` // index among all outcomes, from 0
	Application string    `col:"application"`
	Resident    string    `col:"resident"`
	Advert      string    `col:"advert"` // id within the platform's feed
	Hired       bool      `col:"hired"`  // true for hired, false for turned down
	RecordedAt  time.Time `col:"recorded_at" is:"moment"`
	Day         time.Time `col:"day"` // day of RecordedAt, as the feed prints it
}

// OutcomeSkill is one skill that the application required.
type OutcomeSkill struct {
	Outcome       int32 `col:"outcome"` // ordinal of the outcome
	Skill         int16 `col:"skill"`   // number of the skill
	AskedLevel    int8  `col:"asked_level"`
	HeldLevel     int8  `col:"held_level"` // 0 = no record of it
	TurnedDownFor bool  `col:"turned_down_for"`
}

// Statistic is one published figure on courses.
type Statistic struct {
	// Ordinal is the order of reading. Of two figures for the same thing, the one read first is used.
	Ordinal     int32     `col:"ordinal"`
	Source      string    `col:"source_key"`
	Metric      string    `col:"metric"`
	Country     string    `col:"country"`
	RegionCode  string    `col:"region_code"`
	RegionName  string    `col:"region_name"`
	RegionKind  string    `col:"region_kind"`
	SubjectArea string    `col:"subject_area"`
	PeriodEnd   time.Time `col:"period_end"`
	Series      string    `col:"series"`
	Value       *int64    `col:"value"`
	Status      string    `col:"value_status"`
	Published   time.Time `col:"published_on"`
}

// Stage holds the open staged files of one run, one for each kind of row.
type Stage struct {
	Dir            string
	Adverts        *parquetio.Writer[Advert]
	AdvertPlaces   *parquetio.Writer[AdvertPlace]
	AdvertAreas    *parquetio.Writer[AdvertArea]
	AdvertSkills   *parquetio.Writer[AdvertSkill]
	Verdicts       *parquetio.Writer[Verdict]
	Residents      *parquetio.Writer[Resident]
	ResidentSkills *parquetio.Writer[ResidentSkill]
	Outcomes       *parquetio.Writer[Outcome]
	OutcomeSkills  *parquetio.Writer[OutcomeSkill]
	Statistics     *parquetio.Writer[Statistic]
	Jobs           *parquetio.Writer[Job]
	Events         *parquetio.Writer[snapshots.EventsRow]
	Shared         *parquetio.Writer[SharedAdvert]
	SharedPlaces   *parquetio.Writer[SharedPlace]

	files []io.Closer
}

// Create creates the empty staged files in dir. It is an error if dir exists, so that rows of a
// killed run are not counted again.
func Create(dir string) (*Stage, error) {
	if err := errors.Join(os.MkdirAll(filepath.Dir(dir), 0o700), os.Mkdir(dir, 0o700)); err != nil {
		return nil, fmt.Errorf("create staging: %w", err)
	}
	s := &Stage{Dir: dir}
	err := errors.Join(
		create(s, "adverts", &s.Adverts), create(s, "advert_places", &s.AdvertPlaces),
		create(s, "advert_areas", &s.AdvertAreas),
		create(s, "advert_skills", &s.AdvertSkills), create(s, "verdicts", &s.Verdicts),
		create(s, "residents", &s.Residents),
		create(s, "resident_skills", &s.ResidentSkills), create(s, "outcomes", &s.Outcomes),
		create(s, "outcome_skills", &s.OutcomeSkills),
		create(s, "statistics", &s.Statistics), create(s, "jobs", &s.Jobs), create(s, "events", &s.Events),
		create(s, "shared", &s.Shared), create(s, "shared_places", &s.SharedPlaces))
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func create[T any](s *Stage, name string, to **parquetio.Writer[T]) error {
	w, err := parquetio.CreateScratch[T](filepath.Join(s.Dir, name+".parquet"))
	if err != nil {
		return fmt.Errorf("stage %s: %w", name, err)
	}
	*to, s.files = w, append(s.files, w)
	return nil
}

// Close completes every file. The rows can then be counted.
func (s *Stage) Close() (err error) {
	for _, w := range s.files {
		err = errors.Join(err, w.Close())
	}
	return err
}

// WriteRows writes rows to a separate file with a name in dir, and returns its path.
func WriteRows[T any](dir, name string, rows []T) (path string, err error) {
	path = filepath.Join(dir, name+".parquet")
	w, err := parquetio.CreateScratch[T](path)
	if err == nil {
		err = w.WriteAll(rows)
	}
	if err != nil {
		return "", fmt.Errorf("write %s: %w", name, err)
	}
	return path, nil
}

// SharedAdvert is an advert whose terms permit republishing it. Only such adverts are counted in the
// embargoed datasets.
type SharedAdvert struct {
	Ordinal int32 `col:"ordinal"` // ordinal of the advert
	// precedence of its source; of the adverts for one vacancy, the lowest precedence determines
	// the terms
	Precedence int32     `col:"precedence"`
	SourceKey  string    `col:"source_key"` // source whose terms apply
	Posted     time.Time `col:"posted"`
	Until      time.Time `col:"until"` // the last day on which it was live
}

// SharedPlace is one place of a SharedAdvert: a point or a council.
type SharedPlace struct {
	Ordinal   int32   `col:"ordinal"`
	Code      string  `col:"code"`      // code of the council; "" = a point
	Latitude  float64 `col:"latitude"`  // degrees north; 0 for a council
	Longitude float64 `col:"longitude"` // degrees east; 0 for a council
}

// Job holds the published fields of a live advert.
type Job struct {
	Ordinal int32 `col:"ordinal"` // ordinal of the advert
	// precedence of its source; of the adverts for one vacancy, the one with the lowest is
	// published
	Precedence int32      `col:"precedence"`
	ID         string     `col:"id"` // source key and the publisher's id
	Type       string     `col:"type"`
	Title      string     `col:"title"`
	Employer   string     `col:"employer"`
	Sector     string     `col:"sector"`
	SOC        string     `col:"soc"`
	SalaryText *string    `col:"salary_text"`
	PostedAt   time.Time  `col:"posted_at" is:"moment"`
	FirstSeen  time.Time  `col:"first_seen" is:"moment"` // when the extract with the advert was fetched
	ClosesOn   *time.Time `col:"closes_on"`
	Link       *string    `col:"link"`
	SourceKey  string     `col:"source_key"` // source whose terms apply
}

// Evidence is one published piece of evidence, or one projection, of a source.
type Evidence struct {
	Ordinal     int32     `col:"ordinal"` // order of reading
	SourceKey   string    `col:"source_key"`
	ID          string    `col:"id"`
	Published   time.Time `col:"published"`
	Title       string    `col:"title"`
	Statement   string    `col:"statement"`
	Link        string    `col:"link"`
	Kind        string    `col:"kind"`
	Signal      string    `col:"signal"`
	SOC         string    `col:"soc"`
	Class       string    `col:"class"`
	Occupation  string    `col:"occupation"`
	RegionCode  string    `col:"region_code"`
	Country     string    `col:"country"`
	BaseYear    int32     `col:"base_year"`    // 0 = not stated
	HorizonYear int32     `col:"horizon_year"` // 0 = not stated
	ChangePct   *float64  `col:"change_pct"`
	Openings    *int64    `col:"openings"`
	Embargoed   bool      `col:"embargoed"`
}

// EvidenceRows converts records of evidence to staged rows.
func EvidenceRows(list []sources.Evidence) []Evidence {
	rows := make([]Evidence, len(list))
	for i, e := range list {
		rows[i] = Evidence{Ordinal: int32(i), SourceKey: e.Source, ID: e.ID, Published: e.Published.Time(),
			Title: e.Title, Statement: e.Statement, Link: e.Link, Kind: e.Kind, Signal: e.Signal, SOC: e.SOC,
			Class: e.Class, Occupation: e.Occupation, RegionCode: e.RegionCode, Country: e.Country,
			BaseYear:    int32(e.BaseYear),
			HorizonYear: int32(e.HorizonYear), ChangePct: e.ChangePct, Openings: e.Openings, Embargoed: e.Embargoed}
	}
	return rows
}
