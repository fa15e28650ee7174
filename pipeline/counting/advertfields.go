package counting

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
	"golang.org/x/text/unicode/norm"

	"labour/pipeline/coding/place"
	"labour/sources"
)

// TextHash is a 128-bit hash of a normalised text. The zero TextHash means that there is no text.
// With 10 million adverts, the probability of a collision is below 10⁻²⁴.
type TextHash struct{ hi, lo uint64 }

// IsZero reports whether k is the zero TextHash, which means that there is no text. Two adverts
// whose hashes are zero do not match.
func (k TextHash) IsZero() bool { return k == TextHash{} }

// Compare returns -1 if k sorts before o, 0 if they are equal, and 1 if k sorts after o. The order
// is used only for sorting and has no other meaning.
func (k TextHash) Compare(o TextHash) int {
	switch { // not cmp.Or, which evaluates all arguments
	case k.hi < o.hi || k.hi == o.hi && k.lo < o.lo:
		return -1
	case k == o:
		return 0
	}
	return 1
}

// AdvertFields holds what the counting rules need to know about an advert. Most texts are stored as
// hashes, to save memory.
type AdvertFields struct {
	AdvertIDHash TextHash // hash of the source and of the advert's id at the publisher
	Source       string
	Origin       sources.Origin
	Listed       bool // whether the advert is open to everyone; false for unlisted adverts
	IsRealJob    bool // true for a job to fill, false for a talent pool
	Country      place.CountryStatus
	Posted       sources.Date
	// The Deduper finds adverts for the same vacancy by RequisitionHash, ApplyAddressHash and
	// EmployerTitlePlaceHash.
	RequisitionHash        TextHash // hash of employer, requisition number and title; zero = not stated
	ApplyAddressHash       TextHash // hash of the web address for applications; zero = not stated
	EmployerTitlePlaceHash TextHash // hash of employer, title and place; zero = not stated
	// TitleHash is a hash of the normalised job title; zero = not stated.
	TitleHash uint64
	// RequisitionNumberHash is a hash of the employer's number for the vacancy: different numbers mean
	// different vacancies. A text without a digit, such as "TBC", is not a number. Zero = not
	// stated.
	RequisitionNumberHash uint64
}

// HashOfAdvertID returns a hash of an advert's source and the publisher's ID for the advert.
func HashOfAdvertID(a *sources.Advert) TextHash {
	var room [128]byte
	return fingerprint(append(appendSeparator(append(room[:0], a.Source...)), a.ID...))
}

// NewAdvertFields returns the fields of an advert that the counting rules need. country says
// whether the work is in the United Kingdom. placeKey is the advert's place code, or its location
// text if it has no code.
func NewAdvertFields(a *sources.Advert, country place.CountryStatus, placeKey string) AdvertFields {
	c := AdvertFields{AdvertIDHash: HashOfAdvertID(a), Source: a.Source, Origin: a.Origin, Listed: a.Listed,
		IsRealJob: !isPool(a.Title),
		Country:   country, Posted: a.Posted}
	var room [256]byte
	if address := applyAddress(a.ApplyURL); address != "" {
		c.ApplyAddressHash = fingerprint([]byte(address))
	}
	if number := appendNormal(room[:0], a.Requisition); hasDigit(number) {
		c.RequisitionNumberHash = fingerprint(number).lo
	}
	title := appendNormal(room[:0], a.Title)
	if len(title) == 0 {
		return c
	}
	c.TitleHash = fingerprint(title).lo
	b := append(room[:0], NormaliseEmployer(a.Employer)...)
	if len(b) == 0 {
		return c
	}
	b = appendNormal(appendSeparator(b), a.Title)
	c.EmployerTitlePlaceHash = fingerprint(appendNormal(appendSeparator(b), placeKey))
	if c.RequisitionNumberHash != 0 {
		c.RequisitionHash = fingerprint(appendNormal(appendSeparator(b), a.Requisition))
	}
	return c
}

func hasDigit(b []byte) bool { return bytes.ContainsFunc(b, unicode.IsDigit) }

// appendSeparator appends a zero byte to b, to separate two texts. Without it, "ab"+"c" and
// "a"+"bc" would have the same hash.
func appendSeparator(b []byte) []byte { return append(b, 0) }

func fingerprint(b []byte) TextHash {
	h := xxh3.Hash128(b)
	return TextHash{h.Hi, h.Lo}
}

