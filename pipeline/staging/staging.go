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

// Advert is a row of a staged file: one advert with its coding. Staged files are the intermediate
// files that the queries count.
type Advert struct {
	Ordinal int32  `col:"ordinal"` // index among all adverts read, from 0
	ID      string `col:"id"`      // id of the advert at its publisher
	Source  string `col:"source"`  // key of the source that delivered the advert
	// position of this source in the configured order, from 0
	Precedence int32 `col:"precedence"`
	// key of the source where the advert was posted first, for which it is counted
	FirstSource string    `col:"first_source"`
	Sector      string    `col:"sector"`   // slug of the sector; "" = not known
	SOC         string    `col:"soc"`      // SOC 2020 code of 2 to 4 digits; "" = not known
	Employer    string    `col:"employer"` // name of the employer in normalised form
	Posted      time.Time `col:"posted"`
	// how precisely the place is known, as a place.Precision
	PlacePrecision int8 `col:"placed"`
	Readable       bool `col:"readable"` // true if the advert has a text or a list of skills
}

// AdvertPlace is one council where the work of an advert is. IsCertain is false if the council is
// only possible.
type AdvertPlace struct {
	Ordinal     int32  `col:"ordinal"`
	CouncilCode string `col:"code"`
	IsCertain   bool   `col:"sure"`
}

// AdvertArea means that a served area (a union of boroughs) counts an advert. The advert's council
// is not known.
type AdvertArea struct {
	Ordinal int32  `col:"ordinal"`
	Area    string `col:"area"` // slug of the served area
}

// AdvertSkill is one skill that an advert requires.
type AdvertSkill struct {
	Ordinal int32 `col:"ordinal"`
	Skill   int16 `col:"skill"` // index of the skill in the register of skills
	Level   int8  `col:"level"` // required level, 1 to 5; 0 = not stated
}

// AdvertVacancy is the result of the counting rules for one advert. It states which advert is
// counted for the same vacancy (see counting.Verdict).
type AdvertVacancy struct {
	Ordinal int32 `col:"ordinal"`
	// ordinal of the advert that is counted for this advert's vacancy; -1 = this advert is excluded
	// for another reason than being a duplicate
	CountedAs int32 `col:"counted_as"`
	// ordinal of the advert, however old, to which applications for the vacancy are assigned; -1 =
	// none
	AppliedAs int32 `col:"applied_as"`
}

// Resident is one person registered with the platform, under a pseudonym.
type Resident struct {
	Ordinal      int32  `col:"ordinal"` // index among all residents read, from 0
	ID           string `col:"id"`
	Borough      string `col:"borough"`
	SeekingWork  bool   `col:"seeking_work"`
	SectorSought string `col:"sector_sought"`
}

// ResidentSkill is one recorded skill of a resident.
type ResidentSkill struct {
	Resident int32 `col:"resident"` // ordinal of the resident who has the skill
	Skill    int16 `col:"skill"`    // index of the skill in the register of skills
	Level    int8  `col:"level"`
}

// ApplicationOutcome is one application whose applicant was hired or turned down. The job required
// at least one known skill.
type ApplicationOutcome struct {
	Ordinal       int32  `col:"ordinal"` // index among all outcomes read, from 0
	ApplicationID string `col:"application"`
	ResidentID    string `col:"resident"`
	AdvertID      string `col:"advert"` // id of the advert within the platform's feed
	Hired         bool   `col:"hired"`  // true if the applicant was hired, false if turned down
	// time at which the outcome was recorded, in microseconds since 1970
	RecordedMicros int64     `col:"recorded_micros"`
	Day            time.Time `col:"day"` // day of that time in the time zone that the feed gives
}

// OutcomeSkill is one skill that the job of an application required.
type OutcomeSkill struct {
	Outcome       int32 `col:"outcome"` // ordinal of the application's outcome
	Skill         int16 `col:"skill"`   // index of the skill in the register of skills
	RequiredLevel int8  `col:"asked_level"`
	// level that the applicant has on record, 1 to 5; 0 = none
	RecordedLevel int8 `col:"held_level"`
	TurnedDownFor bool `col:"turned_down_for"`
}

