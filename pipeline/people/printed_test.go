package people

import (
	"strings"
	"testing"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/disclosure"
	"labour/pipeline/previous"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/sources"
)

// yearTo returns the twelve months that end with a day of 2026.
func yearTo(month time.Month, day int) calendar.Period {
	to := sources.Date{Year: 2026, Month: month, Day: day}
	return calendar.Period{From: sources.DateOf(to.Time().AddDate(-1, 0, 1)), To: to}
}

// figuresTo is a published snapshot whose figures of people describe a quarter.
func figuresTo(quarter calendar.Period) *previous.Snapshot {
	return &previous.Snapshot{Manifest: snapshots.Manifest{People: &snapshots.People{
		From: snapshots.DateOf(quarter.From.Time()), To: snapshots.DateOf(quarter.To.Time()),
		Protection: string(disclosure.ProtectionRounded), FeedFetchedAt: quarter.To.Time()}}}
}

// The last printed figures are of this quarter or an earlier one, never of a later one.
func TestLastPrintedIsNotLaterThanTheQuarter(t *testing.T) {
	march, june, september := yearTo(3, 31), yearTo(6, 30), yearTo(9, 30)
	published := []*previous.Snapshot{{}, figuresTo(march), figuresTo(september), figuresTo(june), figuresTo(march)}
	for _, q := range []calendar.Period{march, june, september} {
		if last := LastPublished(published, q); last == nil || PeriodOf(last).To != q.To {
			t.Errorf("the last figures for the quarter to %s are %+v", q.To, last)
		}
	}
	if last := LastPublished(published, yearTo(12, 31)); last == nil || PeriodOf(last).To != september.To {
		t.Errorf("the last figures before December are %+v", last)
	}
	if last := LastPublished(published, yearTo(2, 28)); last != nil {
		t.Errorf("there are no figures before March, not %+v", last)
	}
}

// The newest printed quarter has ended before the day, and was made from an extract that was known on it.
func TestNewestPrintedWasKnownOnTheDay(t *testing.T) {
	march, june, september := yearTo(3, 31), yearTo(6, 30), yearTo(9, 30)
	published := []*previous.Snapshot{{}, figuresTo(june), figuresTo(september), figuresTo(march)}
	all := func(sources.Extract) bool { return true }
	untilJune := func(x sources.Extract) bool { return x.FetchedAt.Before(time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)) }
	for _, one := range []struct {
		asOf  sources.Date
		known func(sources.Extract) bool
		want  calendar.Period
	}{
		{sources.Date{Year: 2026, Month: 10, Day: 1}, all, september},
		{sources.Date{Year: 2026, Month: 9, Day: 30}, all, june},
		{sources.Date{Year: 2026, Month: 10, Day: 1}, untilJune, june},
		{sources.Date{Year: 2026, Month: 3, Day: 31}, all, calendar.Period{}},
	} {
		if got := newestPrinted(published, one.known, nil, one.asOf); got.To != one.want.To {
			t.Errorf("on %s the newest quarter is that to %s, not %s", one.asOf, one.want.To, got.To)
		}
	}
}

// Two draws of the same people are remarked on, whether the quarter is carried or made again.
func TestChangedSecretIsRemarkedOn(t *testing.T) {
	september := yearTo(9, 30)
	old, other := disclosure.RoundingSecret{1}, disclosure.RoundingSecret{2}
	printed := figuresTo(september).People
	printed.SecretSHA256 = old.SHA256()
	plain := *printed
	plain.Protection = string(disclosure.ProtectionUnrounded)
	for _, one := range []struct {
		printed *snapshots.People
		quarter calendar.Period
		secret  disclosure.RoundingSecret
		has     string
	}{
		{nil, september, other, ""},
		{printed, september, old, ""},
		{&plain, september, other, ""},
		{printed, september, other, "put the old secret back from a backup before the next quarter"},
		{printed, yearTo(12, 31), other, "keep the new secret, and back it up"},
	} {
		got := SecretChangedRemark(one.printed, one.quarter, one.secret)
		if (got == "") != (one.has == "") || !strings.Contains(got, one.has) {
			t.Errorf("for the quarter to %s the remark is %q, without %q", one.quarter.To, got, one.has)
		}
	}
}

