package counting

import (
	"cmp"
	"net/url"
	"strings"
	"unicode"

	"github.com/zeebo/xxh3"
	"golang.org/x/text/unicode/norm"

	"labour/sources"
)

// Key is a 128-bit fingerprint of a normalised text. The zero Key means that
// there is nothing to compare. At 10 million adverts the chance that two
// different texts share one is below 10⁻²⁴.
type Key struct{ hi, lo uint64 }

// IsZero says that there is nothing to compare.
func (k Key) IsZero() bool { return k == Key{} }

// Uint128 is the fingerprint as a number.
func (k Key) Uint128() xxh3.Uint128 { return xxh3.Uint128{Hi: k.hi, Lo: k.lo} }

// Compare orders keys; the order means nothing, but it is always the same.
func (k Key) Compare(o Key) int { return cmp.Or(cmp.Compare(k.hi, o.hi), cmp.Compare(k.lo, o.lo)) }

// Country says whether the work is in the United Kingdom.
type Country uint8

// The answers of the country test. The zero value is unknown.
const (
	CountryNotKnown Country = iota
	InUK
	Abroad
)

// Candidate is what the rules look at in an advert: no text.
type Candidate struct {
	ID      Key // source and the publisher's id
	Source  string
	Origin  sources.Origin
	Listed  bool
	Country Country
	Posted  sources.Date
	// Fingerprints by which the same vacancy is recognised; zero = not stated.
	Requisition Key // employer and requisition number
	Apply       Key // apply address
	Same        Key // employer, title and place
}

// ID is the fingerprint of the source and the publisher's id of an advert.
func ID(a *sources.Advert) Key { return fingerprint(a.Source, a.ID) }

// NewCandidate takes from a what the rules look at. place is the coded place, or
// the wording where it could not be coded: all that "same place" compares.
func NewCandidate(a *sources.Advert, country Country, place string) Candidate {
	c := Candidate{ID: ID(a), Source: a.Source, Origin: a.Origin, Listed: a.Listed,
		Country: country, Posted: a.Posted}
	employer := normalise(a.Employer)
	if employer != "" && a.Requisition != "" {
		c.Requisition = fingerprint(employer, normalise(a.Requisition))
	}
	if address := applyAddress(a.ApplyURL); address != "" {
		c.Apply = fingerprint(address)
	}
	if title := normalise(a.Title); employer != "" && title != "" {
		c.Same = fingerprint(employer, title, normalise(place))
	}
	return c
}

func fingerprint(parts ...string) Key {
	h := xxh3.HashString128(strings.Join(parts, "\x00"))
	return Key{h.Hi, h.Lo}
}

// normalise folds case, accents, punctuation and spacing, so that two spellings
// of one name compare equal.
func normalise(s string) string {
	var b strings.Builder
	space := false
	for _, r := range norm.NFKD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '+' || r == '#':
			if space && b.Len() > 0 {
				b.WriteByte(' ')
			}
			space = false
			b.WriteRune(unicode.ToLower(r))
		default:
			space = true
		}
	}
	return b.String()
}

// trackingParameters say where a reader came from, not which vacancy is meant.
var trackingParameters = []string{"gh_src", "lever-source", "lever-origin", "source", "src", "ref", "referrer", "fbclid", "gclid"}

// applyAddress is an address as it is compared: without scheme, "www.", fragment,
// tracking parameters and trailing slash. A bare host names an employer and not
// a vacancy, so it compares with nothing.
func applyAddress(raw string) string {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Host == "" {
		return ""
	}
	q := u.Query()
	for name := range q {
		if strings.HasPrefix(strings.ToLower(name), "utm_") {
			q.Del(name)
		}
	}
	for _, name := range trackingParameters {
		q.Del(name)
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	if path == "" && len(q) == 0 {
		return ""
	}
	address := strings.TrimPrefix(strings.ToLower(u.Host), "www.") + path
	if len(q) > 0 {
		address += "?" + q.Encode()
	}
	return address
}
