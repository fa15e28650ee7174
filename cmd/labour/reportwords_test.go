package main

import (
	"testing"

	"labour/pipeline/counting"
	"labour/serve/web/words"
	"labour/sources"
)

// Every code of a report has words, and no words are of a code that there is not.
func TestCodesOfReportsHaveWords(t *testing.T) {
	var codes, rules []string
	for _, code := range sources.FaultCodes() {
		codes = append(codes, string(code))
	}
	for _, rule := range counting.ExclusionRules() {
		rules = append(rules, string(rule.Reason))
	}
	for list, values := range map[string][]string{"data_fault": codes, "rule": rules} {
		for _, value := range values {
			if words.DisplayName(list, value) == "" {
				t.Errorf("%s %s has no words", list, value)
			}
		}
		if n := len(words.List(list)); n != len(values) {
			t.Errorf("%s has words of %d codes, want %d", list, n, len(values))
		}
	}
	if got := wordsFor("rule", "not_known_here"); got != "not known here" {
		t.Errorf("a code without words is printed as %q", got)
	}
	if one, two := count(1, "fault"), count(2, "fault"); one != "1 fault" || two != "2 faults" {
		t.Errorf("%q, %q", one, two)
	}
}