// Statistic is one official figure, such as a number of apprenticeship starts.
type Statistic struct {
	// Ordinal is the position in the order of reading, from 1. If several figures are for the same
	// place, subject and period, the first one is used.
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

// StagedFiles holds the open staged files, which are the intermediate files of a build. There is
// one for each type of row. The queries of the build count their rows.
type StagedFiles struct {
	Dir              string
	Adverts          *parquetio.Writer[Advert]
	AdvertPlaces     *parquetio.Writer[AdvertPlace]
	AdvertAreas      *parquetio.Writer[AdvertArea]
	AdvertSkills     *parquetio.Writer[AdvertSkill]
	AdvertVacancies  *parquetio.Writer[AdvertVacancy]
	Residents        *parquetio.Writer[Resident]
	ResidentSkills   *parquetio.Writer[ResidentSkill]
	Outcomes         *parquetio.Writer[ApplicationOutcome]
	OutcomeSkills    *parquetio.Writer[OutcomeSkill]
	Statistics       *parquetio.Writer[Statistic]
	Jobs             *parquetio.Writer[Job]
	Events           *parquetio.Writer[snapshots.EventsRow]
	ShareableAdverts *parquetio.Writer[ShareableAdvert]
	ShareablePlaces  *parquetio.Writer[ShareablePlace]

	files []io.Closer
}

// eventsName is the name of the intermediate file of events, without ".parquet".
const eventsName = "events"

// EventsFile returns the path of the intermediate file of events. dir is the directory of the
// intermediate files.
func EventsFile(dir string) string { return filepath.Join(dir, eventsName+".parquet") }

// Create creates empty intermediate files in the new directory dir. It is an error if dir exists,
// because it may have rows of an interrupted run.
func Create(dir string) (*StagedFiles, error) {
	if err := errors.Join(os.MkdirAll(filepath.Dir(dir), 0o700), os.Mkdir(dir, 0o700)); err != nil {
		return nil, fmt.Errorf("create staging: %w", err)
	}
	s := &StagedFiles{Dir: dir}
	err := errors.Join(
		create(s, "adverts", &s.Adverts), create(s, "advert_places", &s.AdvertPlaces),
		create(s, "advert_areas", &s.AdvertAreas),
		create(s, "advert_skills", &s.AdvertSkills), create(s, "advert_vacancies", &s.AdvertVacancies),
		create(s, "residents", &s.Residents),
		create(s, "resident_skills", &s.ResidentSkills), create(s, "outcomes", &s.Outcomes),
		create(s, "outcome_skills", &s.OutcomeSkills),
		create(s, "statistics", &s.Statistics), create(s, "jobs", &s.Jobs), create(s, eventsName, &s.Events),
		create(s, "shared", &s.ShareableAdverts), create(s, "shared_places", &s.ShareablePlaces))
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func create[T any](s *StagedFiles, name string, to **parquetio.Writer[T]) error {
	w, err := parquetio.CreateTemporaryFile[T](filepath.Join(s.Dir, name+".parquet"))
	if err != nil {
		return fmt.Errorf("stage %s: %w", name, err)
	}
	*to, s.files = w, append(s.files, w)
	return nil
}

// Close finishes all intermediate files. Their rows can then be counted.
func (s *StagedFiles) Close() (err error) {
	for _, w := range s.files {
		err = errors.Join(err, w.Close())
	}
	return err
}

// WriteRows writes rows to a Parquet file in dir, and returns its path. name is the name of the
// file without ".parquet".
func WriteRows[T any](dir, name string, rows []T) (path string, err error) {
	path = filepath.Join(dir, name+".parquet")
	w, err := parquetio.CreateTemporaryFile[T](path)
	if err == nil {
		err = w.WriteAll(rows)
	}
	if err != nil {
		return "", fmt.Errorf("write %s: %w", name, err)
	}
	return path, nil
}

// ShareableAdvert is an advert whose sources permit publishing it unchanged. The embargoed
// datasets, which are published only under a condition, count only these adverts.
type ShareableAdvert struct {
	Ordinal int32 `col:"ordinal"` // index of the advert among all adverts read, from 0
	// position of the advert's source in the configured order; if a vacancy has several adverts, the
	// licence terms of the one with the lowest position apply
	Precedence int32     `col:"precedence"`
	SourceKey  string    `col:"source_key"` // key of the source whose terms apply to the advert
	Posted     time.Time `col:"posted"`
	LiveUntil  time.Time `col:"until"` // last day on which the advert was live
}

// ShareablePlace is one place of work of a ShareableAdvert. It is a point or a council.
type ShareablePlace struct {
	Ordinal     int32   `col:"ordinal"`
	CouncilCode string  `col:"code"`      // code of the council; "" if the place is a point
	Latitude    float64 `col:"latitude"`  // latitude of the point in degrees north; 0 for a council
	Longitude   float64 `col:"longitude"` // longitude of the point in degrees east; 0 for a council
}

// Job is a live advert with the fields that the table jobs publishes.
type Job struct {
	Ordinal int32 `col:"ordinal"` // index of the advert among all adverts read, from 0
	// position of the advert's source in the configured order; if a vacancy has several adverts, the
	// one with the lowest position is published
	Precedence int32 `col:"precedence"`
	// source key and the publisher's id of the advert, joined by a colon
	ID         string    `col:"id"`
	Type       string    `col:"type"`
	Title      string    `col:"title"`
	Employer   string    `col:"employer"`
	Sector     string    `col:"sector"`
	SOC        string    `col:"soc"`
	SalaryText *string   `col:"salary_text"`
	PostedAt   time.Time `col:"posted_at" is:"moment"`
	// time of the first fetch that had the advert
	FirstSeen time.Time  `col:"first_seen" is:"moment"`
	ClosesOn  *time.Time `col:"closes_on"`
	Link      *string    `col:"link"`
	SourceKey string     `col:"source_key"` // key of the source whose terms apply to the advert
}

// Evidence is one published statement about skills, or one projection of a skills gap.
type Evidence struct {
	Ordinal        int32     `col:"ordinal"` // position in the order of reading, from 0
	SourceKey      string    `col:"source_key"`
	ID             string    `col:"id"`
	Published      time.Time `col:"published"`
	Title          string    `col:"title"`
	Statement      string    `col:"statement"`
	Link           string    `col:"link"`
	Kind           string    `col:"kind"`
	Signal         string    `col:"signal"`
	SOC            string    `col:"soc"`
	Classification string    `col:"class"`
	Occupation     string    `col:"occupation"`
	RegionCode     string    `col:"region_code"`
	Country        string    `col:"country"`
	// year from which the projection starts; 0 = not stated
	BaseYear int32 `col:"base_year"`
	// year for which the projection is made; 0 = not stated
	HorizonYear int32    `col:"horizon_year"`
	ChangePct   *float64 `col:"change_pct"`
	Openings    *int64   `col:"openings"`
	Embargoed   bool     `col:"embargoed"`
}

// EvidenceRows converts records of evidence to rows of an intermediate file.
func EvidenceRows(list []sources.Evidence) []Evidence {
	rows := make([]Evidence, len(list))
	for i, e := range list {
		rows[i] = Evidence{Ordinal: int32(i), SourceKey: e.Source, ID: e.ID, Published: e.Published.Time(),
			Title: e.Title, Statement: e.Statement, Link: e.Link, Kind: e.Kind, Signal: e.Signal, SOC: e.SOC,
			Classification: e.Class, Occupation: e.Occupation, RegionCode: e.RegionCode, Country: e.Country,
			BaseYear:    int32(e.BaseYear),
			HorizonYear: int32(e.HorizonYear), ChangePct: e.ChangePct, Openings: e.Openings, Embargoed: e.Embargoed}
	}
	return rows
}
