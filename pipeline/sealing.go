package pipeline

import (
	"context"
	"fmt"

	"labour/pipeline/coding"
	"labour/pipeline/manifestinputs"
	"labour/snapshots"
	"labour/snapshots/diff"
	"labour/snapshots/store"
)

// seal writes the table of changes and seals the snapshot, which makes all files read-only. The
// table of changes lists the rows in which the new snapshot differs from the current one. A
// snapshot without it cannot be promoted.
func seal(ctx context.Context, d *draft) error {
	o := d.in.options
	o.ReportStep("compare with the current snapshot")
	folder, err := store.Open(o.DataDir)
	if err != nil {
		return err
	}
	if !d.in.options.IsWhole() {
		if err := d.plan.copyFrom.CheckIsCurrent(folder); err != nil {
			return err
		}
	}
	m, err := newManifest(d)
	if err != nil {
		return err
	}
	totals, err := diff.WriteChanges(ctx, folder, d.writer, m, d.tables.Sources)
	if err != nil {
		return fmt.Errorf("build %s: %w", m.ID, err)
	}
	d.report.AddChanges(totals)
	o.ReportStep("seal " + string(d.writer.ID()))
	encoded, err := d.report.Encode()
	if err != nil {
		return err
	}
	d.writer.Sources = d.tables.Sources
	if d.writer.Credits, err = d.tables.Credits(); err != nil {
		return err
	}
	_, err = d.writer.Seal(ctx, m, encoded)
	return err
}

// newManifest returns the manifest of the new snapshot, with its tables and inputs. In a light run,
// it copies the platform's name, coding error rates and inputs of copied tables from the current one.
func newManifest(d *draft) (m snapshots.Manifest, err error) {
	o := d.in.options
	m = snapshots.Manifest{CodingErrors: coding.ErrorRates(), Format: snapshots.Format, ID: d.writer.ID(),
		AsOf:         snapshots.DateOf(d.in.asOf.Time()),
		PlatformName: o.Config.Platform.Name, ToolVersion: o.ToolVersion, CreatedAt: o.Now(),
		FetchedUntil: d.fetchedUntil, Tables: d.tables.Files(), Embargoed: d.embargoed,
		PeopleWithdrawn: d.plan.hiddenCounts.Withdrawn, Exceptions: d.report.Exceptions}
	if d.people != nil {
		m.PeopleAsOf, m.People = &d.people.To, d.people
	}
	for _, x := range d.read.staged.Extracts {
		m.Inputs = append(m.Inputs, manifestinputs.InputFromExtract(x, d.in.key, m.ID))
	}
	if d.in.options.IsWhole() {
		return m, nil
	}
	from := d.plan.copyFrom
	m.PlatformName, m.CodingErrors = from.PlatformName, from.CodingErrors
	m.Inputs, err = manifestinputs.LightInputs(d.in.archive, d.in.key, from, m.ID, m.Inputs)
	return m, err
}