// Carried figures stay as they were made. The operator reads it if the setting has changed since.
func TestChangedProtectionIsRemarkedOn(t *testing.T) {
	all, one := []snapshots.PeopleWithdrawal{{}}, []snapshots.PeopleWithdrawal{{Skill: "python"}}
	const staysRounded, staysExact = "figures are exact from the next quarter on", "labour people withdraw"
	for _, c := range []struct {
		carried, now disclosure.Protection
		withdrawn    []snapshots.PeopleWithdrawal
		has          string
	}{
		{disclosure.ProtectionRounded, disclosure.ProtectionRounded, nil, ""},
		{disclosure.ProtectionUnrounded, disclosure.ProtectionUnrounded, nil, ""},
		{disclosure.ProtectionRounded, disclosure.ProtectionUnrounded, nil, staysRounded},
		{disclosure.ProtectionRounded, disclosure.ProtectionUnrounded, all, ""},
		{disclosure.ProtectionUnrounded, disclosure.ProtectionRounded, nil, staysExact},
		{disclosure.ProtectionUnrounded, disclosure.ProtectionRounded, one, staysExact},
		{disclosure.ProtectionUnrounded, disclosure.ProtectionRounded, all, ""},
	} {
		p := figuresTo(yearTo(9, 30)).People
		p.Protection = string(c.carried)
		got := ProtectionChangedRemark(p, c.now, c.withdrawn)
		if (got == "") != (c.has == "") || !strings.Contains(got, c.has) {
			t.Errorf("from %s to %s, withdrawn %v: the remark is %q", c.carried, c.now, c.withdrawn, got)
		}
	}
}

// The operator reads that new figures were compared with none, if all earlier ones are withdrawn.
func TestFiguresThatAreNotComparedAreRemarkedOn(t *testing.T) {
	all, one := []snapshots.PeopleWithdrawal{{}}, []snapshots.PeopleWithdrawal{{Skill: "python"}}
	for _, c := range []struct {
		before, now []snapshots.PeopleWithdrawal
		want        bool
	}{{nil, nil, false}, {nil, all, false}, {one, nil, false}, {all, nil, true}, {all, one, true}, {all, all, false}} {
		current := &previous.Snapshot{Manifest: snapshots.Manifest{ID: "2026-11-20.1", PeopleWithdrawn: c.before}}
		got := NotComparedRemark(nil, current, c.now)
		if (got != "") != c.want || c.want && !strings.Contains(got, "snapshot, 2026-11-20.1;") {
			t.Errorf("withdrawn %v, then %v: the remark is %q", c.before, c.now, got)
		}
		if copied := NotComparedRemark(current, current, c.now); copied != "" {
			t.Errorf("copied figures: %q", copied)
		}
		if first := NotComparedRemark(nil, nil, c.now); first != "" {
			t.Errorf("the first run: %q", first)
		}
	}
}

// A withdrawal of one skill hides its people and residents; a withdrawal of all hides every figure; a
// changed place hides its own rows only.
func TestHiddenRowsOfPeople(t *testing.T) {
	skill := HiddenCounts{Withdrawn: []snapshots.PeopleWithdrawal{{Skill: "python"}}}
	all := HiddenCounts{Withdrawn: []snapshots.PeopleWithdrawal{{}}}
	place := HiddenCounts{Places: map[string]bool{"camden": true}}
	for _, one := range []struct {
		hidden                                   HiddenCounts
		skill, place                             string
		people, residents, s106, candidatesThere bool
	}{
		{HiddenCounts{}, "python", "camden", false, false, false, false},
		{skill, "python", "camden", true, true, false, false},
		{skill, "excel", "camden", false, false, false, false},
		{all, "excel", "camden", true, true, true, true},
		{place, "excel", "camden", true, true, true, true},
		{place, "excel", "hackney", false, false, false, false},
	} {
		var tally disclosure.ValueTally
		got := [4]bool{one.hidden.hidesPeople(&tally)(&snapshots.PeopleRow{Skill: one.skill, Place: one.place}),
			one.hidden.residents(&snapshots.ResidentsRow{Skill: one.skill, Place: one.place}),
			one.hidden.s106(&snapshots.S106PeopleRow{Place: one.place}),
			one.hidden.candidates(&snapshots.CandidatesRow{Dimension: snapshots.CandidatesByBorough, Value: one.place})}
		if got != [4]bool{one.people, one.residents, one.s106, one.candidatesThere} {
			t.Errorf("%+v: hidden of %s in %s are %v", one.hidden, one.skill, one.place, got)
		}
	}
	if place.candidates(&snapshots.CandidatesRow{Dimension: snapshots.CandidatesBySector, Value: "camden"}) {
		t.Error("a sector is no place")
	}
}

// Withdrawn rows are counted by what they printed. Rows of changed places are not withdrawn.
func TestWithdrawnRowsAreCounted(t *testing.T) {
	h := HiddenCounts{Withdrawn: []snapshots.PeopleWithdrawal{{Skill: "python"}}, Places: map[string]bool{"camden": true}}
	var tally disclosure.ValueTally
	hidden := h.hidesPeople(&tally)
	for _, status := range []figure.Status{figure.StatusNumber, figure.StatusNumber, figure.StatusUnderFive,
		figure.StatusNotPublished} {
		hidden(&snapshots.PeopleRow{Skill: "python", Place: "hackney", PeopleTurnedDownStatus: status})
		hidden(&snapshots.PeopleRow{Skill: "python", Place: "camden", PeopleTurnedDownStatus: status})
		hidden(&snapshots.PeopleRow{Skill: "excel", Place: "hackney", PeopleTurnedDownStatus: status})
	}
	if tally != (disclosure.ValueTally{Numbers: 2, UnderFive: 1}) {
		t.Errorf("withdrawn are %+v", tally)
	}
}
