package people

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"labour/pipeline/disclosure"
	"labour/snapshots"
)

// TestSharesOfResidentsAreOfTheirKeys counts residents who have a skill on record by taking them
// from those who have none: each share must be what the residents, counted from nothing, print
// under their keys.
func TestSharesOfResidentsAreOfTheirKeys(t *testing.T) {
	in, dir := world(t), t.TempDir()
	in.Protection, in.Secret = disclosure.ProtectionRounded, disclosure.RoundingSecret([]byte(strings.Repeat("k",
		disclosure.RoundingSecretSize)))
	boroughs := []string{"", "camden", "hackney"}
	keys := in.Secret.NewRoundingKeys()
	of := map[string]disclosure.ResidentCounts{}
	for _, skill := range in.Skills {
		of[skill] = make(disclosure.ResidentCounts, len(boroughs))
	}
	var residents []applicantRow
	held := map[string][]skillHolderRow{}
	for person := range int32(2_011) {
		borough := int(person % 3)
		residents = append(residents, applicantRow{Person: person, Resident: id(person), IsResident: true,
			Borough: boroughs[borough]})
		one := disclosure.TrueCount{People: 1, Key: keys.KeyOf(disclosure.PeopleKeyScope, id(person))}
		for n, skill := range in.Skills {
			level := max(0, int(person)%(7+n)-1)
			if level > disclosure.LevelCount {
				level = 0
			}
			if of[skill][borough][level].Add(one); level > 0 {
				held[skill] = append(held[skill], skillHolderRow{skill, person, int8(level)})
			}
		}
	}
	in.QueryResults.Applicants = answer(t, dir, "applicants", residents)
	in.QueryResults.ResidentSkills = answer(t, dir, "held", slices.Concat(held[in.Skills[0]], held[in.Skills[1]]))
	made, _ := built(t, in)
	rules := disclosure.Rules{Protection: in.Protection, Places: in.Places}
	var want []snapshots.ResidentsRow
	for _, skill := range in.Skills {
		want = appendResidents(want, skill, in.Places, rules.PublishedResidentShares(of[skill]))
	}
	got, shares := residentsText(made.Residents), 0
	for i, row := range residentsText(want) {
		if shares += strings.Count(row, "."); !slices.Contains(got, row) {
			t.Errorf("want %s, the rows are %s", row, got[min(i, len(got)-1)])
		}
	}
	if len(got) != len(want) || shares < 20 {
		t.Errorf("%d rows, want %d; %d shares", len(got), len(want), shares)
	}
}

func residentsText(rows []snapshots.ResidentsRow) (text []string) {
	for _, r := range rows {
		share := "null"
		if r.PeopleBelowSharePct != nil {
			share = fmt.Sprintf("%d.%d", *r.PeopleBelowSharePct/10, *r.PeopleBelowSharePct%10)
		}
		text = append(text, fmt.Sprint(r.Place, " ", r.Skill, " ", r.Level, " ", share))
	}
	return text
}
