package web

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"labour/serve/api"
	"labour/serve/web/changed"
	"labour/serve/web/words"
	"labour/snapshots"
	"labour/snapshots/periods"
)

// editionTables lists the tables that newsOf mentions, and their names in a sentence.
var editionTables = []struct{ table, name string }{{"course_demand", "training"}, {"skills_gaps", "forecasts"},
	{"evidence", "evidence"}}

// newsOf returns sentences about the news in a published snapshot: its date, its figures about
// people, and its other statistics, unless it is the first snapshot. totals has the number of changed
// rows of each table. previousManifest is nil if the previous snapshot is no longer stored.
func newsOf(e snapshotEntry, totals []changed.TableTotal, previousManifest *snapshots.Manifest) []string {
	m := e.Manifest
	news := []string{newsOfAdverts(m, previousManifest), newsOfPeople(m, previousManifest)}
	if m.Previous == nil {
		return news // there is nothing to compare the tables with
	}
	return append(news, newsOfTables(totals))
}

// newsOfAdverts returns a sentence that states up to which day a snapshot counts adverts. m is the
// manifest of this snapshot, and before is the manifest of the previous one, or nil.
func newsOfAdverts(m snapshots.Manifest, before *snapshots.Manifest) string {
	day, late := advertsCountedUpTo(m)
	sentence := fmt.Sprintf("The adverts are counted up to %s", longDate(day))
	if late {
		sentence += ", when the platform’s feed was last received"
	}
	if before != nil {
		dayBefore, _ := advertsCountedUpTo(*before)
		sentence += fmt.Sprintf("; the edition before counted up to %s", longDate(dayBefore))
	}
	return sentence + "."
}

func newsOfPeople(m snapshots.Manifest, before *snapshots.Manifest) string {
	switch {
	case m.PeopleAsOf == nil:
		return "There are no figures about people yet."
	case snapshots.AllPeopleWithdrawn(m.PeopleWithdrawn):
		return "There are no figures about people: all of them were withdrawn."
	case before == nil:
		return fmt.Sprintf("Figures about people are of the year to %s.", longDate(m.PeopleAsOf.Time))
	case before.PeopleAsOf == nil || !before.PeopleAsOf.Equal(m.PeopleAsOf.Time):
		return fmt.Sprintf("Figures about people are new: they are of the year to %s.", longDate(m.PeopleAsOf.Time))
	}
	return fmt.Sprintf("Figures about people stay as they were: of the year to %s.", longDate(m.PeopleAsOf.Time))
}

func newsOfTables(totals []changed.TableTotal) string {
	var parts []string
	for _, t := range editionTables {
		i := slices.IndexFunc(totals, func(one changed.TableTotal) bool { return one.Table == t.table })
		if i < 0 {
			continue
		}
		kinds := totals[i].Kinds
		differ := kinds[string(snapshots.RowAdded)] + kinds[string(snapshots.RowChanged)]
		parts = append(parts, fmt.Sprintf("%s %s new or revised and %s gone", t.name, words.FormatNumber(differ),
			words.FormatNumber(kinds[string(snapshots.RowRemoved)])))
	}
	if len(parts) == 0 {
		return "Figures of training, forecasts and evidence are the same."
	}
	return "Rows that differ: " + strings.Join(parts, "; ") + "."
}

func longDate(t time.Time) string { return t.Format("2 January 2006") }

// manifestBefore returns the manifest of the snapshot that was published before e. It returns nil
// if that snapshot is no longer stored.
func (s *Site) manifestBefore(e snapshotEntry) *snapshots.Manifest {
	if e.Manifest.Previous == nil {
		return nil
	}
	m, err := s.Store.Manifest(e.Manifest.Previous.ID)
	if err != nil {
		return nil // it was removed
	}
	return &m
}

// editionsCompared is the number of snapshot dates from which nextEdition estimates the next date.
// It uses the newest dates.
const editionsCompared = 8

