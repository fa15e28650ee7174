// Package ingest reads archived records, codes adverts and writes the results to staged files.
// Later steps count the tables from these files. The package applies the operator's corrections and
// the counting rules. It does not stage the texts of adverts.
//
// The staged files are in the protected zone, the part of the data directory that is never
// published.
package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"labour/pipeline/coding"
	"labour/pipeline/coding/area"
	"labour/pipeline/config"
	"labour/pipeline/corrections"
	"labour/pipeline/counting"
	"labour/pipeline/report"
	"labour/pipeline/servedplaces"
	"labour/pipeline/staging"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/intake"
	"labour/sources/onsoccupations"
)

// SourceWithExtracts is a source with the extracts (fetches) that are read, newest first.
type SourceWithExtracts struct {
	sources.Source
	Extracts []sources.Extract
}

// Options holds the settings of Read, and its inputs other than the archive.
type Options struct {
	AsOf sources.Date // date that the data describes
	// day that jobs and events describe; in a light run it may be later than AsOf
	JobsDay sources.Date
	// descriptions of the configured sources, in order of precedence
	SourceInfos []sources.Info
	Registers   coding.Registers    // lists of skills, sectors and occupations for coding adverts
	ServedAreas []config.ServedArea // unions of boroughs that the operator has configured
	Corrections *corrections.Set    // operator's corrections of publishers' records
	// time at which each job of the previous snapshot was first seen, by the job's id
	JobsFirstSeen map[string]time.Time
	// cache of adverts that are no longer listed; nil = read them from the archive
	PastAdverts *PastAdvertCache
	StagingDir  string // new directory to which the staged rows are written
	Threads     int    // number of goroutines that code adverts; 0 = one for each core
	Log         *slog.Logger
	// called with the name of each step of reading when it starts
	OnStep func(name string)
	// called often with the progress of the current step of reading
	OnDetail func(format string, args ...any)
}

// Staged is the result of Read. It describes the staged files, which are intermediate files of a
// build. It also has the records that are kept in memory.
type Staged struct {
	Records
	StagingDir string       // directory that contains the staged rows
	JobsDay    sources.Date // day that jobs and events describe (see Options)
	// lists of skills, occupations and sectors for coding adverts, with the official names and
	// titles that were read
	Registers coding.Registers
	// sources that are not configured, but whose adverts the platform has imported
	ImportedSources []sources.Info
	Notes           coding.Notes      // location texts and job titles that could not be coded well
	Extracts        []sources.Extract // extracts in the order of reading
	Adverts         int32             // number of staged adverts
	Residents       int32
	Outcomes        int32
}

// EventsFile returns the path of the intermediate file with the events of the platform's feed.
func (s Staged) EventsFile() string { return staging.EventsFile(s.StagingDir) }

// reader reads the records of all sources and writes them to staged files. These are intermediate
// files of a build.
type reader struct {
	options Options
	result  Staged
	archive *archive.Archive
	reports *report.Report
	files   *staging.StagedFiles
	// codes adverts; created at the first advert, when geography and boroughs have been read
	pool *codingPool
	// finds adverts for the same vacancy; holds all adverts in the order of reading
	deduper    *counting.Deduper
	statistics int32 // number of staged statistics
	// figures of councils whose codes changed, to find different figures under two codes of one
	// council
	recodedFigures map[figureKey]publishedFigure
	// codes of the official councils; empty = the official list is not known
	councils map[string]bool
	// official names of the areas; empty = no list of areas was read
	officialNames map[areaKey]string
	// newest year of the official list of councils, such as "2025"; empty = not known
	councilsEdition string
}

// Read reads the sources and writes their records to intermediate files. It also applies the
// counting rules, and writes the result for each advert. Faults of one source are reported, and do
// not stop the others.
func Read(ctx context.Context, a *archive.Archive, list []SourceWithExtracts, options Options,
	to *report.Report) (Staged, error) {
	r := &reader{options: options, archive: a, reports: to, recodedFigures: map[figureKey]publishedFigure{},
		result: Staged{StagingDir: options.StagingDir, JobsDay: options.JobsDay, Registers: options.Registers}}
	policy := counting.Policy{AsOf: options.JobsDay}
	for _, info := range options.SourceInfos {
		if info.HasAdverts && info.Terms.MayCount {
			policy.Precedence = append(policy.Precedence, info.Key)
		}
	}
	r.deduper = counting.NewDeduper(policy)
	var err error
	if r.files, err = staging.Create(options.StagingDir); err != nil {
		return Staged{}, err
	}
	if err = r.readAll(ctx, list); err == nil && options.PastAdverts != nil {
		err = options.PastAdverts.removeUnused()
	}
	if err == nil {
		err = r.deduplicate()
	}
	return r.result, errors.Join(err, r.files.Close())
}

// readAll reads all sources. It reads the reference data first, because coding adverts (finding
// their place, occupation and skills) needs it.
func (r *reader) readAll(ctx context.Context, list []SourceWithExtracts) error {
	reference, platform, others := inOrder(list)
	for _, src := range reference {
		if err := r.readSource(ctx, src); err != nil {
			return err
		}
	}
	r.learn()
	for _, src := range slices.Concat(platform, others) {
		if err := r.readSource(ctx, src); err != nil {
			return err
		}
	}
	return nil
}

