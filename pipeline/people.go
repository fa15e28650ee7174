package pipeline

import (
	"context"
	"fmt"

	"labour/pipeline/disclosure"
	"labour/pipeline/people"
	"labour/pipeline/report"
)

// people writes the tables with counts of people. They are empty if the feed has no people.
func (t *tables) people(ctx context.Context) error {
	b := t.build
	if !b.hasPeople() {
		return people.WriteEmptyTables(t.out)
	}
	secret, err := b.provider.RoundingSecret()
	if err != nil {
		return err
	}
	in := people.Inputs{Protection: disclosure.Protection(b.o.Config.People.Protection), Secret: secret,
		Places: people.DisclosurePlaces(b.served()), Skills: b.staged.Registers.Skills.Slugs(),
		Sectors: b.staged.Registers.Sectors.Slugs(), Developments: b.staged.Developments, Threads: b.o.Threads,
		OnSkillDone: func(done, of int) { b.o.ReportDetail("round people: %d of %d skills", done, of) }}
	tally, err := people.WriteTables(ctx, t.out, in, b.withdrawn)
	if err != nil {
		return err
	}
	b.report.AddPeople(tally)
	t.quarter = people.ManifestEntry(b.quarter, in, t.writer.ID(), b.extracts)
	b.report.Quarter = t.quarter
	return nil
}

// findPrinted finds the snapshot that has already published the counts of people of this quarter, if
// any. A remark in the report says if the last published counts were rounded with another secret.
func (t *tables) findPrinted() error {
	b := t.build
	secret, err := b.provider.RoundingSecret()
	if err != nil {
		return err
	}
	t.previous, err = b.provider.SnapshotWithPeople(secret, b.quarter, b.served())
	if err != nil || !b.provider.IsNewBuild() {
		return err
	}
	published, err := b.provider.PublishedSnapshots()
	if err != nil {
		return err
	}
	b.remark(people.SecretChangedRemark(people.LastPublished(published, b.quarter), b.quarter, secret))
	return nil
}

// remark adds a remark to the report, unless the remark is empty. A whole run also logs a warning;
// light runs do not, since they run every minute.
func (b *build) remark(text string) {
	if text == "" {
		return
	}
	b.report.Remarks = append(b.report.Remarks, text)
	if b.o.IsWhole() {
		b.o.Log.Warn(text)
	}
}

// quarterIsNew reports whether new counts of people must be calculated: the feed is complete for a
// quarter whose counts no snapshot has yet.
func (t *tables) quarterIsNew() bool { return t.previous == nil }

// findQuarter determines the quarter that the counts of people describe.
func (b *build) findQuarter(context.Context) (err error) {
	if b.quarter, err = b.provider.PeopleQuarter(b.archive); err != nil || !b.provider.IsNewBuild() {
		return err
	}
	b.remark(people.OverdueRemark(b.o.AsOf, b.quarter))
	return nil
}

// carryPeople copies the previous report's and manifest's entries on counts of people. It finds the
// counts that can no longer be published, since their place now consists of other councils.
func (t *tables) carryPeople() (err error) {
	b := t.build
	b.o.ReportStep("copy the figures of people from " + t.previous.ID.String())
	t.quarter, b.report.Quarter = t.previous.People, t.previous.People
	before, err := report.Read(t.previous.Dir)
	if err != nil {
		return fmt.Errorf("copy the totals of people: %w", err)
	}
	b.report.CopyPeople(before)
	t.hidden.Places, err = people.ChangedPlaces(t.previous, b.served())
	if err != nil || t.quarter == nil || !b.provider.IsNewBuild() {
		return err
	}
	protection := disclosure.Protection(b.o.Config.People.Protection)
	b.remark(people.ProtectionChangedRemark(t.quarter, protection, b.withdrawn))
	remark, err := people.PlacesNotShownRemark(b.o.DataDir, t.previous, b.served())
	b.remark(remark)
	return err
}