// legalForms are words for a legal form at the end of an employer's name. An employer may include
// them in one advert and not in another.
var legalForms = []string{"limited", "ltd", "plc", "llp", "cic"}

// NormaliseEmployer returns the normalised name of an employer. Two names with the same result are
// the same employer, such as "Moon & Co. Ltd" and "MOON AND CO LIMITED". The result is in lower
// case. It has no accents, no legal form, no "and", and no punctuation except "+" and "#".
func NormaliseEmployer(name string) string {
	words := strings.Fields(string(appendNormal(nil, name)))
	for len(words) > 1 && slices.Contains(legalForms, words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) > 1 {
		words = slices.DeleteFunc(words, func(word string) bool { return word == "and" })
	}
	return strings.Join(words, " ")
}

// appendNormal appends s to b in lower case, without accents or punctuation except "+" and "#", and
// returns the extended slice. Words are separated by one space. Unlike the packages of coding, it
// keeps all letters and digits, and it joins no words and replaces none, because a single character
// may distinguish the titles of two vacancies.
func appendNormal(b []byte, s string) []byte {
	from, space := len(b), false
	for _, r := range norm.NFKD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '+', r == '#':
			if space && len(b) > from {
				b = append(b, ' ')
			}
			space = false
			b = utf8.AppendRune(b, unicode.ToLower(r))
		default:
			space = true
		}
	}
	return b
}

// trackingParameters are URL parameters that record where a visitor came from. They do not identify
// a vacancy.
var trackingParameters = []string{"gh_src", "lever-source", "lever-origin", "source", "src", "ref", "referrer",
	"fbclid", "gclid"}

// applyAddress returns the normalised URL of an application page. It removes the scheme, "www.",
// the fragment, tracking parameters and a trailing slash. It returns "" if the URL is not valid, or
// if it has only a host, which does not identify a vacancy.
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

// pool matches titles of adverts that do not offer a job but collect people for future jobs, such
// as "Talent Pool". It also matches titles of real jobs, such as "Talent Pool Manager". The
// function isPool excludes these.
var pool = regexp.MustCompile(`(?i)\b(?:` +
	`(?:talent|candidate|applicant)[ -](?:pool|community|network|bank|pipeline)s?\b|` +
	`(?:future|upcoming|potential|other|general)[ -](?:job |career |employment |work )?(?:opportunit(?:y|ies)|` +
	`vacanc(?:y|ies)|openings?|roles)\b|` +
	`(?:speculative|spontaneous|unsolicited|general|open|prospective|initiative)[ -](?:job )?(?:applications?|` +
	`applicants?|cvs?|candidat(?:e|es|ure)|submissions?)\b|` +
	`expressions? of interest\b|register (?:your|my|an) interest\b|` +
	`(?:don['’]?t|do not|didn['’]?t|can['’]?t|cannot|not) (?:see|find|seeing|finding) (?:a |the |your |an )?` +
	`(?:right |perfect |suitable |dream )?(?:role|job|position|vacancy|fit|opportunity|what you)|` +
	`(?:join|keep in touch|stay connected|stay in touch|connect)(?: with)? our (?:talent|team for future)|send us ` +
	`your cv\b|work with us\s*$|` +
	`initiativbewerbung|candidature spontan)`)

// poolWorkers matches job titles such as "manager". If such a title directly follows words such as
// "talent pool", the advert is for a real job.
var poolWorkers = regexp.MustCompile(
	`(?i)\b(?:manager|lead|partner|specialist|head|director|co-?ordinator|officer|advis[eo]r|administrator|consultant|` +
		`recruiter|assistant|executive|analyst|developer|engineer|designer|team leader)\b`)

// poolHints lists short texts. Every title that the slow expression pool matches contains at least
// one of them. Most titles contain none.
var poolHints = []string{"talent", "candidat", "applica", "opportunit", "vacanc", "opening", "roles", "cv",
	"submission", "interest", " see", "find", "team for future", "work with us", "bewerbung"}

// isPool reports whether a job title is for a talent pool, not for a job to fill.
func isPool(title string) bool {
	lower := strings.ToLower(title)
	if !slices.ContainsFunc(poolHints, func(hint string) bool { return strings.Contains(lower, hint) }) {
		return false
	}
	at := pool.FindStringIndex(title)
	if at == nil {
		return false
	}
	// "Talent Community Manager" is a job; "Expression of Interest: Care Manager" is a pool.
	worker := poolWorkers.FindStringIndex(title[at[1]:])
	return worker == nil || worker[0] > 1
}
