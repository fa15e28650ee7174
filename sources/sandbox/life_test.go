package sandbox

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"labour/sources"
	"labour/sources/platform"
)

// TestLinesKeepTheSchemas holds every line of the feed against the published schemas.
func TestLinesKeepTheSchemas(t *testing.T) {
	dir := readSmall(t).dir
	w := smallWorld()
	if _, err := os.Stat(dir); err != nil { // the directory of the test that read first is gone
		dir = t.TempDir()
		if err := w.WriteFeed(dir); err != nil {
			t.Fatal(err)
		}
	}
	for _, k := range platform.RecordKinds() {
		files, err := filepath.Glob(filepath.Join(dir, string(k)+"*"))
		if err != nil || len(files) == 0 {
			t.Errorf("no file of %s: %v", k, err)
		}
		raw, err := os.ReadFile("../platform/schema/" + string(k) + ".json")
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		c.AssertFormat()
		if err := c.AddResource("s.json", doc); err != nil {
			t.Fatal(err)
		}
		schema := c.MustCompile("s.json")
		for _, file := range files {
			for i, line := range linesOf(t, file) {
				v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
				if err == nil {
					err = schema.Validate(v)
				}
				if err != nil {
					t.Fatalf("%s line %d: %v", filepath.Base(file), i+1, err)
				}
			}
		}
	}
}

func linesOf(t *testing.T, file string) [][]byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err == nil && filepath.Ext(file) == ".zst" {
		var d *zstd.Decoder
		if d, err = zstd.NewReader(nil); err == nil {
			defer d.Close()
			b, err = d.DecodeAll(b, nil)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSuffix(b, []byte("\n")), []byte("\n"))
}

// TestReferencesHold checks that applications, events and residents name what is there.
func TestReferencesHold(t *testing.T) {
	r := readSmall(t)
	adverts, boroughs, residents := map[string]sources.Advert{}, map[string]bool{}, map[string]bool{}
	for _, a := range kind[sources.Advert](r, "platform") {
		adverts[a.ID] = a
	}
	for _, b := range kind[sources.Borough](r, "platform") {
		boroughs[b.Slug] = true
	}
	for _, p := range kind[sources.Resident](r, "platform") {
		residents[p.ID] = true
		if !boroughs[p.Borough] {
			t.Fatalf("resident of %q", p.Borough)
		}
	}
	seen := map[[2]string]bool{}
	for _, a := range kind[sources.Application](r, "platform") {
		ad, ok := adverts[a.Advert]
		pair := [2]string{a.Resident, a.Advert}
		switch {
		case !ok || !residents[a.Resident]:
			t.Fatalf("application %s names nothing", a.ID)
		case seen[pair]:
			t.Fatalf("application %s: somebody applied twice to one advert", a.ID)
		case a.AppliedAt.Before(ad.Posted.Time()) || !a.AppliedAt.Before(asOf.Time()):
			t.Fatalf("application %s of %s to an advert of %s", a.ID, a.AppliedAt, ad.Posted)
		case (a.Outcome == sources.OutcomePending) != a.RecordedAt.IsZero():
			t.Fatalf("application %s is %s, recorded %s", a.ID, a.Outcome, a.RecordedAt)
		case !a.RecordedAt.IsZero() && (a.RecordedAt.Before(a.AppliedAt.AddDate(0, 0, 3)) ||
			!a.RecordedAt.Before(asOf.Time())):
			t.Fatalf("application %s of %s was decided %s", a.ID, a.AppliedAt, a.RecordedAt)
		}
		seen[pair] = true
		for _, s := range a.Skills {
			if s.TurnedDownFor && (a.Outcome != sources.OutcomeTurnedDown || s.HeldLevel >= s.AskedLevel) {
				t.Fatalf("application %s: turned down for %+v", a.ID, s)
			}
		}
	}
	for _, e := range kind[sources.Event](r, "platform") {
		if _, ok := adverts[e.Advert]; !ok || e.Borough != "" && !boroughs[e.Borough] ||
			!e.OccurredAt.Before(asOf.Time()) ||
			(e.Type == "application.created" || e.Type == "outcome.recorded") && e.Partner == "" {
			t.Fatalf("event %+v", e)
		}
	}
}

// TestPlanted checks that each rule of counting has something to exclude, and that
// no advert is dated in the future but those planted.
func TestPlanted(t *testing.T) {
	for _, w := range []*World{smallWorld(), world(t, 2, asOf, Size{Adverts: 300, Residents: 500})} {
		p := w.Planted()
		for name, n := range map[string]int{"job board": p.JobBoard, "aggregator": p.Aggregator,
			"unknown": p.UnknownOrigin, "not listed": p.NotListed,
			"abroad": p.Abroad, "country": p.CountryUnknown, "undated": p.Undated, "future": p.Future,
			"before":   p.BeforeWindow,
			"imported": p.Imported, "unreadable": p.Unreadable, "twice": p.ShownTwice} {
			if n == 0 || n > w.size.Adverts/12 {
				t.Errorf("%s: %d of %d adverts", name, n, w.size.Adverts)
			}
		}
	}
	r := readSmall(t)
	future := 0
	for _, key := range []string{"platform", "employer_boards", "find_an_apprenticeship"} {
		for _, a := range kind[sources.Advert](r, key) {
			if asOf.Before(a.Posted) {
				future++
			}
		}
	}
	if want := smallWorld().Planted().Future; future != want {
		t.Errorf("%d adverts are dated in the future, planted are %d", future, want)
	}
}

