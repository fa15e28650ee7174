package people

import (
	"fmt"
	"iter"

	"labour/pipeline/calendar"
	"labour/pipeline/disclosure"
	"labour/pipeline/previous"
	"labour/snapshots"
)

// LastPrinted returns the published figures of people of the newest quarter before this one; nil if
// there are none.
func LastPrinted(published iter.Seq2[*previous.Snapshot, error],
	quarter calendar.Period) (last *snapshots.People, err error) {
	for one, err := range published {
		if err != nil {
			return nil, err
		}
		earlier := one.People != nil && one.People.To.Before(quarter.To.Time())
		if earlier && (last == nil || last.To.Before(one.People.To.Time)) {
			last = one.People
		}
	}
	return last, nil
}

// otherSecret reports whether printed figures were made with another secret. Plain figures need no
// secret.
func otherSecret(of *snapshots.People, secret disclosure.Secret) bool {
	return of.Protection != string(disclosure.Plain) && of.SecretSHA256 != secret.SHA256()
}

// RemarkSecretOfQuarter returns a remark if the carried figures of the quarter were made with
// another secret, otherwise "".
func RemarkSecretOfQuarter(carried *snapshots.People, secret disclosure.Secret) string {
	if !otherSecret(carried, secret) {
		return ""
	}
	return fmt.Sprintf("the secret of people is not the one under which the figures to %s were drawn: they are "+
		"carried unchanged, and the next quarter is drawn under the new one, which gives a patient reader two "+
		"draws of the same people; put the secret back from a backup before the next quarter", carried.To)
}

// RemarkSecretSince returns a remark if the new figures are made with another secret than those of
// the quarter before, otherwise "": "the next quarter is drawn anew, which gives a patient reader
// two draws; the run says so".
func RemarkSecretSince(before *snapshots.People, secret disclosure.Secret) string {
	if !otherSecret(before, secret) {
		return ""
	}
	return fmt.Sprintf("the secret of people is not the one under which the figures to %s were drawn: the figures "+
		"of this quarter are drawn under the new one, which gives a patient reader two draws of the same people; "+
		"they stay as they are now, so keep the new secret, and back it up", before.To)
}

// RemarkProtection returns a remark if people.protection differs from that of the carried figures
// of the quarter, which stay as they were made; otherwise "".
func RemarkProtection(carried *snapshots.People, now disclosure.Protection,
	withdrawn []snapshots.PeopleWithdrawal) string {
	_, nothing := snapshots.WithdrawalOf(withdrawn, "")
	switch {
	case carried.Protection == string(now):
		return ""
	case now == disclosure.Plain:
		return fmt.Sprintf("people.protection is plain by now, and the figures of people to %s were made rounded: "+
			"they are carried unchanged, and figures are exact from the next quarter on", carried.To)
	case nothing:
		return ""
	}
	return fmt.Sprintf("people.protection is %s by now, and the figures of people to %s are exact: they are carried "+
		"unchanged, and figures are rounded from the next quarter on; labour people withdraw stops the exact "+
		"figures from standing now (what is withdrawn stays so in later quarters)", now, carried.To)
}
