package pipeline

import (
	"context"
	"fmt"

	"labour/pipeline/disclosure"
	"labour/pipeline/people"
	"labour/pipeline/report"
)

// writePeople writes the tables with counts of people. It writes empty tables if the feed has no
// boroughs, or if no fetch of the feed covers a whole quarter yet.
func writePeople(ctx context.Context, d *draft) error {
	if !d.read.hasBoroughs() || d.plan.peoplePeriod.IsZero() {
		return people.WriteEmptyTables(d.tables)
	}
	secret, err := d.in.provider.RoundingSecret()
	if err != nil {
		return err
	}
	o, registers := d.in.options, d.read.staged.Registers
	in := people.Inputs{Protection: disclosure.Protection(o.Config.People.Protection), Secret: secret,
		Places: people.DisclosurePlaces(d.read.servedPlaces), Skills: registers.Skills.Slugs(),
		Sectors: registers.Sectors.Slugs(), Developments: d.read.staged.Developments, Threads: o.Threads,
		OnSkillDone: func(done, of int) { o.ReportDetail("round people: %d of %d skills", done, of) }}
	tally, err := people.WriteTables(ctx, d.tables, in, d.plan.hiddenCounts.Withdrawn)
	if err != nil {
		return err
	}
	d.report.AddPeople(tally)
	d.people = people.ManifestEntry(d.plan.peoplePeriod, in, d.writer.ID(), d.read.staged.Extracts)
	d.report.Quarter = d.people
	return nil
}

// copyPeople copies the entries about counts of people from an earlier snapshot's report and
// manifest. In a new build it also adds remarks on the copied counts to the report.
func copyPeople(d *draft) error {
	from := d.plan.copyFrom
	d.in.options.ReportStep("copy the figures of people from " + from.ID.String())
	d.people, d.report.Quarter = from.People, from.People
	before, err := report.Read(from.Dir)
	if err != nil {
		return fmt.Errorf("copy the totals of people: %w", err)
	}
	d.report.CopyPeople(before)
	if !d.in.provider.IsNewBuild() {
		return nil
	}
	texts, err := people.RemarksOnCopied(d.in.options.DataDir, from, d.read.servedPlaces,
		disclosure.Protection(d.in.options.Config.People.Protection), d.plan.hiddenCounts.Withdrawn)
	remark(d.in, d.report, texts...)
	return err
}