// inOrder divides list into three groups, which are read in this order: reference data such as
// geography and occupations, the platform, and all other sources. Coding an advert needs the
// reference data and the platform's boroughs.
func inOrder(list []SourceWithExtracts) (reference, platform, others []SourceWithExtracts) {
	for _, src := range list {
		switch info := src.Info(); {
		case info.IsReference:
			reference = append(reference, src)
		case info.Kind == sources.KindPlatform:
			platform = append(platform, src)
		default:
			others = append(others, src)
		}
	}
	return reference, platform, others
}

// learn adds the official names, titles and codes to the lists with which adverts are coded. It
// must be called after all reference sources were read.
func (r *reader) learn() {
	r.learnOccupations()
	r.learnOfficialNames()
	r.result.AreaHistory = area.NewHistory(r.result.changes)
	r.councils, r.councilsEdition = map[string]bool{}, ""
	for _, c := range servedplaces.OnlyCouncils(r.result.Areas) {
		r.councils[c.Code] = true
		r.councilsEdition = max(r.councilsEdition, c.Edition)
	}
}

// learnOccupations adds the occupation groups and job titles of the Office for National Statistics
// to the built-in ones. It ignores and reports occupation groups that the program does not know.
func (r *reader) learnOccupations() {
	if len(r.result.groups)+len(r.result.titles) == 0 {
		return
	}
	grown, unknown := r.result.Registers.Occupations.WithGroups(r.result.groups)
	if len(unknown) > 0 {
		r.reports.EnsureSource(onsoccupations.Key).AddFault(sources.Fault{Source: onsoccupations.Key,
			Code:   sources.FaultUnknownCode,
			Detail: "groups of SOC 2020 that this program does not know are not used: " + strings.Join(unknown, ", ")})
	}
	grown, added := grown.WithTitles(r.result.titles)
	r.result.Registers.Occupations = grown
	r.options.Log.Info("titles of the classification", "added", added.Added, "known", added.AlreadyKnown,
		"qualified", added.IndustrySpecific, "ambiguous", added.Ambiguous, "uncoded", added.Uncoded)
	r.result.groups, r.result.titles = nil, nil
}

// readSource reads the extracts (fetches) of one source, newest first. The newest version of each
// advert is used, and older ones that were posted in an earlier month (see extractHistory).
func (r *reader) readSource(ctx context.Context, src SourceWithExtracts) error {
	info := src.Info()
	r.options.OnStep("read " + info.Key)
	r.result.Extracts = append(r.result.Extracts, src.Extracts...)
	s := &stager{reader: r, info: info, report: r.reports.EnsureSource(info.Key),
		history: newExtractHistory(info.ListsLiveOnly, r.options.PastAdverts)}
	if parted, ok := src.Source.(sources.PartLister); ok && info.ListsLiveOnly && len(src.Extracts) > 0 {
		s.report.AddParts(parted.PartNames())
	}
	for i, x := range src.Extracts {
		s.history.begin(i == 0, i == len(src.Extracts)-1)
		err := s.readExtract(ctx, src.Source, x)
		if ctx.Err() != nil || errors.Is(err, errStage) {
			return fmt.Errorf("read %s: %w", info.Key, cmp.Or(ctx.Err(), err))
		}
		if err != nil {
			s.Fault(sources.Fault{Source: info.Key, Code: sources.FaultCodeOf(err), Detail: err.Error()})
		}
	}
	return nil
}

// deduplicate writes the result of the counting rules for each advert to an intermediate file. The
// result is whether the advert counts, or which other advert counts for the same vacancy.
func (r *reader) deduplicate() error {
	r.options.OnStep("apply the counting rules")
	for source, v := range r.deduper.Verdicts() {
		r.reports.AddVerdict(source, v)
		row := staging.AdvertVacancy{Ordinal: r.result.Adverts, CountedAs: int32(v.CountedAs),
			AppliedAs: int32(v.AppliedAs)}
		if err := r.files.AdvertVacancies.Append(row); err != nil {
			return err
		}
		r.result.Adverts++
	}
	return nil
}

// readExtract reads the files of one extract (one fetch). It skips files that are the same in a
// newer extract.
func (s *stager) readExtract(ctx context.Context, src sources.Source, x sources.Extract) error {
	s.fetchTime = x.FetchedAt
	x.Objects = s.history.newObjects(x.Objects)
	var err error
	if adverts, known := s.history.recall(x); known {
		for i := 0; i < len(adverts) && err == nil; i++ {
			plain, _ := intake.CleanRecord(adverts[i]) // an earlier version may have stored other characters
			err = s.Emit(plain)
		}
	} else {
		err = intake.ReadCleaned(ctx, src, x, s.reader.archive, s)
	}
	s.flushAdverts()
	if err = cmp.Or(s.writeError, err); err == nil {
		err = s.stageError(s.history.keep())
	}
	s.history.end()
	return err
}
