package web_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// TestWordsFollowTheProtection: pages of a service that prints exact counts do not tell that counts are
// rounded; they tell what follows from exact ones.
func TestWordsFollowTheProtection(t *testing.T) {
	sites := map[string]*site{"rounded": newSite(t)}
	data, day := t.TempDir(), "2026-11-20"
	content := snaptest.DefaultContent(t, day)
	content.Protection = "plain"
	snaptest.BuildSnapshot(t, data, day, content)
	sites["plain"] = siteOf(t, data)
	exact := map[string]string{"/skills": "Other counts of people are exact",
		"/docs/small-numbers": "publishes numbers from 5 exactly",
		"/docs/methods":       "Counts of people are exact from 5", "/docs/candidates": "They are exact from 5",
		"/docs/s106": "is exact from 5"}
	for path, plain := range exact {
		for protection, s := range sites {
			page := strings.ToLower(strings.Join(strings.Fields(text(s.page(t, path))), " "))
			if is := strings.Contains(page, strings.ToLower(plain)); is != (protection == "plain") {
				t.Errorf("%s of a %s service has %q: %t", path, protection, plain, is)
			}
			tellsRounded := slices.ContainsFunc([]string{"multiples of 5", "fair draw", "rounded"},
				func(word string) bool { return strings.Contains(page, word) })
			if tellsRounded != (protection == "rounded") && path != "/docs/small-numbers" {
				t.Errorf("%s of a %s service tells of rounding: %t", path, protection, tellsRounded)
			}
		}
	}
}

// siteWithWithdrawn returns a site whose figures about people of a skill are withdrawn; all of them if skill is "".
func siteWithWithdrawn(t *testing.T, skill string) *site {
	t.Helper()
	data, day := t.TempDir(), "2026-11-20"
	content := snaptest.DefaultContent(t, day)
	content.PeopleWithdrawn = []snapshots.PeopleWithdrawal{{At: time.Date(2026, 11, 19, 0, 0, 0, 0, time.UTC),
		Skill: skill, By: "a board", Reason: "The feed was wrong."}}
	snaptest.BuildSnapshot(t, data, day, content)
	return siteOf(t, data)
}

// TestPagesTellWhyPeopleAreWithdrawn: the operator's reason stands where the figures would, and on
// the page of the snapshot.
func TestPagesTellWhyPeopleAreWithdrawn(t *testing.T) {
	for _, skill := range []string{"", "python"} {
		s := siteWithWithdrawn(t, skill)
		for _, path := range []string{"/", "/skills", "/skills/python", "/skills/python?place=camden", "/places/camden",
			"/snapshots/2026-11-20.1"} {
			page := strings.Join(strings.Fields(text(s.page(t, path))), " ")
			if n := strings.Count(page, "by a board: The feed was wrong."); n != 1 {
				t.Errorf("withdrawn %q: %s has the reason %d times", skill, path, n)
			}
		}
	}
}

// TestPagesTellThatThereAreNoPeople: once all figures about people are withdrawn, the pages that would
// have them say so, and name no period of them. Of one skill, they do not.
func TestPagesTellThatThereAreNoPeople(t *testing.T) {
	for _, skill := range []string{"", "python"} {
		s := siteWithWithdrawn(t, skill)
		for path, want := range map[string][2]string{
			"/":                       {"There are no figures about people: all", ""},
			"/skills":                 {"There are no figures about people: all", "Figures about people in the year"},
			"/places/camden":          {"There are no figures about people: all", "in the year to"},
			"/places/camden/brief":    {"There are no figures about people: all", "in the year to"},
			"/status":                 {"all figures about people were withdrawn", "figures about people to"},
			"/snapshots/2026-11-20.1": {"There are no figures about people: all", "Figures about people are of"},
		} {
			page := strings.Join(strings.Fields(text(s.page(t, path))), " ")
			if says := strings.Contains(page, want[0]); says != (skill == "") {
				t.Errorf("withdrawn %q: %s says %q: %t", skill, path, want[0], says)
			}
			if skill == "" && want[1] != "" && strings.Contains(page, want[1]) {
				t.Errorf("%s says %q", path, want[1])
			}
		}
	}
}

// TestSmallNumbersTellHowSharesAreMade: a reader can work a share out again.
func TestSmallNumbersTellHowSharesAreMade(t *testing.T) {
	page := strings.Join(strings.Fields(text(newSite(t).page(t, "/docs/small-numbers"))), " ")
	for _, want := range []string{"it counts as 2.5", "too high on average"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