// TestSkew checks that the world is as uneven as life, in the default proportions.
func TestSkew(t *testing.T) {
	w := world(t, 5, asOf, Size{Adverts: 4000, Residents: 20_000, Applications: 80_000})
	employers, skills := map[int]int{}, map[int]int{}
	for number := range w.adverts.list {
		v := w.vacancy(number)
		employers[v.employer]++
		for _, a := range v.requirements {
			skills[a.skill]++
		}
	}
	share := func(n int) float64 { return float64(n) / float64(len(w.adverts.list)) }
	if top := share(slices.Max(slices.Collect(maps.Values(employers)))); top < 0.01 || top > 0.12 {
		t.Errorf("the largest employer has %.3f of the adverts", top)
	}
	if top := share(slices.Max(slices.Collect(maps.Values(skills)))); top < 0.15 || top > 0.5 {
		t.Errorf("the skill asked most is in %.3f of the adverts", top)
	}
	rare := 0
	for _, n := range skills {
		if share(n) < 0.005 {
			rare++
		}
	}
	if len(skills) < 200 || rare < 100 {
		t.Errorf("%d skills are asked, %d of them rarely", len(skills), rare)
	}
	peopleSkew(t, w)
}

// peopleSkew looks at the applicants.
func peopleSkew(t *testing.T, w *World) {
	t.Helper()
	at := map[string]*resident{}
	for i := range w.size.Residents {
		r := w.resident(i)
		if at[r.id] != nil {
			t.Fatalf("two residents have the pseudonym %s", r.id)
		}
		at[r.id] = r
	}
	groups := map[[2]string]map[string]bool{}
	times := map[string]int{}
	var near, all, hired, hiredWith, down, downWith float64
	for v, a := range w.applications() {
		times[a.Resident]++
		home := at[a.Resident].borough
		if all++; len(v.boroughs) > 0 && slices.Index(w.near[v.boroughs[0]], home) <= 7 {
			near++
		}
		for _, s := range a.Skills {
			with := 0.0
			if s.HeldLevel >= s.AskedLevel {
				with = 1
			}
			switch a.Outcome {
			case sources.OutcomeHired:
				hired, hiredWith = hired+1, hiredWith+with
			case sources.OutcomeTurnedDown:
				down, downWith = down+1, downWith+with
			}
			if s.TurnedDownFor {
				k := [2]string{s.Skill, w.borough(home).slug}
				if groups[k] == nil {
					groups[k] = map[string]bool{}
				}
				groups[k][a.Resident] = true
			}
		}
	}
	few := 0.0
	for _, people := range groups {
		if len(people) < 5 {
			few++
		}
	}
	for name, x := range map[string][3]float64{"applicants near home": {near / all, 0.7, 0.95},
		"hired with the skill less turned down with it": {hiredWith/hired - downWith/down, 0.1, 0.4},
		"groups of 1 to 4": {few / float64(len(groups)), 0.25, 0.75}, "hired": {hired / (hired + down), 0.03, 0.2},
		"most applications of one person": {float64(slices.Max(slices.Collect(maps.Values(times)))), 15, 200}} {
		if x[0] < x[1] || x[0] > x[2] {
			t.Errorf("%s: %.3f, want %.2f to %.2f", name, x[0], x[1], x[2])
		}
	}
}

// TestSquares checks that no two squares overlap and that every apprenticeship
// lies in the square of its council.
func TestSquares(t *testing.T) {
	w := smallWorld()
	c := w.lists.councils
	for i := range c {
		for k := range i {
			a, b := halfOf(c[i]), halfOf(c[k])
			if abs(c[i].lat-c[k].lat) < a.lat+b.lat && abs(c[i].lon-c[k].lon) < a.lon+b.lon {
				t.Errorf("the squares of %s and %s overlap", c[i].name, c[k].name)
			}
		}
	}
	at := map[string]council{}
	for number := range w.adverts.list {
		v := w.vacancy(number)
		if v.source == fromService && !v.imported && len(v.boroughs) > 0 {
			at[v.id] = w.borough(v.boroughs[0])
		}
	}
	for _, a := range kind[sources.Advert](readSmall(t), "find_an_apprenticeship") {
		want, ok := at[a.ID]
		if !ok {
			continue
		}
		if l, h := a.Locations[0], halfOf(want); abs(l.Latitude-want.lat) >= h.lat ||
			abs(l.Longitude-want.lon) >= h.lon {
			t.Errorf("%s lies outside of %s", a.ID, want.name)
		}
	}
}

func abs(x float64) float64 { return max(x, -x) }

// TestSharesAddUp checks that dealing out loses nothing and is fair to within one.
func TestSharesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weight := rapid.SliceOfN(rapid.Float64Range(0, 100), 1, 40).Draw(t, "weight")
		total := rapid.IntRange(0, 5000).Draw(t, "total")
		sum, dealt := 0.0, 0
		for _, x := range weight {
			sum += x
		}
		for i, n := range shares(total, weight) {
			dealt += n
			if want := weight[i] / sum * float64(total); sum > 0 && abs(float64(n)-want) > 1.001 {
				t.Fatalf("share %d is %d, want about %.2f", i, n, want)
			}
		}
		if sum > 0 && dealt != total {
			t.Fatalf("%d dealt, want %d", dealt, total)
		}
	})
}

// TestWeighted checks that what has no weight is never picked.
func TestWeighted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weight := rapid.SliceOfN(rapid.IntRange(0, 2), 1, 20).Draw(t, "weight")
		w := &World{seed: rapid.Uint64().Draw(t, "seed")}
		i := newWeighted(len(weight), func(i int) float64 { return float64(weight[i]) }).draw(w.rng(1))
		switch {
		case i < 0 && slices.Max(weight) > 0, i >= 0 && weight[i] == 0:
			t.Fatalf("picked %d of %v", i, weight)
		}
	})
}
