package counting

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/pipeline/coding/place"
	"labour/sources"
)

var asOf = sources.Date{Year: 2026, Month: time.November, Day: 20}

var policy = Policy{AsOf: asOf, Precedence: []string{"platform", "employer_boards", "find_an_apprenticeship"}}

// advert is an advert that is counted; change makes it another.
func advert(id string, change func(*sources.Advert)) sources.Advert {
	a := sources.Advert{Source: "platform", ID: id, Origin: sources.OriginPlatform, Listed: true,
		Employer: "Employer " + id, Title: "Care assistant", Posted: asOf.AddDays(-30)}
	if change != nil {
		change(&a)
	}
	return a
}

// The answers of the country test.
const (
	InUK            = place.CountryUK
	Abroad          = place.CountryAbroad
	CountryNotKnown = place.CountryUnknown
)

func apply(country place.CountryStatus, adverts ...sources.Advert) []Verdict {
	candidates := make([]AdvertFields, len(adverts))
	for i := range adverts {
		candidates[i] = NewAdvertFields(&adverts[i], country, "camden")
	}
	return Apply(candidates, policy)
}

func TestEachRule(t *testing.T) {
	tests := []struct {
		name    string
		country place.CountryStatus
		change  func(*sources.Advert)
		want    ExclusionReason
	}{
		{"posted on the platform", InUK, nil, ReasonCounted},
		{"employer's own board", InUK, func(a *sources.Advert) {
			a.Source, a.Origin = "employer_boards", sources.OriginEmployerBoard
		}, ReasonCounted},
		{"national apprenticeship service", InUK, func(a *sources.Advert) {
			a.Source, a.Origin = "find_an_apprenticeship", sources.OriginApprenticeship
		}, ReasonCounted},
		{"imported from a job board", InUK, func(a *sources.Advert) { a.Origin = sources.OriginJobBoard },
			ReasonImportedListing},
		{"imported from an aggregator", InUK, func(a *sources.Advert) { a.Origin = sources.OriginAggregator },
			ReasonImportedListing},
		{"origin left out", InUK, func(a *sources.Advert) { a.Origin = sources.OriginUnknown }, ReasonUnknownOrigin},
		{"origin never heard of", InUK, func(a *sources.Advert) { a.Origin = "friend" }, ReasonUnknownOrigin},
		{"source without permission", InUK, func(a *sources.Advert) { a.Source = "elsewhere" }, ReasonTermsForbid},
		{"direct link only", InUK, func(a *sources.Advert) { a.Listed = false }, ReasonNotListed},
		{"talent pool", InUK, func(a *sources.Advert) { a.Title = "Join our Talent Community" }, ReasonNoJobToFill},
		{"abroad", Abroad, nil, ReasonOutsideUK},
		{"country not known", CountryNotKnown, nil, ReasonCountryUnknown},
		{"no date", InUK, func(a *sources.Advert) { a.Posted = sources.Date{} }, ReasonUndated},
		{"tomorrow", InUK, func(a *sources.Advert) { a.Posted = asOf.AddDays(1) }, ReasonFutureDated},
		{"today", InUK, func(a *sources.Advert) { a.Posted = asOf }, ReasonCounted},
		{"first day of the longest window", InUK, func(a *sources.Advert) {
			a.Posted = sources.Date{Year: 2024, Month: time.December, Day: 1}
		}, ReasonCounted},
		{"the day before it", InUK, func(a *sources.Advert) {
			a.Posted = sources.Date{Year: 2024, Month: time.November, Day: 30}
		}, ReasonBeforeWindow},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := apply(tt.country, advert("1", tt.change))[0].Reason; got != tt.want {
				t.Errorf("reason %q, want %q", got, tt.want)
			}
		})
	}
}

// TestOldAdvertsCountPeople holds that people count for an advert however old: one that was posted
// before the longest window stands for itself, or a newer one of its vacancy does, and it changes no
// count of adverts.
func TestOldAdvertsCountPeople(t *testing.T) {
	old := func(requisition string) func(*sources.Advert) {
		return func(a *sources.Advert) {
			a.Posted, a.Employer, a.Requisition = sources.Date{Year: 2022, Month: time.March, Day: 7}, "Acme",
				requisition
		}
	}
	got := apply(InUK, advert("1", old("R-1")), advert("2", old("R-1")), advert("3", old("R-2")),
		advert("4", func(a *sources.Advert) { a.Employer, a.Requisition = "Acme", "R-2" }),
		advert("5", func(a *sources.Advert) { a.Requisition, a.Title = "R-9", "Talent pool" }))
	want := []Verdict{{ReasonBeforeWindow, -1, 1}, {ReasonBeforeWindow, -1, 1}, {ReasonBeforeWindow, -1, 3},
		{ReasonCounted, 3, 3},
		{ReasonNoJobToFill, -1, -1}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("verdicts (-want +got):\n%s", d)
	}
}

