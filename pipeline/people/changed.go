package people

import (
	"fmt"

	"labour/pipeline/calendar"
	"labour/pipeline/disclosure"
	"labour/pipeline/previous"
	"labour/snapshots"
)

// LastPublished returns the manifest's entry on the newest published counts of people that are of
// this quarter or an earlier one. It returns nil if there are none.
func LastPublished(published []*previous.Snapshot, quarter calendar.Period) (last *snapshots.People) {
	for _, one := range published {
		if one.People == nil || one.People.To.After(quarter.To.Time()) {
			continue
		}
		if last == nil || last.To.Before(one.People.To.Time) {
			last = one.People
		}
	}
	return last
}

// SecretChangedRemark returns a remark for the run's report if the published counts of people were
// rounded with another secret. Rounding the same people with two secrets reveals more than with
// one. It returns "" if the secret is the same, printed is nil, or the counts are plain (not
// randomly rounded).
func SecretChangedRemark(printed *snapshots.People, quarter calendar.Period, secret disclosure.RoundingSecret) string {
	if printed == nil || printed.Protection == string(disclosure.ProtectionPlain) ||
		printed.SecretSHA256 == secret.SHA256() {
		return ""
	}
	rounded := "the figures of this quarter are rounded"
	advice := "keep the new secret, and back it up"
	if printed.To.Equal(quarter.To.Time()) {
		rounded = "they are copied unchanged, and those of the next quarter will be rounded"
		advice = "put the old secret back from a backup before the next quarter"
	}
	return fmt.Sprintf("the secret of people has changed since the figures to %s were rounded: %s with the new one, "+
		"and two roundings of the same people tell more about the true counts than one; %s", printed.To, rounded, advice)
}

// ProtectionChangedRemark returns a remark for the run's report if the setting people.protection
// has changed since the copied counts of people were made. These counts stay as they are. It
// returns "" if the setting is the same, or if all counts are withdrawn.
func ProtectionChangedRemark(carried *snapshots.People, now disclosure.Protection,
	withdrawn []snapshots.PeopleWithdrawal) string {
	if snapshots.AllPeopleWithdrawn(withdrawn) || carried.Protection == string(now) {
		return ""
	}
	if now == disclosure.ProtectionPlain {
		return fmt.Sprintf("people.protection is now plain, but the figures of people to %s are rounded: they are "+
			"copied unchanged, and figures are exact from the next quarter on", carried.To)
	}
	return fmt.Sprintf("people.protection is now %s, but the figures of people to %s are exact: they are copied "+
		"unchanged, and figures are rounded from the next quarter on; labour people withdraw removes the exact "+
		"figures before that (withdrawn figures stay withdrawn in later quarters)", now, carried.To)
}

// NotComparedRemark returns a remark for the run's report if new counts of people cannot be
// compared with those of the current snapshot, because all of them are withdrawn. It returns "" if
// they can be compared, if all new counts are withdrawn too, or if the counts are copied from a
// published snapshot. copied and current are nil if there is no such snapshot.
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
