package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"labour/pipeline/coding"
	"labour/pipeline/coding/area"
	"labour/pipeline/corrections"
	"labour/pipeline/counting"
	"labour/pipeline/staging"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/keyset"
	"labour/sources/onsoccupations"
)

// build is the state of one build: what was read and staged so far.
type build struct {
	o         *Options
	registers coding.Registers
	archive   *archive.Archive
	infos     []sources.Info
	stage     *staging.Stage
	ahead     *ahead // made at the first advert, when geography and boroughs are read
	report    *Report
	from      *archived // nil unless a snapshot is rebuilt
	base      *base     // nil unless the snapshot is a light one

	groups      []sources.OccupationGroup
	titles      []sources.OccupationTitle
	areas       []sources.Area
	changes     []sources.CodeChange
	history     *area.History // made of the changes when all geography is read
	boundaries  []sources.Boundary
	boroughs    []sources.Borough
	evidence    []sources.Evidence
	ledger      *counting.Ledger // of the adverts, each by its ordinal
	corrections *corrections.Set
	statistics  int32
	residents   int32             // that were staged
	outcomes    int32             // that were staged
	inputs      []sources.Extract // those that were read, for the manifest

	// What only the held datasets are made of.
	wards      []sources.Ward
	headlines  []sources.Headline
	priorities []sources.Priority

	pathways     []sources.Pathway
	developments []sources.Development
}

// readAll reads every source into the stage: the geography and the classification
// of occupations first and the platform before other adverts, since adverts are
// coded against them.
func (b *build) readAll(ctx context.Context, list []sources.Source) error {
	reference := func(i sources.Info) bool { return i.Reference }
	if err := b.readPhase(ctx, list, reference); err != nil {
		return err
	}
	b.learnOccupations()
	b.history = area.NewHistory(b.changes)
	for _, phase := range []func(sources.Info) bool{
		func(i sources.Info) bool { return i.Kind == sources.KindPlatform },
		func(i sources.Info) bool { return !i.Reference && i.Kind != sources.KindPlatform },
	} {
		if err := b.readPhase(ctx, list, phase); err != nil {
			return err
		}
	}
	return nil
}