func TestSameVacancyOnce(t *testing.T) {
	base := func(a *sources.Advert) { a.Employer = "Acme Ltd." }
	board := func(a *sources.Advert) {
		base(a)
		a.Source, a.Origin = "employer_boards", sources.OriginEmployerBoard
	}
	tests := []struct {
		name   string
		second func(*sources.Advert)
		want   bool // counted once
	}{
		{"same employer, title, place, day", board, true},
		{"other spelling", func(a *sources.Advert) { board(a); a.Employer, a.Title = "ACME  ltd", "CARE assistant!" },
			true},
		{"13 days later", func(a *sources.Advert) { board(a); a.Posted = a.Posted.AddDays(13) }, true},
		{"14 days later", func(a *sources.Advert) { board(a); a.Posted = a.Posted.AddDays(14) }, false},
		{"other title", func(a *sources.Advert) { board(a); a.Title = "Nurse" }, false},
		{"other title, same requisition", func(a *sources.Advert) { board(a); a.Title, a.Requisition = "Nurse", "R-1" },
			false},
		{"same title and requisition, months later",
			func(a *sources.Advert) { board(a); a.Requisition, a.Posted = "R-1", a.Posted.AddDays(-90) }, true},
		{"other requisition, all else equal",
			func(a *sources.Advert) { board(a); a.Requisition, a.ApplyURL = "R-2", "https://acme.example/apply/1" },
			false},
		{"other requisition, employer spelt otherwise", func(a *sources.Advert) {
			board(a)
			a.Employer, a.Requisition, a.ApplyURL = "Acme Limited", "R-2", "https://acme.example/apply/1"
		}, false},
		{"no requisition, all else equal", board, true},
		{"other employer, same requisition", func(a *sources.Advert) { a.Employer, a.Requisition = "Other", "R-1" },
			false},
		{"other title, same apply address", func(a *sources.Advert) {
			board(a)
			a.Title, a.ApplyURL = "Nurse", "http://www.acme.example/apply/1/?utm_source=x#top"
		}, false},
		{"same title and apply address, months later", func(a *sources.Advert) {
			board(a)
			a.Posted, a.ApplyURL = a.Posted.AddDays(-90), "http://www.acme.example/apply/1/?utm_source=x#top"
		}, true},
		{"other title, both apply at the front page",
			func(a *sources.Advert) { board(a); a.Title, a.ApplyURL = "Nurse", "https://acme.example/" }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			first := advert("1", func(a *sources.Advert) {
				base(a)
				a.Requisition, a.ApplyURL = "r 1", "https://acme.example/apply/1"
			})
			got := apply(InUK, advert("2", tt.second), first)
			want := []Verdict{{ReasonCounted, 0, 0}, {ReasonCounted, 1, 1}}
			if tt.want { // the platform's own advert comes first in precedence
				want[0] = Verdict{ReasonDuplicateVacancy, 1, 1}
			}
			if tt.want && advert("2", tt.second).Source == "platform" {
				want = []Verdict{{ReasonCounted, 0, 0}, {ReasonDuplicateVacancy, 0, 0}}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("verdicts (-want +got):\n%s", d)
			}
		})
	}
}

// TestCareersPage: roles of an employer that share one careers page, or a requisition that is no
// number, are as many vacancies as there are roles, those of one title among them.
func TestCareersPage(t *testing.T) {
	titles := []string{"Social worker", "Bin lorry driver", "Planning officer", "Social worker", "Librarian"}
	for _, more := range []func(*sources.Advert){
		func(a *sources.Advert) {},
		func(a *sources.Advert) { a.ApplyURL = "https://council.example/careers" },
		func(a *sources.Advert) { a.Requisition = "TBC" },
		func(a *sources.Advert) { a.ApplyURL, a.Requisition = "https://council.example/careers", "n/a" },
	} {
		var all []sources.Advert
		for i, title := range titles {
			all = append(all, advert(fmt.Sprint(i), func(a *sources.Advert) {
				a.Employer, a.Title, a.Posted = "Camden Council", title, asOf.AddDays(-30*i)
				more(a)
			}))
		}
		for i, v := range apply(InUK, all...) {
			if v.Reason != ReasonCounted {
				t.Errorf("%s of %q %q: %+v", all[i].Title, all[i].ApplyURL, all[i].Requisition, v)
			}
		}
	}
}