// nextEdition estimates the day of the next snapshot. It adds the median interval between the
// newest dates to the last of them. ids are the snapshots that were ever published, the newest first:
// the rhythm does not depend on which of them are still stored. The result is the zero time if they
// have fewer than two different dates.
func nextEdition(ids []snapshots.ID) time.Time {
	var days []time.Time // newest first, each once; several snapshots can have one date
	for _, id := range ids {
		day := id.Date()
		if len(days) < editionsCompared && (len(days) == 0 || day.Before(days[len(days)-1])) {
			days = append(days, day)
		}
	}
	if len(days) < 2 {
		return time.Time{}
	}
	var gaps []time.Duration
	for i := 1; i < len(days); i++ {
		gaps = append(gaps, days[i-1].Sub(days[i]))
	}
	slices.Sort(gaps)
	return days[0].Add(gaps[len(gaps)/2])
}

// next states when the next publication is expected, and which quarter its figures about people
// will describe.
type next struct {
	Edition time.Time // day of the next publication; zero if it cannot be estimated
	Late    bool      // whether that day is over, so that the publication is late
	// last day of the period of the next figures about people; zero if the snapshot has no such
	// figures, or if all of them are withdrawn
	People time.Time
	// last day of the latest quarter that has no figures because they were made too early and are
	// not made again; zero if there is no such quarter after those that the snapshot describes
	LeftOut time.Time
}

// nextPublication returns when the next publication is expected.
func (s *Site) nextPublication(v *request) next {
	ids, err := s.everPublishedIDs()
	v.fail(err)
	return s.nextOf(v, ids)
}

// nextOf does the work of nextPublication. ids are the snapshots that were ever published, the newest
// first.
func (s *Site) nextOf(v *request, ids []snapshots.ID) next {
	n := next{Edition: nextEdition(ids)}
	n.Late = !n.Edition.IsZero() && v.at.After(n.Edition.AddDate(0, 0, 1))
	if hasPeople(v.snapshot) {
		n.People, n.LeftOut = s.nextPeople(v)
	}
	return n
}

// nextPeople returns the last day that the next figures about people will describe. It leaves out
// quarters whose figures were made too early, because they are not made again. leftOut is the last
// day of the latest of these quarters; it is zero if there is none.
func (s *Site) nextPeople(v *request) (to, leftOut time.Time) {
	early, err := s.Store.EarlyQuarters()
	v.fail(err)
	settled := early.SettledTo(v.snapshot.PeopleAsOf())
	if settled.After(v.snapshot.PeopleAsOf()) {
		leftOut = settled
	}
	to = periods.NextPeopleQuarterEnd(newestDay(v), settled)
	for early.Has(to) {
		leftOut = to
		to = periods.NextPeopleQuarterEnd(newestDay(v), to)
	}
	return to, leftOut
}

// overdue reports whether the figures about people should already describe a later quarter. Figures
// of the quarter n.LeftOut are not expected, because they are not made again.
func overdue(v *request, n next) bool {
	if !hasPeople(v.snapshot) {
		return false
	}
	to := v.snapshot.PeopleAsOf()
	if n.LeftOut.After(to) {
		to = n.LeftOut
	}
	return periods.QuarterOverdue(newestDay(v), to)
}

// hasPeople reports whether a snapshot has figures about people and they are not all withdrawn.
func hasPeople(s api.Snapshot) bool {
	return s != nil && !s.PeopleAsOf().IsZero() && !s.AboutPeople("").AllWithdrawn()
}

// newestDay returns the day of the request or the date of the snapshot, whichever is later. If no
// new snapshot is published, the day of the request still advances. Thus a late publication is
// noticed.
func newestDay(v *request) time.Time {
	day := v.at.Truncate(24 * time.Hour)
	if v.snapshot.AsOf().After(day) {
		return v.snapshot.AsOf()
	}
	return day
}
