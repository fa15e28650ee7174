package people

import (
	"fmt"
	"slices"
	"strings"

	"labour/pipeline/calendar"
	"labour/pipeline/disclosure"
	"labour/pipeline/previous"
	"labour/snapshots"
)

// LastPublished returns the manifest's entry for the newest published counts of people that do not
// end later than the given period. It returns nil if there are none.
func LastPublished(published []*previous.Snapshot, period calendar.Period) (last *snapshots.People) {
	for _, one := range published {
		if one.People == nil || one.People.To.After(period.To.Time()) {
			continue
		}
		if last == nil || last.To.Before(one.People.To.Time) {
			last = one.People
		}
	}
	return last
}

// SecretChangedRemark returns a remark for the run's report if the secret for rounding counts of
// people has changed. Two secrets reveal more about the same people than one. It returns "" if the
// secret is the same, or if the last published counts were not rounded. printed is the manifest's
// entry for these counts, or nil if there are none. period is the period of the new snapshot's
// counts.
func SecretChangedRemark(printed *snapshots.People, period calendar.Period, secret disclosure.RoundingSecret) string {
	if printed == nil || printed.Protection == string(disclosure.ProtectionUnrounded) ||
		printed.SecretSHA256 == secret.SHA256() {
		return ""
	}
	rounded := "the figures of this quarter are rounded"
	advice := "keep the new secret, and back it up"
	if printed.To.Equal(period.To.Time()) {
		rounded = "they are copied unchanged, and those of the next quarter will be rounded"
		advice = "put the old secret back from a backup before the next quarter"
	}
	return fmt.Sprintf("the secret of people has changed since the figures to %s were rounded: %s with the new one, "+
		"and two roundings of the same people tell more about the true counts than one; %s", printed.To, rounded, advice)
}

// UnknownSkillsRemark returns a remark for the run's report if withdrawals name skills that the
// register, with the given slugs, does not have: they withdraw nothing. Otherwise it returns "".
func UnknownSkillsRemark(withdrawn []snapshots.PeopleWithdrawal, slugs []string) string {
	var unknown []string
	for _, w := range withdrawn {
		if w.Skill != "" && !slices.Contains(slugs, w.Skill) {
			nearest := snapshots.MostSimilar(w.Skill, slugs)
			unknown = append(unknown, fmt.Sprintf("%q (the nearest skill is %q)", w.Skill, nearest))
		}
	}
	if len(unknown) == 0 {
		return ""
	}
	return fmt.Sprintf("figures of people are withdrawn for skills that do not exist: %s; nothing is withdrawn by these "+
		"lines; correct them in people-withdrawn.ndjson", strings.Join(unknown, ", "))
}

// ProtectionChangedRemark returns a remark for the run's report if the setting people.protection
// has changed since the copied counts of people were made. Copied counts do not change. carried is
// the manifest's entry for the copied counts, now is the present setting, and withdrawn has the
// withdrawn counts. The remark is "" if the setting is the same, or if all counts are withdrawn.
func ProtectionChangedRemark(carried *snapshots.People, now disclosure.Protection,
	withdrawn []snapshots.PeopleWithdrawal) string {
	if snapshots.AllPeopleWithdrawn(withdrawn) || carried.Protection == string(now) {
		return ""
	}
	if now == disclosure.ProtectionUnrounded {
		return fmt.Sprintf("people.protection is now plain, but the figures of people to %s are rounded: they are "+
			"copied unchanged, and figures are exact from the next quarter on", carried.To)
	}
	return fmt.Sprintf("people.protection is now %s, but the figures of people to %s are exact: they are copied "+
		"unchanged, and figures are rounded from the next quarter on; labour people withdraw removes the exact "+
		"figures before that (withdrawn figures stay withdrawn in later quarters)", now, carried.To)
}

// NotComparedRemark returns a remark for the run's report if new counts of people cannot be
// compared with the current ones, because all current counts are withdrawn. copied is the snapshot
// from which the counts are copied; nil if they are new. It returns "" if there is nothing to
// compare: the counts are copied, all new counts are withdrawn, or there is no current snapshot.
func NotComparedRemark(copied, current *previous.Snapshot, withdrawals []snapshots.PeopleWithdrawal) string {
	if copied != nil || current == nil {
		return ""
	}
	if !snapshots.AllPeopleWithdrawn(current.PeopleWithdrawn) || snapshots.AllPeopleWithdrawn(withdrawals) {
		return ""
	}
	return fmt.Sprintf("the new figures of people were not compared with earlier ones, because all figures of people "+
		"are withdrawn in the current snapshot, %s; look at them yourself: labour snapshot report", current.ID)
}