func (b *build) readPhase(ctx context.Context, list []sources.Source, in func(sources.Info) bool) error {
	for _, src := range list {
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
	if len(b.groups)+len(b.titles) == 0 {
		return
	}
	grown, unknown := b.registers.Occupations.WithGroups(b.groups)
	if len(unknown) > 0 {
		b.report.source(onsoccupations.Key).fault(sources.Fault{Source: onsoccupations.Key, Code: sources.FaultUnknownCode,
			Detail: "groups of SOC 2020 that this program does not know are not used: " + strings.Join(unknown, ", ")})
	}
	grown, added := grown.WithTitles(b.titles)
	b.registers.Occupations = grown
	b.o.Log.Info("titles of the classification", "added", added.Titles, "known", added.Known,
		"qualified", added.Qualified, "ambiguous", added.Ambiguous, "uncoded", added.Uncoded)
	b.groups, b.titles = nil, nil
}

// readSource reads the extracts of one source, newest first; of one record in
// several extracts the newest version is taken, and an object that was read is
// not read again.
func (b *build) readSource(ctx context.Context, src sources.Source) error {
	info := src.Info()
	since := counting.WindowStart(b.o.AsOf, counting.WindowMonths).Time()
	read := map[string]bool{}
	sink := &sink{build: b, info: info, report: b.report.source(info.Key), seen: keyset.New()}
	b.noteCarried(info)
	extracts := b.readable(info, since)
	for i, x := range extracts {
		sink.newest, sink.oldest = i == 0, i == len(extracts)-1
		b.inputs = append(b.inputs, x)
		fresh := x
		fresh.Objects = nil
		for _, object := range x.Objects {
			if id := object.Name + "\x00" + object.SHA256; !read[id] {
				read[id] = true
				fresh.Objects = append(fresh.Objects, object)
			}
		}
		sink.received = sources.DateOf(x.At)
		if err := sink.read(ctx, src, fresh); err != nil {
			if stop := ctx.Err(); stop != nil {
				return fmt.Errorf("read %s: %w", info.Key, stop)
			}
			if errors.Is(err, errStage) {
				return fmt.Errorf("read %s: %w", info.Key, err)
			}
			sink.Fault(sources.Fault{Source: info.Key, Code: sources.CodeOf(err), Detail: err.Error()})
		}
		sink.nextExtract()
	}
	return nil
}

// read reads one extract, and stages all of it unless staging failed.
func (s *sink) read(ctx context.Context, src sources.Source, x sources.Extract) error {
	err := src.Read(ctx, x, s.build.archive, s)
	s.settle()
	return cmp.Or(s.failed, err)
}

// settle stages the adverts that are coded ahead, so that what comes next comes after
// them.
func (s *sink) settle() {
	ahead := s.build.ahead
	if ahead == nil {
		return
	}
	if s.failed == nil {
		s.failed = s.staged(ahead.flush(s.coded))
	}
	ahead.drop()
}

// staged marks an error of staging.
func (s *sink) staged(err error) error {
	if err != nil {
		return fmt.Errorf("%w %s: %w", errStage, s.info.Key, err)
	}
	return nil
}

// errStage marks an error of our own disk, which stops a build; everything else
// is a fault of the source.
var errStage = errors.New("staging")

// sink stages the records of one source.
type sink struct {
	build       *build
	info        sources.Info
	report      *SourceReport
	received    sources.Date
	seen        *keyset.Set    // adverts of newer extracts
	sameExtract []counting.Key // those of this extract that are new, where an older one follows
	newest      bool           // this extract is the newest that is read
	oldest      bool           // this extract is the last that is read
	failed      error          // of staging; nothing is staged after it
	room        []staging.ResidentSkill
}

// superseded says whether a newer extract held the advert, and notes it for those
// that are older. Of one extract two adverts with one id are both taken: the
// counting rules see to them.
func (s *sink) superseded(a *sources.Advert) bool {
	if s.newest && s.oldest {
		return false // there is no other extract, and nothing to remember
	}
	id := counting.ID(a)
	if s.seen.Has(id.Uint128()) {
		return true
	}
	if !s.oldest {
		s.sameExtract = append(s.sameExtract, id)
	}
	return false
}

// nextExtract ends an extract: what it held is older than no other.
func (s *sink) nextExtract() {
	for _, id := range s.sameExtract {
		s.seen.Add(id.Uint128())
	}
	s.sameExtract = s.sameExtract[:0]
}

// Fault notes what could not be read.
func (s *sink) Fault(f sources.Fault) {
	s.settle()
	s.report.fault(f)
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
func (s *sink) Emit(r sources.Record) error {
	if aboutPeople(r) {
		s.report.people++
	} else {
		s.report.Records++
	}
	r = s.build.corrections.Apply(s.info.Key, r)
	if a, ok := r.(sources.Advert); ok {
		s.failed = cmp.Or(s.failed, s.staged(s.advert(&a)))
		return s.failed
	}
	if s.settle(); s.failed != nil {
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
		s.build.groups = append(s.build.groups, r)
	case sources.OccupationTitle:
		s.build.titles = append(s.build.titles, r)
	case sources.Area:
		s.build.areas = append(s.build.areas, r)
	case sources.CodeChange:
		s.build.changes = append(s.build.changes, r)
	case sources.Boundary:
		s.build.boundaries = append(s.build.boundaries, r)
	case sources.Evidence:
		s.build.evidence = append(s.build.evidence, r)
	case sources.Event:
		err = s.event(&r)
	case sources.Pathway:
		s.build.pathways = append(s.build.pathways, r)
	case sources.Development:
		s.build.developments = append(s.build.developments, r)
	case sources.Ward:
		s.build.wards = append(s.build.wards, r)
	case sources.Headline:
		s.build.headlines = append(s.build.headlines, r)
	case sources.Priority:
		s.build.priorities = append(s.build.priorities, r)
	case sources.AreaLink:
		// read and checked; no table of this snapshot format holds them
	default:
		return fmt.Errorf("record of type %T has no place to go", r)
	}
	return s.staged(err)
}

// borough takes a borough of the feed under today's code of its council. One whose
// council was merged or split is no council of today, and the operator has to say
// which one is meant.
func (s *sink) borough(r sources.Borough) {
	r.Code = s.build.history.Same(r.Code)
	if today := s.build.history.Today(r.Code); !slices.Contains(today, r.Code) {
		s.Fault(sources.Fault{Source: s.info.Key, Where: "borough " + r.Slug, Code: sources.FaultPlace,
			Detail: fmt.Sprintf("borough %q: council %s is %s today; correct the feed's boroughs", r.Slug, r.Code, strings.Join(today, " and "))})
	}
	s.build.boroughs = append(s.build.boroughs, r)
}
