package report

import (
	"maps"
	"slices"
	"testing"
	"time"

	"labour/pipeline/coding"
	"labour/pipeline/coding/place"
	"labour/pipeline/counting"
	"labour/sources"
)

// An advert abroad is read but is not in the United Kingdom, whatever else is known of it. Every
// attribute of the others is counted by itself.
func TestAdvertsAreCountedByWhatWasCoded(t *testing.T) {
	inUK := func(change func(*coding.CodedAdvert)) *coding.CodedAdvert {
		a := &coding.CodedAdvert{Place: place.Coding{Country: place.CountryUK}, Readable: true}
		change(a)
		return a
	}
	adverts := []*coding.CodedAdvert{
		{Place: place.Coding{Country: place.CountryAbroad, Councils: []string{"E09000007"}}, SOC: "6135", Sector: "care",
			Skills: []coding.SkillLevel{{}}},
		{Place: place.Coding{Country: place.CountryUnknown}, SOC: "6135"},
		inUK(func(a *coding.CodedAdvert) {}),
		inUK(func(a *coding.CodedAdvert) {
			a.Place.Councils, a.Place.Precision = []string{"E09000007"}, place.PrecisionCouncil
		}),
		inUK(func(a *coding.CodedAdvert) { a.Place.Precision = place.PrecisionArea }),
		inUK(func(a *coding.CodedAdvert) { a.SOC = "6135" }),
		inUK(func(a *coding.CodedAdvert) { a.Sector = "care" }),
		inUK(func(a *coding.CodedAdvert) { a.Skills = []coding.SkillLevel{{}, {}} }),
		inUK(func(a *coding.CodedAdvert) { a.Readable = false }),
	}
	s := New(sources.Date{Year: 2026, Month: 11, Day: 20}).EnsureSource("boards")
	for _, a := range adverts {
		s.AddAdvert(a)
	}
	got := *s.Adverts
	for name, n := range map[string][2]int64{"read": {got.Read, 9}, "in the UK": {got.InUK, 7}, "placed": {got.Placed, 1},
		"in an area": {got.OnlyInArea, 1}, "with an occupation": {got.WithSOC, 1}, "with a sector": {got.WithSector, 1},
		"with a skill": {got.WithSkill, 1}, "without a text": {got.NoText, 1}} {
		if n[0] != n[1] {
			t.Errorf("%d adverts are counted as %s, %d are", n[0], name, n[1])
		}
	}
}

// OnlySource a listing whose ids begin with a vendor and a board has parts.
func TestListedAdvertsAreCountedByBoard(t *testing.T) {
	listing, extract := &sources.Info{ListsLiveOnly: true}, &sources.Info{}
	for _, one := range []struct {
		info *sources.Info
		id   string
		part string
	}{
		{listing, "ashby/acme/1", "ashby/acme"},
		{listing, "ashby/acme", ""},
		{listing, "17", ""},
		{extract, "ashby/acme/1", ""},
	} {
		s := New(sources.Date{Year: 2026, Month: 11, Day: 20}).EnsureSource("boards")
		s.AddListedAdvert(one.info, &sources.Advert{ID: one.id})
		s.AddListedAdvert(one.info, &sources.Advert{ID: one.id})
		want := map[string]int64{}
		if one.part != "" {
			want[one.part] = 2
		}
		if s.Adverts.Listed != 2 || !maps.Equal(s.Adverts.Parts, want) {
			t.Errorf("%s, listing %v: %d listed, by part %v", one.id, one.info.ListsLiveOnly, s.Adverts.Listed, s.Adverts.Parts)
		}
	}
}

// A board that lists nothing has the number 0, and another keeps its own.
func TestBoardsThatListNothing(t *testing.T) {
	s := New(sources.Date{Year: 2026, Month: 11, Day: 20}).EnsureSource("boards")
	s.AddParts([]string{"ashby/acme", "ashby/bolt"})
	s.AddListedAdvert(&sources.Info{ListsLiveOnly: true}, &sources.Advert{ID: "ashby/acme/1"})
	s.AddParts([]string{"ashby/acme"})
	if want := map[string]int64{"ashby/acme": 1, "ashby/bolt": 0}; !maps.Equal(s.Adverts.Parts, want) {
		t.Errorf("listed are %v, want %v", s.Adverts.Parts, want)
	}
}

