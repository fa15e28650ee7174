package counting

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/sources"
)

// TestARecordDeliveredTwiceIsOneVacancy: the same id is one vacancy, whatever else changed in
// between, and its first requisition number counts.
func TestARecordDeliveredTwiceIsOneVacancy(t *testing.T) {
	record := func(id, title, requisition string, days int) sources.Advert {
		return advert(id, func(a *sources.Advert) {
			a.Employer, a.Title, a.Requisition, a.Posted = "Acme", title, requisition, a.Posted.AddDays(days)
		})
	}
	counted := func(n int) Verdict { return Verdict{ReasonCounted, n, n} }
	again := func(n int) Verdict { return Verdict{ReasonDuplicateVacancy, n, n} }
	for _, c := range []struct {
		name    string
		adverts []sources.Advert
		want    []Verdict
	}{
		{"another title", []sources.Advert{record("1", "Nurse", "", 0), record("1", "Cook", "", 0)},
			[]Verdict{counted(0), again(0)}},
		{"the number came later", []sources.Advert{record("1", "Nurse", "", 0), record("1", "Nurse", "R-1", 1),
			record("2", "Nurse", "R-2", 2)}, []Verdict{counted(0), again(0), counted(2)}},
		{"the number changed", []sources.Advert{record("1", "Nurse", "R-1", 0), record("1", "Nurse", "R-2", 1),
			record("2", "Nurse", "R-2", 2)}, []Verdict{counted(0), again(0), counted(2)}},
		{"the number left", []sources.Advert{record("1", "Nurse", "R-1", 0), record("1", "Nurse", "", 1),
			record("2", "Nurse", "R-2", 2)}, []Verdict{counted(0), again(0), counted(2)}},
	} {
		if d := cmp.Diff(c.want, apply(InUK, c.adverts...)); d != "" {
			t.Errorf("%s: verdicts (-want +got):\n%s", c.name, d)
		}
	}
}

// TestAdvertsWithoutTitleAreNeverOneVacancy: a shared address or place tells nothing of adverts
// without a title.
func TestAdvertsWithoutTitleAreNeverOneVacancy(t *testing.T) {
	untitled := func(a *sources.Advert) {
		a.Title, a.Employer, a.Requisition, a.ApplyURL = "", "Acme", "R-1", "https://acme.example/apply/1"
	}
	want := []Verdict{{ReasonCounted, 0, 0}, {ReasonCounted, 1, 1}}
	if d := cmp.Diff(want, apply(InUK, advert("1", untitled), advert("2", untitled))); d != "" {
		t.Errorf("verdicts (-want +got):\n%s", d)
	}
}

// TestManyAdvertsKeepTheirVerdicts: more adverts than one chunk of memory holds are each told
// apart, and a duplicate is found in another chunk than its first advert.
func TestManyAdvertsKeepTheirVerdicts(t *testing.T) {
	l := NewDeduper(policy)
	c := AdvertFields{Source: "platform", Origin: sources.OriginPlatform, Listed: true, IsRealJob: true, Country: InUK,
		Posted: asOf}
	const n = 2*chunkSize + 1
	for i := range uint64(n) {
		c.AdvertIDHash, c.EmployerTitlePlaceHash = TextHash{lo: 1 + i},
			TextHash{hi: 1 + i%(n-1)} // the last is the first again
		l.Add(&c)
	}
	i := 0
	for _, v := range l.Verdicts() {
		want := Verdict{ReasonCounted, i, i}
		if i == n-1 {
			want = Verdict{ReasonDuplicateVacancy, 0, 0}
		}
		if v != want {
			t.Fatalf("advert %d: %+v, want %+v", i, v, want)
		}
		i++
	}
	if i != n {
		t.Errorf("%d verdicts, want %d", i, n)
	}
}

// TestSourcesOfManyAdverts: each of 255 sources keeps its name, however many adverts come from each.
func TestSourcesOfManyAdverts(t *testing.T) {
	l := NewDeduper(policy)
	const different = 255
	for i := range 3 * different {
		l.Add(&AdvertFields{Source: strconv.Itoa(i % different)})
	}
	i := 0
	for source := range l.Verdicts() {
		if want := strconv.Itoa(i % different); source != want {
			t.Fatalf("advert %d is from %q, want %q", i, source, want)
		}
		i++
	}
}

