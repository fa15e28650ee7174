// Package staging holds the coded rows between reading and counting cells: typed
// Parquet files in the protected zone, in bounded memory. Advert text and every
// other wording stop before here; what is staged is codes, dates and pseudonyms,
// and of live adverts that may be shown as they are the few lines that are shown.
package staging

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// Advert is one advert that was read, coded.
type Advert struct {
	Ordinal  int32     `col:"ordinal"` // position among all adverts read, from 0
	ID       string    `col:"id"`      // the publisher's id
	Source   string    `col:"source"`
	Sector   string    `col:"sector"`   // slug; "" = not known
	SOC      string    `col:"soc"`      // unit group; "" = not known
	Employer string    `col:"employer"` // normalised name
	Posted   time.Time `col:"posted"`
}

// AdvertPlace is one council in which the work of an advert is.
type AdvertPlace struct {
	Ordinal int32  `col:"ordinal"`
	Code    string `col:"code"`
}

// AdvertSkill is one skill that an advert asks for.
type AdvertSkill struct {
	Ordinal int32 `col:"ordinal"`
	Skill   int16 `col:"skill"` // number of the skill, see package cells
	Level   int8  `col:"level"` // 1 to 5; 0 = not stated
}

// Verdict is what the counting rules said of an advert.
type Verdict struct {
	Ordinal   int32 `col:"ordinal"`
	CountedAs int32 `col:"counted_as"` // ordinal of the counted advert of the same vacancy; -1 = excluded
}

// Resident is a pseudonymous person.
type Resident struct {
	Ordinal      int32  `col:"ordinal"` // position among all residents read, from 0
	ID           string `col:"id"`
	Borough      string `col:"borough"`
	SeekingWork  bool   `col:"seeking_work"`
	SectorSought string `col:"sector_sought"`
}

// ResidentSkill is one skill that a resident has.
type ResidentSkill struct {
	Resident int32 `col:"resident"` // ordinal
	Skill    int16 `col:"skill"`    // number of the skill
	Level    int8  `col:"level"`
}

// Outcome is an application that ended in hired or turned down and asked for at least
// one skill of the register.
type Outcome struct {
	Ordinal     int32     `col:"ordinal"` // position among all outcomes, from 0
	Application string    `col:"application"`
	Resident    string    `col:"resident"`
	Advert      string    `col:"advert"` // id within the platform's feed
	Hired       bool      `col:"hired"`  // else turned down
	RecordedAt  time.Time `col:"recorded_at"`
}

// OutcomeSkill is one skill that the role of such an application asked for.
type OutcomeSkill struct {
	Outcome       int32 `col:"outcome"` // ordinal
	Skill         int16 `col:"skill"`   // number of the skill
	AskedLevel    int8  `col:"asked_level"`
	HeldLevel     int8  `col:"held_level"` // 0 = no record of it
	TurnedDownFor bool  `col:"turned_down_for"`
}