// An advert is either counted or excluded for one reason.
func TestVerdictsAreCountedByReason(t *testing.T) {
	r := New(sources.Date{Year: 2026, Month: 11, Day: 20})
	for _, reason := range []counting.ExclusionReason{counting.ReasonCounted, counting.ReasonDuplicateVacancy,
		counting.ReasonBeforeWindow,
		counting.ReasonDuplicateVacancy} {
		r.AddVerdict("boards", counting.Verdict{Reason: reason})
	}
	want := map[counting.ExclusionReason]int64{counting.ReasonDuplicateVacancy: 2, counting.ReasonBeforeWindow: 1}
	if got := r.EnsureSource("boards").Adverts; got.Counted != 1 || !maps.Equal(got.Excluded, want) {
		t.Errorf("%d counted, excluded %v", got.Counted, got.Excluded)
	}
}

// A light run has the entries of the sources that it read, and takes over the others.
func TestEntriesOfUnreadSourcesAreTakenOver(t *testing.T) {
	before, now := New(sources.Date{}), New(sources.Date{})
	before.EnsureSource("platform").AddRecord(sources.Area{})
	before.EnsureSource("boards").AddRecord(sources.Area{})
	now.EnsureSource("platform").AddRecord(sources.Area{})
	now.EnsureSource("platform").AddRecord(sources.Area{})
	now.CopyUnreadSources(before)
	if len(now.Sources) != 2 || !maps.Equal(now.RecordCountsBySource(), map[string]int64{"platform": 2, "boards": 1}) {
		t.Errorf("the records are %v", now.RecordCountsBySource())
	}
	if now.EnsureSource("platform").TakenOver || !now.EnsureSource("boards").TakenOver ||
		before.EnsureSource("boards").TakenOver {
		t.Error("only the entry of boards, in the new report, is taken over")
	}
}

// Each incomplete part of a source is a fault; the fault of the whole source is left out then.
func TestIncompleteFetchesAreFaults(t *testing.T) {
	part := sources.Fault{Source: "boards", Object: "ashby/acme", Code: sources.FaultIncomplete}
	whole := sources.Fault{Source: "boards", Code: sources.FaultIncomplete}
	schema := sources.Fault{Source: "boards", Object: "ashby/acme", Code: sources.FaultSchema}
	for _, one := range []struct{ faults, want []sources.Fault }{
		{[]sources.Fault{part, whole}, []sources.Fault{part}},
		{[]sources.Fault{whole}, []sources.Fault{whole}},
		{[]sources.Fault{part, schema}, []sources.Fault{part}},
		{[]sources.Fault{schema}, nil},
		{nil, nil},
	} {
		r := New(sources.Date{})
		r.SetFetchResults([]FetchResult{{Source: "boards", Faults: one.faults}})
		if got := r.EnsureSource("boards").Samples; !slices.Equal(got, one.want) {
			t.Errorf("of %v the report has %v", one.faults, got)
		}
	}
}

// OnlySource the first 20 faults of a code are listed; all are counted. Faults of people have 20 of
// their own.
func TestFirstFaultsOfACodeAreListed(t *testing.T) {
	s := New(sources.Date{}).EnsureSource("platform")
	for range 25 {
		s.AddFault(sources.Fault{Source: "platform", Object: "adverts.ndjson", Where: "line 1", Code: sources.FaultSchema})
		s.AddFault(sources.Fault{Source: "platform", Object: "residents.ndjson", Where: "line 1", Code: sources.FaultSchema})
		s.AddFault(sources.Fault{Source: "platform", Object: "adverts.ndjson", Where: "line 1", Code: sources.FaultBadValue})
	}
	listed := map[string]int{}
	for _, f := range s.Samples {
		listed[f.Object+" "+string(f.Code)]++
	}
	want := map[string]int{"adverts.ndjson " + string(sources.FaultSchema): 20,
		"residents.ndjson " + string(sources.FaultSchema): 20, "adverts.ndjson " + string(sources.FaultBadValue): 20}
	if !maps.Equal(listed, want) || s.Faults[sources.FaultSchema] != 50 || s.Faults[sources.FaultBadValue] != 25 {
		t.Errorf("listed are %v, counted %v", listed, s.Faults)
	}
}

// The advice names how long ago a part was last fetched, or that it never was.
func TestAdviceOnPartsThatAreCarried(t *testing.T) {
	at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	const rest = "; that copy is still counted. If it is gone for good, remove it from the configuration " +
		"(a board: retired: true)"
	for want, part := range map[string]CarriedForwardPart{
		"last fetched 1 day ago" + rest:                   {LastDeliveredAt: &at, AgeDays: 1},
		"last fetched 2 days ago" + rest:                  {LastDeliveredAt: &at, AgeDays: 2},
		"it is not known when it was last fetched" + rest: {AgeDays: 2},
		"never fetched, so nothing of it is counted; check its name and its vendor in the " +
			"configuration": {NeverFetched: true},
	} {
		if got := part.Advice(); got != want {
			t.Errorf("%+v: %q", part, got)
		}
	}
}
