package pipeline

import (
	"context"

	"labour/pipeline/buildinput"
	"labour/pipeline/ingest"
	"labour/pipeline/protected"
	"labour/pipeline/report"
	"labour/pipeline/servedplaces"
)

// readRecords holds the records that a build has read.
type readRecords struct {
	staged       ingest.Staged
	servedPlaces servedplaces.Places // places that the service covers
}

// hasBoroughs reports whether the platform's feed delivered boroughs. Without boroughs there are no
// counts of people, because people are counted by borough.
func (r readRecords) hasBoroughs() bool { return len(r.staged.Boroughs) > 0 }

// readSources reads every source that this run needs, and writes the records to intermediate files.
// If the counts of people are copied, it need not read residents and applications.
func readSources(ctx context.Context, in *inputs, copiesPeople bool, r *report.Report) (read readRecords, err error) {
	readPlan := buildinput.ReadPlan{Options: in.options, Provider: in.provider, Archive: in.archive, AsOf: in.asOf,
		Current: in.current}
	list, err := readPlan.SourcesToRead(in.sources, copiesPeople, r)
	if err != nil {
		return readRecords{}, err
	}
	settings, err := readPlan.IngestOptions()
	if err != nil {
		return readRecords{}, err
	}
	settings.SourceInfos = in.infos
	settings.Registers = in.ownRegisters
	settings.Corrections = in.corrections
	if read.staged, err = ingest.Read(ctx, in.archive, list, settings, r); err != nil {
		return readRecords{}, err
	}
	read.servedPlaces = servedplaces.NewPlaces(read.staged.Boroughs, read.staged.Areas, in.options.Config.ServedAreas)
	faults, err := read.servedPlaces.CheckAreas()
	r.AddFaults(faults)
	return read, err
}

// keepNotes writes a file with the texts of adverts that could not be coded. `labour coding report`
// reads it. It writes nothing in a rebuild or a light run.
func keepNotes(in *inputs, read readRecords) error {
	if !in.provider.IsNewBuild() || !in.options.IsWhole() {
		return nil
	}
	return read.staged.Notes.WriteFile(protected.CodingNotesFile(in.options.DataDir))
}
