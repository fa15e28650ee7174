package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"labour/pipeline/coding"
	"labour/pipeline/coding/area"
	"labour/pipeline/coding/place"
	"labour/pipeline/corrections"
	"labour/pipeline/counting"
	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/onsoccupations"
)

// build is one build of a snapshot: what it works with, and what came of it so far.
type build struct {
	o           *Options
	sources     []sources.Source // that are read
	registers   coding.Registers
	archive     *archive.Archive
	infos       []sources.Info
	corrections *corrections.Set
	report      *Report
	from        *archived     // nil unless a snapshot is rebuilt
	key         snapshots.Key // under which the platform's files are named
	base        *base         // nil unless the snapshot is a light one
	in          inputs
	reading     reading
}

// inputs are the records that were read and are not staged, as they were received.
type inputs struct {
	extracts     []sources.Extract // for the manifest
	groups       []sources.OccupationGroup
	titles       []sources.OccupationTitle
	areas        []sources.Area
	changes      []sources.CodeChange
	history      *area.History // made of the changes when all geography is read
	boundaries   []sources.Boundary
	boroughs     []sources.Borough
	evidence     []sources.Evidence
	pathways     []sources.Pathway
	developments []sources.Development

	// What only the embargoed datasets are made of.
	wards      []sources.Ward
	headlines  []sources.Headline
	priorities []sources.Priority
}

// reading is where records are staged.
type reading struct {
	stage      *staging.Stage
	pool       *codingPool          // made at the first advert, when geography and boroughs are read
	deduper    *counting.Deduper    // of the adverts, each by its ordinal
	missed     place.MissedPlaces   // places of adverts that were not coded
	notes      coding.Notes         // titles that were not coded well
	firstSeen  map[string]time.Time // of the jobs of the snapshot before, by id
	statistics int32                // that were staged
	residents  int32
	outcomes   int32
	past       *pastAdverts // nil where past extracts are read from the archive
}

// readAll reads every source into the stage: the geography and the classification
// of occupations first and the platform before other adverts, since adverts are
// coded against them.
func (b *build) readAll(ctx context.Context) error {
	reference := func(i sources.Info) bool { return i.Reference }
	if err := b.readPhase(ctx, reference); err != nil {
		return err
	}
	b.learnOccupations()
	b.in.history = area.NewHistory(b.in.changes)
	for _, phase := range []func(sources.Info) bool{
		func(i sources.Info) bool { return i.Kind == sources.KindPlatform },
		func(i sources.Info) bool { return !i.Reference && i.Kind != sources.KindPlatform },
	} {
		if err := b.readPhase(ctx, phase); err != nil {
			return err
		}
	}
	return nil
}

func (b *build) readPhase(ctx context.Context, in func(sources.Info) bool) error {
	for _, src := range b.sources {
		if in(src.Info()) {
			b.o.step("read " + src.Info().Key)
			if err := b.readSource(ctx, src); err != nil {
				return err
			}
		}
	}
	return nil
}

// learnOccupations adds the office's names and titles to those that the program
// carries. A group that the program does not know is not used, and named.
func (b *build) learnOccupations() {
	if len(b.in.groups)+len(b.in.titles) == 0 {
		return
	}
	grown, unknown := b.registers.Occupations.WithGroups(b.in.groups)
	if len(unknown) > 0 {
		b.report.source(onsoccupations.Key).fault(sources.Fault{Source: onsoccupations.Key, Code: sources.FaultUnknownCode,
			Detail: "groups of SOC 2020 that this program does not know are not used: " + strings.Join(unknown, ", ")})
	}
	grown, added := grown.WithTitles(b.in.titles)
	b.registers.Occupations = grown
	b.o.Log.Info("titles of the classification", "added", added.Titles, "known", added.Known,
		"qualified", added.Qualified, "ambiguous", added.Ambiguous, "uncoded", added.Uncoded)
	b.in.groups, b.in.titles = nil, nil
}

// readSource reads the extracts of one source, newest first; of one record in
// several extracts the newest version is taken, and an object that was read is
// not read again.
func (b *build) readSource(ctx context.Context, src sources.Source) error {
	info := src.Info()
	since := counting.WindowStart(b.o.AsOf, counting.WindowMonths).Time()
	read := map[string]bool{}
	stage := &stager{build: b, info: info, report: b.report.source(info.Key), seen: map[counting.Key]bool{}}
	if err := b.noteCarried(src); err != nil {
		return fmt.Errorf("read %s: %w", info.Key, err)
	}
	extracts, err := b.readable(info, since)
	if err != nil {
		return fmt.Errorf("read %s: %w", info.Key, err)
	}
	for i, x := range extracts {
		stage.newest, stage.oldest = i == 0, i == len(extracts)-1
		b.in.extracts = append(b.in.extracts, x)
		fresh := x
		fresh.Objects = nil
		for _, object := range x.Objects {
			if id := object.Name + "\x00" + object.SHA256; !read[id] {
				read[id] = true
				fresh.Objects = append(fresh.Objects, object)
			}
		}
		stage.received, stage.fetched = sources.DateOf(x.At), x.At
		if err := stage.readPast(ctx, src, fresh); err != nil {
			if stop := ctx.Err(); stop != nil {
				return fmt.Errorf("read %s: %w", info.Key, stop)
			}
			if errors.Is(err, errStage) {
				return fmt.Errorf("read %s: %w", info.Key, err)
			}
			stage.Fault(sources.Fault{Source: info.Key, Code: sources.CodeOf(err), Detail: err.Error()})
		}
		stage.nextExtract()
	}
	return nil
}

