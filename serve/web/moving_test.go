package web

import (
	"fmt"
	"strings"
	"testing"

	"labour/serve/api"
)

// TestChangesOfAYear: a skill that neither quarter asks for is left out, and one whose change may be chance is only
// counted. The shares are those of each quarter, and what fell is listed apart from what rose, the largest
// change first.
func TestChangesOfAYear(t *testing.T) {
	quarter := func(from string, asked map[string]int64) api.Quarter {
		return api.Quarter{From: dayOf(from), Adverts: 1000, AdvertsBySkill: asked}
	}
	s := &fixed{asOf: dayOf("2026-11-20"), named: map[api.Vocabulary][]api.Named{}, quarters: []api.Quarter{
		quarter("2025-07-01", map[string]int64{"falls": 300, "rises": 100, "new": 0, "gone": 80, "same": 200}),
		quarter("2026-04-01", map[string]int64{"falls": 900}),
		quarter("2026-07-01", map[string]int64{"falls": 200, "rises": 250, "new": 60, "gone": 0, "same": 201}),
		quarter("2026-10-01", map[string]int64{"falls": 900})}}
	for _, name := range strings.Fields("falls gone never new rises same") {
		s.named[api.Skills] = append(s.named[api.Skills], api.Named{Value: name, Name: strings.ToUpper(name)})
	}
	v := visit(s, "/changes")
	v.place = "camden"
	m := moversOf(v, filter{Place: "camden"})
	said := func(moves []mover) (text string) {
		for _, one := range moves {
			text += fmt.Sprintf("%s %s %s to %s (%s) ", one.Name, one.Change(), one.ShareBefore(), one.ShareAfter(), one.URL)
		}
		return strings.TrimSpace(text)
	}
	if got, want := said(m.Up), "RISES +15 10% to 25% (/skills/rises?place=camden) "+
		"NEW +6 0% to 6% (/skills/new?place=camden)"; got != want {
		t.Errorf("up: %s, want %s", got, want)
	}
	if got, want := said(m.Down), "FALLS −10 30% to 20% (/skills/falls?place=camden) "+
		"GONE −8 8% to 0% (/skills/gone?place=camden)"; got != want {
		t.Errorf("down: %s, want %s", got, want)
	}
	if m.Clear != 4 || m.Unclear != 1 || m.From != "" || m.Few || m.Now.Name != "July to September 2026" ||
		m.Before.Name != "July to September 2025" || m.Now.Base != "1,000 adverts or more" {
		t.Errorf("%+v", m)
	}
	if v.stamp.Snapshot == nil {
		t.Error("the page does not say where its figures are from")
	}
	lines := strings.Split(string(changesOfYear(visit(s, "/changes.csv")).body), "\n")
	want := []string{"skill,skill_name,quarter,adverts_share_pct,adverts_base,quarter_before,adverts_share_pct_before," +
		"adverts_base_before,attribution_statement", "rises,RISES,2026-07,25.0,1000+,2025-07,10.0,1000+,",
		"new,NEW,2026-07,6.0,1000+,2025-07,0.0,1000+,", "falls,FALLS,2026-07,20.0,1000+,2025-07,30.0,1000+,",
		"gone,GONE,2026-07,0.0,1000+,2025-07,8.0,1000+,", ""}
	if fmt.Sprint(lines) != fmt.Sprint(want) {
		t.Errorf("the file is %q, want %q", lines, want)
	}
}

// TestChangesNeedBothQuarters: in the first year of data the page says from when, and after it that a quarter
// has too few adverts.
func TestChangesNeedBothQuarters(t *testing.T) {
	now, before := api.Quarter{From: dayOf("2026-07-01")}, api.Quarter{From: dayOf("2025-07-01")}
	for _, c := range []struct {
		quarters []api.Quarter
		from     string
		few      bool
	}{
		{[]api.Quarter{now}, "October 2027", false}, {[]api.Quarter{before}, "", true}, {nil, "", true},
		{[]api.Quarter{before, now}, "", false},
	} {
		s := &fixed{asOf: dayOf("2026-11-20"), quarters: c.quarters}
		m := moversOf(visit(s, "/changes"), filter{})
		if m.From != c.from || m.Few != c.few || m.Now.Name != "July to September 2026" ||
			m.Before.Name != "July to September 2025" {
			t.Errorf("of %d quarters: %+v, want from %q", len(c.quarters), m, c.from)
		}
	}
}

// TestThePageOfChanges names its place and its file.
func TestThePageOfChanges(t *testing.T) {
	s := filtered()
	v := visit(s, "/changes?place=camden")
	shown := (&Site{}).changesNow(v)
	d := shown.data.(changesNowView)
	if shown.title != "What changed: Camden" || shown.section != "/changes" || d.Place != "Camden" ||
		d.ID != "2026-11-20.1" || d.CSV != "/changes.csv?place=camden" || d.Movers == nil ||
		menusSaid(d.Places) != "[camden Camden*, barking Dagenham] [east East]" || v.stamp.Snapshot != s ||
		v.stamp.Notice != pageNotice {
		t.Errorf("%+v with %+v", shown, d)
	}
	if d := (&Site{}).changesNow(visit(s, "/changes")).data.(changesNowView); d.CSV != "/changes.csv" ||
		d.Place != "all places" {
		t.Errorf("of all places: %+v", d)
	}
}
