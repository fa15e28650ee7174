package web_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// TestStatusSaysWhichSourcesAreLate: in words, also before anything is published.
func TestStatusSaysWhichSourcesAreLate(t *testing.T) {
	data, c := t.TempDir(), snaptest.DefaultContent(t, "2026-11-20")
	c.Sources[0].Title = "The late one"
	for i := range c.Freshness {
		if c.Freshness[i].SourceKey == c.Sources[0].Key {
			c.Freshness[i].LastSuccessAt = nil
		}
	}
	snaptest.BuildSnapshot(t, data, "2026-11-20", c)
	for s, want := range map[*site][]string{
		siteOf(t, data): {"Data to 20 November 2026", ". This publication was made on 20 November 2026.", "The late one",
			"never received", " late. Figures made of a late source"},
		siteOf(t, t.TempDir()): {"No publication is loaded at this moment"},
	} {
		w := s.get(t, "/status")
		for _, words := range want {
			if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), words) {
				t.Errorf("status %d, without %q: %s", w.Code, words, w.Body)
			}
		}
		if !strings.Contains(s.get(t, "/docs").Body.String(), `href="/status"`) {
			t.Error("no page leads to the status")
		}
	}
}

// TestStatusSaysThatAQuarterIsOverdue: "A quarter overdue by more than three days is a remark in the
// report and on `/status`". It is overdue on 20 November, on which the page is asked for, also if no
// snapshot has been published since September.
func TestStatusSaysThatAQuarterIsOverdue(t *testing.T) {
	for _, tt := range []struct {
		asOf, peopleAsOf string
		want             bool
	}{
		{"2027-01-03", "2026-09-30", false}, {"2027-01-04", "2026-09-30", true}, {"2026-09-28", "2026-06-30", true},
		{"2026-11-20", "2026-06-30", true}, {"2026-10-28", "2026-09-30", false},
	} {
		data, c := t.TempDir(), snaptest.DefaultContent(t, tt.asOf)
		c.PeopleAsOf = tt.peopleAsOf
		snaptest.BuildSnapshot(t, data, tt.asOf, c)
		page := text(siteOf(t, data).page(t, "/status"))
		if got := strings.Contains(page, "The figures about people are late"); got != tt.want {
			t.Errorf("%+v: late is %t: %s", tt, got, page)
		}
	}
}

// TestSkillLeadsToPathways: those of an occupation that asks for it, with their standards, and
// no step of theirs; training leads back to the skills of its field.
func TestSkillLeadsToPathways(t *testing.T) {
	s := newSite(t)
	for skill, want := range map[string]string{"sql": "Into software",
		"care-planning": "Into careApprenticeship standards: Adult care worker (ST0005, level 2); Leader in adult care " +
			"(ST0008, level 5)"} {
		page := text(s.page(t, "/skills/"+skill))
		if _, learned, _ := strings.Cut(page, "Careers pathways and apprenticeship standards"); !strings.Contains(
			learned, want) {
			t.Errorf("%s: no %q in %q", skill, want, learned)
		}
		if strings.Contains(page, "Junior developer") || strings.Contains(page, "Care certificate") {
			t.Errorf("the page of %s has a step of a pathway", skill)
		}
	}
	if body := s.get(t, "/courses").Body.String(); !strings.Contains(body, `href="/skills?sector=care-services"`) {
		t.Error("training does not lead to the skills of its field")
	}
}

// TestEmbargoedTableOfAPage: the workbook of a page has the sheet of an open dataset. The page of an earlier
// snapshot has no such table, because the interface answers the dataset from the current snapshot only.
func TestEmbargoedTableOfAPage(t *testing.T) {
	data := t.TempDir()
	var earlier snapshots.ID
	for _, day := range []string{"2026-11-19", "2026-11-20"} {
		c := snaptest.DefaultContent(t, day)
		c.OpenEmbargoed = []string{"priorities"}
		id := snaptest.BuildSnapshot(t, data, day, c)
		if earlier == "" {
			earlier = id
		}
	}
	s := siteOf(t, data)
	for path, want := range map[string]bool{"/places/camden": true, "/plan": true,
		"/places/camden?snapshot=" + string(earlier): false, "/plan?snapshot=" + string(earlier): false} {
		w := s.get(t, "/workbook"+path)
		f, err := excelize.OpenReader(w.Body)
		if err != nil {
			t.Errorf("%s: status %d, %v", path, w.Code, err)
			continue
		}
		has := slices.ContainsFunc(f.GetSheetList(), func(sheet string) bool {
			return strings.Contains(sheet, "What local plans")
		})
		if page := s.get(t, path); has != want || strings.Contains(page.Body.String(), "/v1/labour/priorities") != want {
			t.Errorf("%s: status %d, a sheet of priorities: %v, want %v", path, page.Code, has, want)
		}
	}
}

// TestPlaceHasPrioritiesOnceTheyAreOpen: under the name of the plan's area, and not before.
func TestPlaceHasPrioritiesOnceTheyAreOpen(t *testing.T) {
	for open, want := range map[bool]bool{true: true, false: false} {
		data, c := t.TempDir(), snaptest.DefaultContent(t, "2026-11-20")
		if open {
			c.OpenEmbargoed = []string{"priorities"}
		}
		snaptest.BuildSnapshot(t, data, "2026-11-20", c)
		page := text(siteOf(t, data).page(t, "/places/camden"))
		if _, listed, ok := strings.Cut(page, "What local plans list as in demand"); ok != want || want &&
			!strings.Contains(listed, "Programmers occupation, page 12") {
			t.Errorf("open %v: the page lists %q", open, listed)
		}
	}
}

// TestTrainingLeadsToItsEvidence: the figures of a place lead to the evidence of that place.
func TestTrainingLeadsToItsEvidence(t *testing.T) {
	s := newSite(t)
	for path, want := range map[string]string{"/courses": `href="/evidence?kind=statistic"`,
		"/courses?region=camden": `href="/evidence?kind=statistic&amp;region=camden"`} {
		if body := s.get(t, path).Body.String(); !strings.Contains(body, want+">Evidence of these figures") {
			t.Errorf("%s lacks %s", path, want)
		}
	}
	heading := text(elements(s.page(t, "/evidence?kind=statistic&region=camden"), "h1")[0])
	if !strings.Contains(heading, "Camden") {
		t.Errorf("the evidence of Camden is headed %q", heading)
	}
}