// read reads one extract, and stages all of it unless staging failed.
func (s *stager) read(ctx context.Context, src sources.Source, x sources.Extract) error {
	err := src.Read(ctx, x, s.build.archive, s)
	s.flushAdverts()
	return cmp.Or(s.failed, err)
}

// flushAdverts waits for pending adverts and stages them, to keep the order of the input.
func (s *stager) flushAdverts() {
	pool := s.build.reading.pool
	if pool == nil {
		return
	}
	if s.failed == nil {
		s.failed = s.staged(pool.drain(s.coded))
	}
	pool.discard()
}

// staged marks an error of staging.
func (s *stager) staged(err error) error {
	if err != nil {
		return fmt.Errorf("%w %s: %w", errStage, s.info.Key, err)
	}
	return nil
}

// errStage marks an error of our own disk, which stops a build; everything else
// is a fault of the source.
var errStage = errors.New("staging")

// stager stages the records of one source.
type stager struct {
	build       *build
	info        sources.Info
	report      *SourceReport
	received    sources.Date
	fetched     time.Time             // of the extract
	seen        map[counting.Key]bool // adverts of newer extracts
	sameExtract []counting.Key        // those of this extract that are new, where an older one follows
	newest      bool                  // this extract is the newest that is read
	oldest      bool                  // this extract is the last that is read
	failed      error                 // of staging; nothing is staged after it
	gone        []sources.Advert      // of a past extract, those that no newer one holds; nil while they are not gathered
	whole       bool                  // what is gathered is all that the extract holds
	room        []staging.ResidentSkill
}

// superseded says whether a newer extract held the advert, and notes it for those
// that are older. Of one extract two adverts with one id are both taken: the
// counting rules see to them.
func (s *stager) superseded(a *sources.Advert) bool {
	if s.newest && s.oldest {
		return false // there is no other extract, and nothing to remember
	}
	id := counting.ID(a)
	if s.seen[id] {
		return true
	}
	if !s.oldest {
		s.sameExtract = append(s.sameExtract, id)
	}
	return false
}

// nextExtract ends an extract: what it held is older than no other.
func (s *stager) nextExtract() {
	for _, id := range s.sameExtract {
		s.seen[id] = true
	}
	s.sameExtract = s.sameExtract[:0]
}

// Fault notes what could not be read. What an older extract of a listing lacked was
// judged when that was the newest one; only that it can be read no longer is news.
func (s *stager) Fault(f sources.Fault) {
	if s.newest || f.Code == sources.FaultDamaged {
		s.report.fault(f)
		s.whole = false
	}
}

// aboutPeople says that the record is about one person, or tells of one. How many of
// them there are is published nowhere: the difference of two days is a handful.
func aboutPeople(r sources.Record) bool {
	switch r.(type) {
	case sources.Resident, sources.Application, sources.Event:
		return true
	}
	return false
}

// Emit stages one record.
func (s *stager) Emit(r sources.Record) error {
	if aboutPeople(r) {
		s.report.people++
	} else {
		s.report.Records++
	}
	if n := s.report.Received(); n%100_000 == 0 {
		s.build.o.detail("read %s: %d records", s.info.Key, n)
	}
	s.gather(r)
	r = s.build.corrections.Apply(s.info.Key, r)
	if a, ok := r.(sources.Advert); ok {
		s.failed = cmp.Or(s.failed, s.staged(s.advert(&a)))
		return s.failed
	}
	if s.flushAdverts(); s.failed != nil {
		return s.failed
	}
	var err error
	switch r := r.(type) {
	case sources.Borough:
		s.borough(r)
	case sources.Resident:
		err = s.resident(&r)
	case sources.Application:
		err = s.application(&r)
	case sources.Statistic:
		err = s.statistic(&r)
	case sources.OccupationGroup:
		s.build.in.groups = append(s.build.in.groups, r)
	case sources.OccupationTitle:
		s.build.in.titles = append(s.build.in.titles, r)
	case sources.Area:
		s.build.in.areas = append(s.build.in.areas, r)
	case sources.CodeChange:
		s.build.in.changes = append(s.build.in.changes, r)
	case sources.Boundary:
		s.build.in.boundaries = append(s.build.in.boundaries, r)
	case sources.Evidence:
		s.build.in.evidence = append(s.build.in.evidence, r)
	case sources.Event:
		err = s.event(&r)
	case sources.Pathway:
		s.build.in.pathways = append(s.build.in.pathways, r)
	case sources.Development:
		s.build.in.developments = append(s.build.in.developments, r)
	case sources.Ward:
		s.build.in.wards = append(s.build.in.wards, r)
	case sources.Headline:
		s.build.in.headlines = append(s.build.in.headlines, r)
	case sources.Priority:
		s.build.in.priorities = append(s.build.in.priorities, r)
	default:
		return fmt.Errorf("record of type %T has no place to go", r)
	}
	return s.staged(err)
}

// borough takes a borough of the feed under today's code of its council. One whose
// council was merged or split is no council of today, and the operator has to say
// which one is meant.
func (s *stager) borough(r sources.Borough) {
	r.Code = s.build.in.history.Same(r.Code)
	if today := s.build.in.history.Today(r.Code); !slices.Contains(today, r.Code) {
		s.Fault(sources.Fault{Source: s.info.Key, Where: "borough " + r.Slug, Code: sources.FaultPlace,
			Detail: fmt.Sprintf("borough %q: council %s is %s today; correct the feed's boroughs", r.Slug, r.Code, strings.Join(today, " and "))})
	}
	s.build.in.boroughs = append(s.build.in.boroughs, r)
}
