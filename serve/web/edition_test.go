package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// A figure that the operator corrected is marked where it stands, with what the publisher gives and the
// reason, in its own row and as the year before of the next one.
func TestCorrectedFiguresAreMarked(t *testing.T) {
	data, c := t.TempDir(), snaptest.DefaultContent(t, "2026-11-20")
	r := c.CourseDemand[0]
	for _, one := range c.CourseDemand {
		if one.PeriodEnd.After(r.PeriodEnd) {
			r = one
		}
	}
	const reason = "The publisher printed a digit too many."
	correct := func(years int, old, outcome string) snapshots.CorrectionsRow {
		text := "270"
		return snapshots.CorrectionsRow{SourceKey: r.SourceKey, Kind: "statistic", Field: "value", Old: &old, New: &text,
			Record: fmt.Sprintf("%s %s %s %s", r.Metric, r.RegionCode, r.PeriodEnd.AddDate(years, 0, 0).Format(time.DateOnly),
				r.SubjectArea), Reason: reason, DecidedBy: "Operator", DecidedOn: r.PeriodEnd, Outcome: outcome}
	}
	c.Corrections = []snapshots.CorrectionsRow{correct(-1, "9900", "applied"), correct(0, "2700", "applied"),
		correct(-2, "8800", "mended")}
	stated := c.Evidence[0]
	stated.ID = strings.Join([]string{r.SourceKey, r.Metric, r.RegionCode, strings.ToLower(r.SubjectArea), "full-year",
		r.PeriodEnd.Format(time.DateOnly)}, ":")
	stated.Statement, stated.Country, stated.RegionCode = "Starts: 270.", "GB", &r.RegionCode
	c.Evidence = append(c.Evidence, stated)
	snaptest.BuildSnapshot(t, data, "2026-11-20", c)
	site := siteOf(t, data)
	list := text(site.page(t, "/evidence?region="+r.RegionCode))
	if !strings.Contains(list, "figure: 270; the publisher gives 2,700. "+reason) {
		t.Error("the evidence that states the figure does not mark it")
	}
	page := text(site.page(t, "/courses?region="+r.RegionCode))
	for _, want := range []string{"people: 270; the publisher gives 2,700. " + reason,
		"year before: 270; the publisher gives 9,900. " + reason} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(page, "8800") {
		t.Error("a correction that was not applied is shown")
	}
	if plain := text(newSite(t).page(t, "/courses?region="+r.RegionCode)); strings.Contains(plain, "the publisher gives") {
		t.Error("a figure without a correction is marked")
	}
}

// A correction that names a former code of an area marks the figures of the area under its current code. The former
// code of an area that was merged still has figures of its own, and its corrections do not mark those of the new area.
func TestCorrectionsOfRecodedAreasAreMarked(t *testing.T) {
	data, c := t.TempDir(), snaptest.DefaultContent(t, "2026-11-20")
	r := c.CourseDemand[0]
	recoded, merged := "E07000001", "E07000002"
	correct := func(code, old string) snapshots.CorrectionsRow {
		text := "270"
		return snapshots.CorrectionsRow{SourceKey: r.SourceKey, Kind: "statistic", Field: "value", Old: &old, New: &text,
			Record: fmt.Sprintf("%s %s %s %s", r.Metric, code, r.PeriodEnd.Format(time.DateOnly), r.SubjectArea),
			Reason: "A digit too many.", DecidedBy: "Operator", DecidedOn: r.PeriodEnd, Outcome: "applied"}
	}
	c.Corrections = []snapshots.CorrectionsRow{correct(recoded, "2700"), correct(merged, "8800")}
	former := recoded + "," + merged
	for i := range c.Regions {
		if c.Regions[i].Code == r.RegionCode {
			c.Regions[i].FormerCodes = &former
		}
	}
	own := r
	own.RegionCode = merged
	c.CourseDemand = append(c.CourseDemand, own)
	snaptest.BuildSnapshot(t, data, "2026-11-20", c)
	page := text(siteOf(t, data).page(t, "/courses?region="+r.RegionCode))
	if !strings.Contains(page, "people: 270; the publisher gives 2,700. A digit too many.") {
		t.Error("the correction under the former code is not shown")
	}
	if strings.Contains(page, "8800") {
		t.Error("the correction of a merged area is shown at the area that it became part of")
	}
}