// drawAdverts makes adverts that often meet in one key or another.
func drawAdverts(t *rapid.T) []AdvertFields {
	n := rapid.IntRange(0, 14).Draw(t, "n")
	out := make([]AdvertFields, n)
	for i := range out {
		pick := func(name string, max int) int { return rapid.IntRange(0, max).Draw(t, name) }
		a := sources.Advert{ID: fmt.Sprint(i), Listed: pick("listed", 9) > 0,
			Source: []string{"platform", "employer_boards", "find_an_apprenticeship", "other"}[pick("source", 3)],
			Origin: []sources.Origin{"platform", "employer_board", "find_an_apprenticeship", "job_board",
				"aggregator", ""}[pick("origin", 5)%6],
			Employer: []string{"", "A", "B"}[pick("employer", 2)], Title: []string{"x", "y"}[pick("title", 1)],
			Requisition: []string{"", "TBC", "1", "2"}[pick("requisition", 3)],
			ApplyURL:    []string{"", "", "https://a.example/1", "https://a.example/2"}[pick("apply", 3)],
			Posted:      asOf.AddDays(3 - pick("days", 60))}
		out[i] = NewAdvertFields(&a, place.CountryStatus(pick("country", 5)%3),
			[]string{"camden", "hackney"}[pick("place", 1)])
		if pick("in uk", 2) > 0 {
			out[i].Country, out[i].Origin = InUK, sources.OriginPlatform
		}
	}
	return out
}

func TestAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cs := drawAdverts(t)
		checkVerdicts(t, cs, Apply(cs, policy))
	})
}

func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cs := drawAdverts(t)
		got := Apply(cs, policy)
		order := rapid.Permutation(indexes(len(cs))).Draw(t, "order")
		shuffled := make([]AdvertFields, len(cs))
		for to, from := range order {
			shuffled[to] = cs[from]
		}
		for to, v := range Apply(shuffled, policy) {
			want := got[order[to]]
			if v.CountedAs >= 0 {
				v.CountedAs = order[v.CountedAs]
			}
			if v.AppliedAs >= 0 {
				v.AppliedAs = order[v.AppliedAs]
			}
			if v != want {
				t.Fatalf("advert %d: %+v after shuffling, %+v before", order[to], v, want)
			}
		}
	})
}

func indexes(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func TestEveryReasonQuotesASentence(t *testing.T) {
	seen := map[ExclusionReason]bool{}
	for _, r := range ExclusionRules() {
		if r.Sentence == "" || seen[r.Reason] {
			t.Errorf("rule %q: no sentence, or listed twice", r.Reason)
		}
		seen[r.Reason] = true
	}
}

func BenchmarkApply(b *testing.B) {
	cs := make([]AdvertFields, 100_000)
	for i := range cs {
		a := advert(fmt.Sprint(i), func(a *sources.Advert) {
			a.Employer, a.Title = fmt.Sprint("e", i%5000), fmt.Sprint("t", i%300)
			a.Posted = asOf.AddDays(-i % 700)
		})
		cs[i] = NewAdvertFields(&a, InUK, fmt.Sprint(i%33))
	}
	b.ReportAllocs()
	for b.Loop() {
		Apply(cs, policy)
	}
	b.ReportMetric(float64(len(cs))*float64(b.N)/b.Elapsed().Seconds(), "adverts/s")
}

// Apply gives one verdict per candidate, in their order, of candidates that are in
// memory already.
func Apply(candidates []AdvertFields, p Policy) []Verdict {
	l := NewDeduper(p)
	for i := range candidates {
		l.Add(&candidates[i])
	}
	verdicts := make([]Verdict, 0, len(candidates))
	for _, v := range l.Verdicts() {
		verdicts = append(verdicts, v)
	}
	return verdicts
}

// TestOrderOfLikeFingerprints: which of two adverts is kept does not depend on the order in which
// they come, even where their fingerprints begin alike.
func TestOrderOfLikeFingerprints(t *testing.T) {
	one, two := advert("1", nil), advert("2", nil)
	two.Employer = one.Employer
	first := NewAdvertFields(&one, InUK, "camden")
	second := NewAdvertFields(&two, InUK, "camden")
	first.AdvertIDHash, second.AdvertIDHash = TextHash{hi: 7<<32 | 1}, TextHash{hi: 7<<32 | 2}
	for _, pair := range [][]AdvertFields{{first, second}, {second, first}} {
		for i, v := range Apply(pair, policy) {
			if kept := v.CountedAs == i; kept != (pair[i].AdvertIDHash == first.AdvertIDHash) {
				t.Errorf("%+v kept: %t", pair[i].AdvertIDHash, kept)
			}
		}
	}
}

// TestOrderOfManyLikeFingerprints: adverts of one day and source are in the order of their
// fingerprints, and those with one fingerprint in the order in which they came.
func TestOrderOfManyLikeFingerprints(t *testing.T) {
	l := NewDeduper(policy)
	const n = 60
	for i := range n {
		a := advert("1", nil)
		c := NewAdvertFields(&a, InUK, "camden")
		c.AdvertIDHash = TextHash{hi: 7<<32 | uint64(i*37%n/2)}
		l.Add(&c)
	}
	order := l.inPrecedence()
	for i := 1; i < n; i++ {
		last, at := order[i-1], order[i]
		if c := l.at(last).id.Compare(l.at(at).id); c > 0 || c == 0 && last > at {
			t.Errorf("advert %d with %v is before advert %d with %v", last, l.at(last).id, at, l.at(at).id)
		}
	}
}
