package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/coding"
	"labour/pipeline/coding/area"
	"labour/pipeline/corrections"
	"labour/pipeline/counting"
	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/intake"
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
	basis       basis
	withdrawn   []snapshots.PeopleWithdrawal // figures of people that are not shown
	key         snapshots.Key                // under which the platform's files are named
	quarter     calendar.Period              // of the figures of people
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

	// Records that only the embargoed datasets use.
	wards      []sources.Ward
	headlines  []sources.Headline
	priorities []sources.Priority
}

// take keeps a record as it was received; false where its type is none of these.
func (in *inputs) take(r sources.Record) bool {
	return keep(&in.groups, r) || keep(&in.titles, r) || keep(&in.areas, r) || keep(&in.changes, r) ||
		keep(&in.boundaries, r) || keep(&in.evidence, r) ||
		keep(&in.pathways, r) || keep(&in.developments, r) || keep(&in.wards, r) || keep(&in.headlines, r) ||
		keep(&in.priorities, r)
}

func keep[T sources.Record](list *[]T, r sources.Record) bool {
	one, ok := r.(T)
	if ok {
		*list = append(*list, one)
	}
	return ok
}

// reading is where records are staged.
type reading struct {
	stage      *staging.Stage
	pool       *codingPool          // made at the first advert, when geography and boroughs are read
	deduper    *counting.Deduper    // of the adverts, each by its ordinal
	notes      coding.Notes         // places and titles that were not coded well
	day        sources.Date         // that jobs and events are of
	firstSeen  map[string]time.Time // of the jobs of the snapshot before, by id
	statistics int32                // that were staged
	adverts    int32
	residents  int32
	outcomes   int32
	past       *pastAdverts   // nil where past extracts are read from the archive
	imported   []sources.Info // sources that are not configured but have adverts in the feed
}

// phases are the order in which sources are read, since adverts are coded against what is read
// before them: the geography and the classification of occupations, the platform, the others.
var phases = []func(sources.Info) bool{
	func(i sources.Info) bool { return i.Reference },
	func(i sources.Info) bool { return !i.Reference && i.Kind == sources.KindPlatform },
	func(i sources.Info) bool { return !i.Reference && i.Kind != sources.KindPlatform },
}

// read stages every record.
func (b *build) read(ctx context.Context) error {
	err := b.beginReading()
	for phase, holds := range phases {
		for _, src := range b.sources {
			if err == nil && holds(src.Info()) {
				err = b.readSource(ctx, src)
			}
		}
		if err == nil && phase == 0 {
			b.learnOccupations()
			b.in.history = area.NewHistory(b.in.changes)
		}
	}
	if err == nil && b.reading.past != nil {
		err = b.reading.past.removeUnused()
	}
	if err != nil && b.reading.stage != nil {
		err = errors.Join(err, b.reading.stage.Close())
	}
	return err
}

// beginReading opens the stage, and what adverts are held against.
func (b *build) beginReading() (err error) {
	if b.reading.day, err = b.day(); err != nil {
		return err
	}
	policy := counting.Policy{AsOf: b.reading.day}
	for _, info := range b.infos {
		if info.Adverts && info.Terms.Count {
			policy.Precedence = append(policy.Precedence, info.Key)
		}
	}
	b.reading.deduper = counting.NewDeduper(policy)
	if b.reading.stage, err = staging.Create(b.o.protected("staging")); err == nil {
		b.reading.past, err = b.openPastAdverts()
	}
	if err == nil {
		err = b.readFirstSeen()
	}
	return err
}

// learnOccupations adds the office's names and titles to those that the program
// carries. A group that the program does not know is not used, and named.
func (b *build) learnOccupations() {
	if len(b.in.groups)+len(b.in.titles) == 0 {
		return
	}
	grown, unknown := b.registers.Occupations.WithGroups(b.in.groups)
	if len(unknown) > 0 {
		b.report.source(onsoccupations.Key).fault(sources.Fault{Source: onsoccupations.Key,
			Code:   sources.FaultUnknownCode,
			Detail: "groups of SOC 2020 that this program does not know are not used: " + strings.Join(unknown, ", ")})
	}
	grown, added := grown.WithTitles(b.in.titles)
	b.registers.Occupations = grown
	b.o.Log.Info("titles of the classification", "added", added.Titles, "known", added.Known,
		"qualified", added.Qualified, "ambiguous", added.Ambiguous, "uncoded", added.Uncoded)
	b.in.groups, b.in.titles = nil, nil
}

