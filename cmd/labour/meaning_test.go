package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"labour/sources/sandbox"
)

// fedResident is a line of the raw feed.
type fedResident struct {
	Borough string `json:"borough"`
	Skills  []struct {
		Skill string `json:"skill"`
		Level int    `json:"level"`
	} `json:"skills"`
}

// manyResidents is a world with as many residents as the sandbox has, so that most places print shares
// of 100 % where nearly nobody has a skill.
var manyResidents = sync.OnceValues(func() (string, error) {
	size := worldSize
	size.Residents = sandbox.DefaultSize().Residents
	return runOnWorld(size)
})

// feedResidents reads the residents of a world, as the platform sent them.
func feedResidents(t *testing.T, dir string) (list []fedResident) {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, "feed", "residents.ndjson.zst"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	plain, err := zstd.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	for lines := bufio.NewScanner(plain); lines.Scan(); {
		var r fedResident
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// holders counts the residents of some boroughs, and those of them who have a skill at a level.
func holders(all []fedResident, boroughs map[string]bool, skill string, level int) (with, residents int) {
	for _, r := range all {
		if !boroughs[r.Borough] {
			continue
		}
		residents++
		has := false
		for _, s := range r.Skills {
			has = has || s.Skill == skill && s.Level >= level
		}
		if has {
			with++
		}
	}
	return with, residents
}

// everyRow walks through all pages of a list.
func (p *published) everyRow(query url.Values) (rows []map[string]any) {
	p.t.Helper()
	query.Set("limit", "200")
	for {
		page := p.get("/v1/labour/skills-unmet", query)
		rows = append(rows, page.Data...)
		if page.Meta.NextCursor == nil {
			query.Del("cursor")
			return rows
		}
		query.Set("cursor", *page.Meta.NextCursor)
	}
}

// places are the served places with the boroughs of each.
func (p *published) places() map[string]map[string]bool {
	places := map[string]map[string]bool{}
	for _, row := range p.get("/v1/labour/places", url.Values{}).Data {
		slug := row["slug"].(string)
		places[slug] = map[string]bool{}
		boroughs, _ := row["boroughs"].([]any)
		for _, b := range boroughs {
			places[slug][b.(string)] = true
		}
		if len(boroughs) == 0 {
			places[slug][slug] = true
		}
	}
	return places
}

// levelsOf notes the levels at which rows measure each skill.
type levelsOf map[string]map[string]string

func (l levelsOf) note(where string, rows []map[string]any) {
	for _, r := range rows {
		skill, level := r["skill"].(string), fmt.Sprint(r["level"])
		if l[skill] == nil {
			l[skill] = map[string]string{}
		}
		l[skill][level] = where
	}
}

// Where 100.0 % of residents are printed to lack a skill, it is 97 % or more of those in the raw
// feed. And a skill is measured at one level, in every place, sector and month.
func TestSharesOfResidentsMeanWhatTheySay(t *testing.T) {
	world := worldRun
	if longForms() {
		world = manyResidents
	}
	dir, err := world()
	if err != nil {
		t.Fatal(err)
	}
	p := publishCopy(t, world)
	residents, places := feedResidents(t, dir), p.places()
	if len(places) != 36 || len(residents) < 1000 {
		t.Fatalf("%d places and %d residents", len(places), len(residents))
	}
	levels, printed, whole := levelsOf{}, 0, 0
	for place, boroughs := range places {
		rows := p.everyRow(url.Values{"place": {place}, "window": {"24"}})
		levels.note(place, rows)
		for _, r := range rows {
			share, ok := r["people_below_share_pct"].(json.Number)
			if !ok {
				continue
			}
			printed++
			percent, _ := share.Float64()
			level, _ := r["level"].(json.Number).Int64()
			if percent < 100 {
				continue
			}
			whole++
			with, all := holders(residents, boroughs, r["skill"].(string), int(level))
			if 100*with > 3*all {
				t.Errorf("%s, %s at %d: 100 %% are printed to lack it, and %d of %d have it", place, r["skill"], level,
					with, all)
			}
		}
	}
	everywhere := p.everyRow(url.Values{"window": {"24"}})
	levels.note("all places", everywhere)
	for _, s := range p.get("/v1/labour/sectors", url.Values{}).Data {
		sector := s["slug"].(string)
		levels.note(sector, p.everyRow(url.Values{"sector": {sector}}))
	}
	step := 12
	if longForms() {
		step = 1
	}
	for i := 0; i < len(everywhere); i += step {
		skill := everywhere[i]["skill"].(string)
		for _, by := range []string{"month", "place", "sector"} {
			levels.note("by "+by, p.everyRow(url.Values{"skill": {skill}, "by": {by}, "window": {"24"}}))
		}
	}
	for skill, at := range levels {
		if len(at) != 1 {
			t.Errorf("%s is measured at several levels: %v", skill, at)
		}
	}
	if printed < 1000 || len(levels) < 100 {
		t.Errorf("%d shares of residents and %d skills are too few to show anything", printed, len(levels))
	}
	t.Logf("%d shares of residents in %d places, %d of them 100.0 %%; %d skills at one level each",
		printed, len(places), whole, len(levels))
}

// "A skill of the kind `licence` has one level, 1 `held`", of people as of adverts: asked for at that
// level, a licence has the figures of people that it has without a level.
func TestLicencesHaveOneLevelOfPeople(t *testing.T) {
	p := publishCopy(t, worldRun)
	compared := 0
	for _, s := range p.get("/v1/labour/skills", url.Values{"limit": {"1000"}}).Data {
		if s["kind"] != "licence" {
			continue
		}
		one := url.Values{"skill": {s["slug"].(string)}}
		whole := p.get("/v1/labour/skills-unmet", one).Data
		one.Set("level", "1")
		held := p.get("/v1/labour/skills-unmet", one).Data
		if len(whole) != 1 || len(held) != 1 {
			continue // no advert asks for it
		}
		for _, field := range []string{"people_turned_down", "hired_with_skill_pct", "turned_down_with_skill_pct"} {
			if held[0][field] == nil { // too few adverts of a level to publish it
				continue
			}
			if fmt.Sprint(whole[0][field]) != fmt.Sprint(held[0][field]) {
				t.Errorf("%s: %s is %v, and at the level held %v", s["slug"], field, whole[0][field], held[0][field])
			}
			compared++
		}
	}
	if compared < 10 {
		t.Errorf("%d figures compared", compared)
	}
}
