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
	drawn := "the figures of this quarter are drawn"
	advice := "they stay as they are now, so keep the new secret, and back it up"
	if printed.To.Equal(quarter.To.Time()) {
		drawn = "they are carried unchanged, and the next quarter is drawn"
		advice = "put the secret back from a backup before the next quarter"
	}
	return fmt.Sprintf("the secret of people is not the one under which the figures to %s were drawn: %s under the "+
		"new one, which gives a patient reader two draws of the same people; %s", printed.To, drawn, advice)
}

// ProtectionChangedRemark returns a remark for the run's report if the setting people.protection
// has changed since the copied counts of people were made. These counts stay as they are. It
// returns "" if the setting is the same, or if all counts are withdrawn.
func ProtectionChangedRemark(carried *snapshots.People, now disclosure.Protection,
	withdrawn []snapshots.PeopleWithdrawal) string {
	_, allWithdrawn := snapshots.WithdrawalOf(withdrawn, "")
	if allWithdrawn || carried.Protection == string(now) {
		return ""
	}
	if now == disclosure.ProtectionPlain {
		return fmt.Sprintf("people.protection is plain by now, and the figures of people to %s were made rounded: "+
			"they are carried unchanged, and figures are exact from the next quarter on", carried.To)
	}
	return fmt.Sprintf("people.protection is %s by now, and the figures of people to %s are exact: they are carried "+
		"unchanged, and figures are rounded from the next quarter on; labour people withdraw stops the exact "+
		"figures from standing now (what is withdrawn stays so in later quarters)", now, carried.To)
}