// Statistic is one published figure on courses.
type Statistic struct {
	Ordinal     int32     `col:"ordinal"` // order of reading: of two figures for one thing the later one is taken
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

func column(name string, t snapshots.Type) snapshots.Column {
	return snapshots.Column{Name: name, Type: t}
}

// schemas are the columns of each staged file, in the order of the struct.
var schemas = map[string][]snapshots.Column{
	"adverts": {column("ordinal", snapshots.Int32), column("id", snapshots.Text), column("source", snapshots.Text),
		column("sector", snapshots.Text), column("soc", snapshots.Text), column("employer", snapshots.Text), column("posted", snapshots.Day)},
	"advert_places": {column("ordinal", snapshots.Int32), column("code", snapshots.Text)},
	"advert_skills": {column("ordinal", snapshots.Int32), column("skill", snapshots.Int16), column("level", snapshots.Int8)},
	"verdicts":      {column("ordinal", snapshots.Int32), column("counted_as", snapshots.Int32)},
	"residents": {column("ordinal", snapshots.Int32), column("id", snapshots.Text), column("borough", snapshots.Text), column("seeking_work", snapshots.Bool),
		column("sector_sought", snapshots.Text)},
	"resident_skills": {column("resident", snapshots.Int32), column("skill", snapshots.Int16), column("level", snapshots.Int8)},
	"outcomes": {column("ordinal", snapshots.Int32), column("application", snapshots.Text), column("resident", snapshots.Text),
		column("advert", snapshots.Text), column("hired", snapshots.Bool), column("recorded_at", snapshots.Timestamp)},
	"outcome_skills": {column("outcome", snapshots.Int32), column("skill", snapshots.Int16), column("asked_level", snapshots.Int8), column("held_level", snapshots.Int8), column("turned_down_for", snapshots.Bool)},
	"statistics": {column("ordinal", snapshots.Int32), column("source_key", snapshots.Text), column("metric", snapshots.Text),
		column("country", snapshots.Text), column("region_code", snapshots.Text), column("region_name", snapshots.Text),
		column("region_kind", snapshots.Text), column("subject_area", snapshots.Text), column("period_end", snapshots.Day),
		column("series", snapshots.Text), {Name: "value", Type: snapshots.Int64, Nullable: true}, column("value_status", snapshots.Text),
		column("published_on", snapshots.Day)},
	"jobs":          jobColumns(),
	"events":        eventColumns(),
	"shared":        sharedColumns(),
	"shared_places": sharedPlaceColumns(),
}

// distinct are the texts of each file that hardly come twice.
var distinct = map[string][]string{
	"adverts":   {"id"},
	"residents": {"id"},
	"outcomes":  {"application", "resident", "advert"},
	"jobs":      {"id", "title", "link"},
	"events":    {"id"},
}

// Names lists the staged files, in the order in which they are opened.
func Names() []string {
	return []string{"adverts", "advert_places", "advert_skills", "verdicts", "residents", "resident_skills", "outcomes", "outcome_skills", "statistics",
		"jobs", "events", "shared", "shared_places"}
}

// Stage is the open staged files of one run.
type Stage struct {
	Dir            string
	Adverts        *parquetio.ScratchWriter[Advert]
	AdvertPlaces   *parquetio.ScratchWriter[AdvertPlace]
	AdvertSkills   *parquetio.ScratchWriter[AdvertSkill]
	Verdicts       *parquetio.ScratchWriter[Verdict]
	Residents      *parquetio.ScratchWriter[Resident]
	ResidentSkills *parquetio.ScratchWriter[ResidentSkill]
	Outcomes       *parquetio.ScratchWriter[Outcome]
	OutcomeSkills  *parquetio.ScratchWriter[OutcomeSkill]
	Statistics     *parquetio.ScratchWriter[Statistic]
	Jobs           *parquetio.ScratchWriter[Job]
	Events         *parquetio.ScratchWriter[snapshots.EventsRow]
	Shared         *parquetio.ScratchWriter[Shared]
	SharedPlaces   *parquetio.ScratchWriter[SharedPlace]
}

// Create starts an empty stage in dir, which is made anew: what a killed run left
// is removed.
func Create(dir string) (*Stage, error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, fmt.Errorf("clear staging: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create staging: %w", err)
	}
	s := &Stage{Dir: dir}
	err := errors.Join(open(dir, "adverts", &s.Adverts), open(dir, "advert_places", &s.AdvertPlaces),
		open(dir, "advert_skills", &s.AdvertSkills), open(dir, "verdicts", &s.Verdicts),
		open(dir, "residents", &s.Residents), open(dir, "resident_skills", &s.ResidentSkills),
		open(dir, "outcomes", &s.Outcomes), open(dir, "outcome_skills", &s.OutcomeSkills), open(dir, "statistics", &s.Statistics),
		open(dir, "jobs", &s.Jobs), open(dir, "events", &s.Events),
		open(dir, "shared", &s.Shared), open(dir, "shared_places", &s.SharedPlaces))
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func open[T any](dir, name string, into **parquetio.ScratchWriter[T]) error {
	w, err := parquetio.CreateScratch[T](filepath.Join(dir, name+".parquet"), schemas[name], distinct[name])
	if err != nil {
		return fmt.Errorf("stage %s: %w", name, err)
	}
	*into = w
	return nil
}

// Close ends every file; the stage can then be counted.
func (s *Stage) Close() error {
	return errors.Join(closeWriter(s.Adverts), closeWriter(s.AdvertPlaces), closeWriter(s.AdvertSkills),
		closeWriter(s.Verdicts), closeWriter(s.Residents), closeWriter(s.ResidentSkills),
		closeWriter(s.Outcomes), closeWriter(s.OutcomeSkills), closeWriter(s.Statistics),
		closeWriter(s.Jobs), closeWriter(s.Events),
		closeWriter(s.Shared), closeWriter(s.SharedPlaces))
}

func closeWriter[T any](w *parquetio.ScratchWriter[T]) error {
	if w == nil {
		return nil
	}
	return w.Close()
}