// A figure that the operator withdrew stands nowhere on the page: neither in its cell nor in the note on
// it, in its own row and as the year before of the next one.
func TestWithdrawnFiguresAreNotRepeated(t *testing.T) {
	data, c := t.TempDir(), snaptest.DefaultContent(t, "2026-11-20")
	r := c.CourseDemand[0]
	old := [2]string{"271828", "314159"}
	for years, value := range old {
		c.Corrections = append(c.Corrections, snapshots.CorrectionsRow{SourceKey: r.SourceKey, Kind: "statistic",
			Field: "value", Old: &value, Record: fmt.Sprintf("%s %s %s %s", r.Metric, r.RegionCode,
				r.PeriodEnd.AddDate(-years, 0, 0).Format(time.DateOnly), r.SubjectArea), Reason: "The publisher withdrew it.",
			DecidedBy: "Operator", DecidedOn: r.PeriodEnd, Outcome: "applied"})
	}
	snaptest.BuildSnapshot(t, data, "2026-11-20", c)
	page := text(siteOf(t, data).page(t, "/courses?region="+r.RegionCode))
	for _, want := range []string{"people: withdrawn. The publisher withdrew it.",
		"year before: withdrawn. The publisher withdrew it."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(page, old[0]) || strings.Contains(page, old[1]) {
		t.Error("the page has a withdrawn figure")
	}
}

// An edition has three sentences on what is new in it, and the next one has a day.
func TestEditionSaysWhatIsNew(t *testing.T) {
	data, id, _ := twoDays(t)
	s := siteOf(t, data)
	page := text(s.page(t, "/snapshots/"+string(id)))
	for _, want := range []string{
		"The adverts are counted up to 20 November 2026; the edition before counted up to 19 November 2026.",
		"Figures about people stay as they were: of the year to 30 September 2026.",
		"Rows that differ: training 1 new or revised and 0 gone; evidence 9 new or revised and 9 gone."} {
		if !strings.Contains(page, want) {
			t.Errorf("%s does not say %q", id, want)
		}
	}
	for path, next := range map[string]string{"/snapshots/2026-11-19.1": "Next2026-11-20.1",
		"/skills": "what is new in it"} {
		if page := text(s.page(t, path)); !strings.Contains(page, next) {
			t.Errorf("%s does not say %q", path, next)
		}
	}
	for _, path := range []string{"/snapshots", "/status", "/snapshots/" + string(id)} {
		page := text(s.page(t, path))
		if !strings.Contains(page, "Next publication: expected on 21 November 2026") ||
			!strings.Contains(page, "The next figures about people are of the year to 31 December 2026.") {
			t.Errorf("%s does not say when the next figures come", path)
		}
	}
	if page := text(s.page(t, "/status")); !strings.Contains(page, "figures about people to 30 September 2026. "+
		"This publication was made on 2") {
		t.Error("the status does not say when the publication was made")
	}
}

// TestRhythmOfRemovedEditions: the day of the next publication does not change when old ones are removed.
func TestRhythmOfRemovedEditions(t *testing.T) {
	data := t.TempDir()
	for _, day := range []string{"2026-10-20", "2026-11-18", "2026-11-19", "2026-11-20"} {
		snaptest.BuildSnapshot(t, data, day, snaptest.DefaultContent(t, day))
	}
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []snapshots.ID{"2026-11-18.1", "2026-11-19.1"} {
		if err := folder.Remove(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	s := siteOf(t, data)
	for _, path := range []string{"/snapshots", "/status", "/snapshots/2026-11-20.1"} {
		if page := text(s.page(t, path)); !strings.Contains(page, "Next publication: expected on 21 November 2026") {
			t.Errorf("%s does not keep to the rhythm of the removed editions", path)
		}
	}
}

// With one edition the day of the next one is not known.
func TestFirstEditionHasNoNextDay(t *testing.T) {
	data := t.TempDir()
	id := snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	s := siteOf(t, data)
	if w := s.get(t, "/status"); w.Code != http.StatusOK || strings.Contains(w.Body.String(), "Next publication") {
		t.Errorf("status %d, or a day of the next publication", w.Code)
	}
	if page := text(s.page(t, "/snapshots/"+string(id))); !strings.Contains(page,
		"The adverts are counted up to 20 November 2026. Figures about people are of the year to 30 September 2026.") {
		t.Error("the first edition does not say what it holds")
	}
}

// The training page shows every kind of training, also when one kind has very many subjects.
func TestEveryKindOfTrainingIsShown(t *testing.T) {
	data, c := t.TempDir(), snaptest.DefaultContent(t, "2026-11-20")
	r := c.CourseDemand[0]
	for i := range 200 {
		one := r
		one.SubjectArea = fmt.Sprintf("Subject %d", i)
		c.CourseDemand = append(c.CourseDemand, one)
	}
	last := r
	last.Metric, last.SubjectArea = "skills_bootcamp_starts", "Welding"
	c.CourseDemand = append(c.CourseDemand, last)
	snaptest.BuildSnapshot(t, data, "2026-11-20", c)
	if page := text(siteOf(t, data).page(t, "/courses?region="+r.RegionCode)); !strings.Contains(page, "Welding") {
		t.Error("the kind with few subjects is not shown")
	}
}
