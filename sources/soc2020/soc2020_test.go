package soc2020

import (
	"regexp"
	"strings"
	"testing"
)

// TestListIsComplete: each group is there once, sorted by code, with a name, and below its parent.
func TestListIsComplete(t *testing.T) {
	codePattern := regexp.MustCompile(`^[1-9][0-9]{0,3}$`)
	count := map[int]int{}
	last := ""
	for _, g := range Groups() {
		if !codePattern.MatchString(g.Code) || g.Name == "" || strings.Contains(g.Name, "\t") {
			t.Errorf("group %q", g)
		}
		if g.Code <= last {
			t.Errorf("group %s is out of order", g.Code)
		}
		if parent := g.Code[:len(g.Code)-1]; parent != "" && !IsGroup(parent) {
			t.Errorf("group %s has no parent in the list", g.Code)
		}
		last = g.Code
		count[len(g.Code)]++
	}
	for digits, want := range map[int]int{1: 9, 2: 26, 3: 104, 4: 412} {
		if count[digits] != want {
			t.Errorf("groups of %d digits: %d, want %d", digits, count[digits], want)
		}
	}
}

// TestIsGroup: only a code of the official list is a code of SOC 2020.
func TestIsGroup(t *testing.T) {
	for code, want := range map[string]bool{"6": true, "61": true, "613": true, "6135": true, "2136": true,
		"6145": false, "6199": false, "99": false, "0": false, "0123": false, "21365": false, "21a": false, "": false,
		" 2136": false, "2136\n": false, "# Names of groups: SOC 2020": false} {
		if got := IsGroup(code); got != want {
			t.Errorf("%q: %t, want %t", code, got, want)
		}
	}
}

// TestCallersCannotChangeTheList: Groups returns a copy.
func TestCallersCannotChangeTheList(t *testing.T) {
	Groups()[0].Code = "x"
	if !IsGroup("1") {
		t.Error("the list was changed")
	}
}