// readSource reads the extracts of one source, newest first; of one record in
// several extracts the newest version is taken.
func (b *build) readSource(ctx context.Context, src sources.Source) error {
	info := src.Info()
	b.o.step("read " + info.Key)
	extracts, err := b.basis.extracts(b, info, calendar.Window(b.o.AsOf, calendar.LongestWindow).From.Time())
	if err = cmp.Or(b.noteCarried(src), err); err != nil {
		return fmt.Errorf("read %s: %w", info.Key, err)
	}
	b.in.extracts = append(b.in.extracts, extracts...)
	s := &stager{build: b, info: info, report: b.report.source(info.Key), read: map[string]bool{},
		seen: map[counting.Key]bool{}}
	for i, x := range extracts {
		s.newest, s.oldest = i == 0, i == len(extracts)-1
		err := s.readExtract(ctx, src, x)
		if ctx.Err() != nil || errors.Is(err, errStage) {
			return fmt.Errorf("read %s: %w", info.Key, cmp.Or(ctx.Err(), err))
		}
		if err != nil {
			s.Fault(sources.Fault{Source: info.Key, Code: sources.CodeOf(err), Detail: err.Error()})
		}
	}
	return nil
}

// readExtract reads the objects of an extract that were not in a newer one.
func (s *stager) readExtract(ctx context.Context, src sources.Source, x sources.Extract) error {
	s.fetched = x.At
	x.Objects = slices.DeleteFunc(slices.Clone(x.Objects), func(o sources.Object) bool {
		id := o.Name + "\x00" + o.SHA256
		known := s.read[id]
		s.read[id] = true
		return known
	})
	var err error
	if adverts, known := s.recall(x); known {
		for i := 0; i < len(adverts) && err == nil; i++ {
			plain, _ := intake.Plain(adverts[i]) // an earlier version may have kept them
			err = s.Emit(plain)
		}
	} else {
		err = intake.Read(ctx, src, x, s.build.archive, s)
	}
	s.flushAdverts()
	if err = cmp.Or(s.failed, err); err == nil {
		err = s.keepGone()
	}
	for _, id := range s.sameExtract {
		s.seen[id] = true
	}
	s.sameExtract = s.sameExtract[:0]
	return err
}

// flushAdverts waits for pending adverts and stages them, to keep the order of the input.
func (s *stager) flushAdverts() {
	if pool := s.build.reading.pool; pool != nil {
		pool.drain(s.coded)
	}
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
	fetched     time.Time             // of the extract
	read        map[string]bool       // objects of newer extracts
	seen        map[counting.Key]bool // adverts of newer extracts
	sameExtract []counting.Key        // those of this extract that are new, where an older one follows
	newest      bool                  // this extract is the newest that is read
	oldest      bool                  // this extract is the last that is read
	damaged     bool                  // an extract that was read is damaged
	failed      error                 // of staging; nothing is staged after it
	// of a past extract, those that no newer one holds; nil while they are not gathered
	gone     []sources.Advert
	goneFile string // where they are kept for the next run
	whole    bool   // what is gathered is all that the extract holds
	room     []staging.ResidentSkill
}

// superseded reports whether a newer extract held the advert, and records its id for older extracts.
// Two adverts with one id in the same extract are both taken: the counting rules deal with them.
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

// Fault records what could not be read. The faults of an older extract of a listing were judged
// when it was the newest one; the only new fault is that it can no longer be read.
func (s *stager) Fault(f sources.Fault) {
	s.damaged = s.damaged || f.Code == sources.FaultDamaged
	if s.newest || f.Code == sources.FaultDamaged {
		s.report.fault(f)
		s.whole = false
	}
}

// borough takes a borough of the feed under today's code of its council. Where the council was
// merged or split, it is no council of today, and the operator has to state which one is meant.
func (s *stager) borough(r sources.Borough) {
	r.Code = s.build.in.history.Same(r.Code)
	if today := s.build.in.history.Today(r.Code); !slices.Contains(today, r.Code) {
		s.Fault(sources.Fault{Source: s.info.Key, Where: "borough " + r.Slug, Code: sources.FaultPlace,
			Detail: fmt.Sprintf("borough %q: council %s is %s today; correct the feed's boroughs", r.Slug, r.Code,
				strings.Join(today, " and "))})
	}
	s.build.in.boroughs = append(s.build.in.boroughs, r)
}
