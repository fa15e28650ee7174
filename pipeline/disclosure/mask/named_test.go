package mask

import (
	"slices"
	"testing"

	"labour/snapshots/trace"
)

// TestEveryReasonHasASentence: who traces a figure is told of every rule that may
// withhold one, by the name that reports use.
func TestEveryReasonHasASentence(t *testing.T) {
	for r := ReasonNone + 1; r < reasons; r++ {
		if !slices.ContainsFunc(trace.PeopleRules(), func(rule trace.Rule) bool { return rule.Name == r.String() && rule.Sentence != "" }) {
			t.Errorf("the rule %s has no sentence", r)
		}
	}
}