// TestManyAdvertsOfTheFirstSource: a source is one of the 255, however often it comes.
func TestManyAdvertsOfTheFirstSource(t *testing.T) {
	l := NewDeduper(policy)
	for range 300 {
		l.Add(&AdvertFields{Source: "first"})
	}
	l.Add(&AdvertFields{Source: "second"})
	var last string
	for source := range l.Verdicts() {
		last = source
	}
	if last != "second" {
		t.Errorf("the last advert is from %q, want second", last)
	}
}

// TestVerdictsMayBeLeftEarly: a loop over verdicts, or over adverts with one key, may end before
// the last.
func TestVerdictsMayBeLeftEarly(t *testing.T) {
	l := NewDeduper(policy)
	for i := range 3 {
		a := advert(fmt.Sprint(i), nil)
		c := NewAdvertFields(&a, InUK, "")
		l.Add(&c)
	}
	seen := 0
	for range l.Verdicts() {
		seen++
		break
	}
	for range sameKey([]keyedAdvert{{key: TextHash{hi: 1}}, {key: TextHash{hi: 2}}, {key: TextHash{hi: 3}}}) {
		seen++
		break
	}
	if seen != 2 {
		t.Errorf("%d turns of two loops that end at once", seen)
	}
}

// TestOrderOfKeys: keys are ordered by both halves, the high one first.
func TestOrderOfKeys(t *testing.T) {
	sorted := []TextHash{{}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 5}, {2, 0}, {2, 3}}
	for i, a := range sorted {
		for j, b := range sorted {
			if got, want := a.Compare(b), max(-1, min(1, i-j)); got != want {
				t.Errorf("%v to %v is %d, want %d", a, b, got, want)
			}
		}
		if a.IsZero() != (i == 0) {
			t.Errorf("%v is zero: %t", a, a.IsZero())
		}
	}
}

// TestEveryReasonHasItsRule: the rules have each reason but that of a counted advert, in the order
// in which they are applied.
func TestEveryReasonHasItsRule(t *testing.T) {
	var got []ExclusionReason
	for _, r := range ExclusionRules() {
		got = append(got, r.Reason)
	}
	want := []ExclusionReason{"imported_listing", "unknown_origin", "terms_do_not_permit", "not_listed", "no_role",
		"outside_uk", "country_unknown", "undated", "future_dated", "before_window", "duplicate"}
	if !slices.Equal(got, want) {
		t.Errorf("rules %q, want %q", got, want)
	}
}

// TestTheFirstBrokenRuleIsTheReason: an advert that breaks all rules has the reason of the first;
// with that mended, of the next, down to the last.
func TestTheFirstBrokenRuleIsTheReason(t *testing.T) {
	l := NewDeduper(policy)
	c := AdvertFields{Origin: sources.OriginJobBoard, Source: "elsewhere", Country: Abroad}
	for _, step := range []struct {
		want ExclusionReason
		mend func()
	}{
		{ReasonImportedListing, func() { c.Origin = "friend" }},
		{ReasonUnknownOrigin, func() { c.Origin = sources.OriginEmployerBoard }},
		{ReasonTermsForbid, func() { c.Source = "platform" }},
		{ReasonNotListed, func() { c.Listed = true }},
		{ReasonNoJobToFill, func() { c.IsRealJob = true }},
		{ReasonOutsideUK, func() { c.Country = CountryNotKnown }},
		{ReasonCountryUnknown, func() { c.Country = InUK }},
		{ReasonUndated, func() { c.Posted = asOf.AddDays(1) }},
		{ReasonFutureDated, func() { c.Posted = asOf.AddDays(-1000) }},
		{ReasonBeforeWindow, func() { c.Posted = asOf }},
		{ReasonCounted, func() {}},
	} {
		if got := l.exclude(&c); got != step.want {
			t.Errorf("%+v: reason %q, want %q", c, got, step.want)
		}
		step.mend()
	}
}

// TestTrackingIsNoPartOfAnAddress: every parameter that records where a visitor came from is left
// out, and no other.
func TestTrackingIsNoPartOfAnAddress(t *testing.T) {
	for _, name := range []string{"gh_src", "lever-source", "lever-origin", "source", "src", "ref", "referrer", "fbclid",
		"gclid", "utm_source", "UTM_Term"} {
		if got := applyAddress("https://a.example/1?id=5&" + name + "=x"); got != "a.example/1?id=5" {
			t.Errorf("with %s: %q", name, got)
		}
	}
	for _, name := range []string{"reference", "utm", "gh_jid"} {
		if got, want := applyAddress("https://a.example/1?"+name+"=x"), "a.example/1?"+name+"=x"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
