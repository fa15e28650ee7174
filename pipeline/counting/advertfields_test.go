package counting

import (
	"strings"
	"testing"
	"unicode"

	"github.com/zeebo/xxh3"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"labour/sources"
)

// slowNormal is appendNormal rune by rune: words of what counts, one space between them.
func slowNormal(s string) string {
	kept := strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r):
			return -1
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '+' || r == '#':
			return unicode.ToLower(r)
		}
		return ' '
	}, norm.NFKD.String(s))
	return strings.Join(strings.Fields(kept), " ")
}

// slowKey is the fingerprint of some texts.
func slowKey(parts ...string) TextHash {
	h := xxh3.HashString128(strings.Join(parts, "\x00"))
	return TextHash{h.Hi, h.Lo}
}

// TestCandidateIsWhatItSays draws adverts and makes their fingerprints the slow way.
func TestCandidateIsWhatItSays(t *testing.T) {
	text := rapid.Custom(func(t *rapid.T) string {
		parts := []string{"", " ", "Some Firm", "ACME", "Café", "e\u0301", "&", "C++", "C#", "-", "\x00", "\u00a0",
			"№ 5", "ﬁ", "İ", "\xff", "  "}
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 6).Draw(t, "parts"), "")
	})
	address := rapid.Custom(func(t *rapid.T) string {
		parts := []string{"https://", "http://", "HTTPS://", "www.", "jobs.example.org", "EXAMPLE.org", "/", "/a",
			"/A-b_c.d~e", "/%2f", "/é", "//", "?", "utm_source=x", "&id=5", "ref=z", "#", "+", ":443", "user@", " ",
			"[::1]", "..", "*"}
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 6).Draw(t, "parts"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		a := sources.Advert{Source: text.Draw(t, "source"), ID: text.Draw(t, "id"), Employer: text.Draw(t, "employer"),
			Title:       text.Draw(t, "title"),
			Requisition: text.Draw(t, "requisition"),
			ApplyURL: rapid.SampledFrom([]string{"", "https://jobs.example.org"}).Draw(t, "begin") + address.Draw(t,
				"address")}
		place := text.Draw(t, "place")
		want := AdvertFields{AdvertIDHash: slowKey(a.Source, a.ID), Source: a.Source, Country: InUK, IsRealJob: true}
		employer, title, number := slowNormal(a.Employer), slowNormal(a.Title), slowNormal(a.Requisition)
		numbered := strings.ContainsFunc(number, unicode.IsDigit)
		if numbered {
			want.RequisitionNumberHash = slowKey(number).lo
		}
		if title != "" {
			want.TitleHash = slowKey(title).lo
		}
		if employer != "" && title != "" {
			want.EmployerTitlePlaceHash = slowKey(employer, title, slowNormal(place))
			if numbered {
				want.RequisitionHash = slowKey(employer, title, number)
			}
		}
		if applied := applyAddress(a.ApplyURL); applied != "" {
			want.ApplyAddressHash = slowKey(applied)
		}
		if got := NewAdvertFields(&a, InUK, place); got != want {
			t.Fatalf("%+v in %q: %+v, want %+v", a, place, got, want)
		}
	})
}

// An address is shortened to its host, its path and the parameters that choose the vacancy.
func TestApplyAddress(t *testing.T) {
	for raw, want := range map[string]string{
		"https://www.Acme.example/apply/1/?utm_source=x#top": "acme.example/apply/1",
		"http://acme.example/apply?id=1&UTM_Medium=y":        "acme.example/apply?id=1",
		"https://acme.example/apply?id=2":                    "acme.example/apply?id=2",
		"https://acme.example/?job=7":                        "acme.example?job=7",
		"https://acme.example/apply?b=2&a=1":                 "acme.example/apply?a=1&b=2",
		"https://acme.example/?utm_campaign=z":               "",
		"https://acme.example":                               "",
		"/apply/1":                                           "",
		"https://acme.example/%zz":                           "",
	} {
		if got := applyAddress(raw); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

func BenchmarkNewCandidate(b *testing.B) {
	a := sources.Advert{Source: "employer_boards", ID: "ashby/some-firm/2ac1177d", Employer: "Some Firm & Partners",
		Title:    "Management accountant (full-time)",
		ApplyURL: "https://jobs.example.org/some-firm/jobs/8122948/apply"}
	b.ReportAllocs()
	for b.Loop() {
		NewAdvertFields(&a, InUK, "E09000012")
	}
}
