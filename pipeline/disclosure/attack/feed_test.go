package attack

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// record is a record of the platform's feed.
type record map[string]any

// councils are the national statistics codes of the boroughs.
var councils = map[string]string{"camden": "E09000007", "hackney": "E09000012", "islington": "E09000019",
	"westminster": "E09000033"}

// writeFeed writes the records of the world that there are when release q is made, and the configuration.
func (w *world) writeFeed(t *testing.T, dir string, q int) {
	t.Helper()
	now := releasedOn(q)
	lists := map[string][]record{"s106": {}, "residents": {}}
	for _, place := range w.Places {
		lists["boroughs"] = append(lists["boroughs"], record{"slug": place, "name": place, "code": councils[place]})
	}
	for _, a := range w.adverts {
		if a.posted.Before(now) {
			lists["adverts"] = append(lists["adverts"], a.record())
		}
	}
	for i, e := range w.events {
		if e.when.Before(now) {
			lists["applications"] = append(lists["applications"], e.record(i))
		}
	}
	for _, r := range w.residents {
		if r.joins <= q {
			lists["residents"] = append(lists["residents"], r.record())
		}
	}
	for _, s := range w.sites[q] {
		lists["s106"] = append(lists["s106"], s.record())
	}
	for kind, list := range lists {
		var text strings.Builder
		for _, r := range list {
			line, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			text.Write(append(line, '\n'))
		}
		writeFile(t, filepath.Join(dir, "feed", kind+".ndjson"), text.String())
	}
	writeFile(t, filepath.Join(dir, "skills.csv"), w.register())
	writeFile(t, filepath.Join(dir, "labour.yaml"), w.configuration())
}

func (a advert) record() record {
	var asked []record
	for _, skill := range a.skills {
		asked = append(asked, record{"skill": skill, "level": int(a.level[0] - '0')})
	}
	return record{"id": a.id, "imported_from": "platform", "employer": fmt.Sprintf("Employer %d", a.employer),
		"title": "Post " + a.id, "kind": "job", "posted_on": a.posted.Format(time.DateOnly),
		"boroughs": []string{a.place}, "sector": a.sector, "soc": a.soc, "skills": asked}
}

func (e event) record(number int) record {
	level := int(e.at.Level[0] - '0')
	judged := record{"skill": e.skill, "asked_level": level, "held_level": level - 1}
	if e.outcome == turnedDownHad || e.outcome == hiredHad {
		judged["held_level"] = level
	}
	if e.outcome == turnedDownFor {
		judged["turned_down_for"] = true
	}
	outcome := "turned_down"
	if e.outcome == hiredHad || e.outcome == hiredHads {
		outcome = "hired"
	}
	return record{"id": fmt.Sprintf("ap-%d", number), "resident": e.resident, "advert": e.advert,
		"applied_at": e.when.AddDate(0, 0, -2).Format(time.RFC3339), "outcome": outcome,
		"outcome_recorded_at": e.when.Format(time.RFC3339), "skills": []record{judged}}
}

// register returns the register of skills; no wording occurs anywhere.
func (w *world) register() string {
	var b strings.Builder
	b.WriteString("slug,name,patterns,level,kind\n")
	for _, skill := range w.skills {
		fmt.Fprintf(&b, "%s,%s,%s,2,technical\n", skill, skill, "wording"+strings.TrimPrefix(skill, "craft-"))
	}
	return b.String()
}

func (w *world) configuration() string {
	var areas strings.Builder
	for _, area := range sortedKeys(w.Areas) {
		fmt.Fprintf(&areas, "  - {slug: %s, name: %s, boroughs: [%s]}\n", area, area, strings.Join(w.Areas[area], ", "))
	}
	return "platform: {name: Attacked Works, link: \"https://works.example\", feed: feed}\n" +
		"contact: data@works.example\nskills: skills.csv\n" +
		"served_areas:\n" + areas.String() +
		"checks: {max_shrink_pct: 100, max_growth_pct: 100000, max_revised_pct: 100}\n" +
		"drift: {platform: {max_fall_pct: 100, max_rise_pct: 100000, max_coded_fall_points: 100, max_unknown_pct: 100}}\n"
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
