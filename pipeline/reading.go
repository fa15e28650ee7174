package pipeline

import (
	"cmp"
	"context"
	"fmt"

	"labour/pipeline/calendar"
	"labour/pipeline/ingest"
	"labour/pipeline/options"
)

// read writes the records of every source that this run reads to staged files.
func (b *build) read(ctx context.Context) error {
	list, err := b.findExtracts()
	if err != nil {
		return err
	}
	rules := ingest.Options{AsOf: b.o.AsOf, JobsDay: b.o.AsOf, SourceInfos: b.infos, Registers: b.registers,
		ServedAreas: b.o.Config.ServedAreas, Corrections: b.corrections, StagingDir: b.o.ProtectedPath("staging"),
		Threads: b.o.Threads, Log: b.o.Log, OnStep: b.o.ReportStep, OnDetail: b.o.ReportDetail}
	whole := b.o.IsWhole()
	if !whole {
		if rules.JobsDay, err = ingest.LightSnapshotDay(b.archive, b.provider.MayRead, b.o.AsOf); err != nil {
			return err
		}
	}
	if whole && b.provider.IsNewBuild() && !b.o.IsBackdated() {
		if rules.PastAdverts, err = ingest.OpenPastAdvertCache(b.o.ProtectedPath("past"), b.o.ToolVersion,
			b.o.Config.Sources); err != nil {
			return err
		}
	}
	if rules.JobsFirstSeen, err = ingest.ReadJobsFirstSeen(b.o.DataDir); err != nil {
		return err
	}
	b.staged, err = ingest.Read(ctx, b.archive, list, rules, b.report)
	return err
}

// findExtracts finds the fetches of each source to read, and parts to use from older fetches.
func (b *build) findExtracts() (list []ingest.SourceWithExtracts, err error) {
	since := calendar.WindowOfMonths(b.o.AsOf, calendar.LongestWindowMonths).From.Time()
	for _, src := range ingest.ReadOrder(b.sources) {
		info := src.Info()
		extracts, faults, err := b.provider.Extracts(b.archive, info, since)
		b.report.AddFaults(faults)
		err = cmp.Or(ingest.ReportCarriedParts(b.archive, src, b.provider.MayRead, b.o.AsOf, b.report, b.o.Log), err)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", info.Key, err)
		}
		b.extracts = append(b.extracts, extracts...)
		list = append(list, ingest.SourceWithExtracts{Source: src, Extracts: extracts})
	}
	return list, nil
}

// keepNotes writes the wordings in adverts that could not be coded, for `labour coding report`. It
// does nothing in a rebuild (of the past) or a light run (which codes only the platform's adverts).
func (b *build) keepNotes(context.Context) error {
	if !b.provider.IsNewBuild() || !b.o.IsWhole() {
		return nil
	}
	return b.staged.Notes.WriteFile(options.CodingNotesFile(b.o.DataDir))
}

// hasPeople reports whether the platform's feed delivered anything about people.
func (b *build) hasPeople() bool { return len(b.staged.Boroughs) > 0 }
