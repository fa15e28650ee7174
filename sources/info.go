// Package sources defines the interface of a data source (one publisher's labour market data) and
// the types of its records. Each source states its name, licence and terms.
//
// Fetching and reading are separate steps. Fetch downloads the data and archives the bytes
// unchanged, under their SHA-256. Read turns archived bytes into records and needs no network. An
// old result can therefore be built again after a publisher has changed its site. The sub-packages
// implement the sources; sources/all lists them.
package sources

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// Cadence is how often a publisher updates its data.
type Cadence string

// The update frequencies that /v1/labour/sources returns as a source's `cadence`.
const (
	Daily     Cadence = "daily"
	Weekly    Cadence = "weekly"
	Monthly   Cadence = "monthly"
	Quarterly Cadence = "quarterly"
	Annual    Cadence = "annual"
)

// Period returns the longest time between two editions, for example 31 days for Monthly. It returns
// 0 for an unknown cadence. A source is stale if its last successful fetch is more than two periods
// old.
func (c Cadence) Period() time.Duration {
	days := map[Cadence]time.Duration{Daily: 1, Weekly: 7, Monthly: 31, Quarterly: 92, Annual: 366}
	return days[c] * 24 * time.Hour
}

// Kind is the kind of data that a source provides, for example adverts from boards or news.
type Kind string

// The kinds of data that /v1/labour/sources returns as a source's `kind`.
const (
	KindPlatform        Kind = "platform"
	KindEmployerBoards  Kind = "employer_boards"
	KindApprenticeships Kind = "apprenticeships"
	KindStatistics      Kind = "statistics"
	KindProjections     Kind = "projections"
	KindGeography       Kind = "geography"
	KindNews            Kind = "news"  // publishers' feeds, for the embargoed dataset signals
	KindPlans           Kind = "plans" // local plans, for the embargoed dataset priorities
)

// Terms states what a publisher permits. The zero value permits nothing, so a forgotten field
// excludes a source.
type Terms struct {
	Fetch     bool // a program may fetch it
	Count     bool // its records may be counted and the counts published
	Republish bool // its records may be published unchanged, with the statement
	Summarise bool // a summary of its text in our own words may be published
}

// Info describes a source: its names, licence, terms and kind of data. Validate returns an error
// for a missing text.
type Info struct {
	Key       string // snake_case; the `source_key` of every figure from the source
	Publisher string // name of the publisher
	Title     string // what is published, as a title
	Kind      Kind
	Licence   string // name of the licence or of the terms
	Link      string // page about the source for a person
	Statement Statement
	Cadence   Cadence
	Terms     Terms
	// ListsLiveOnly is true if a fetch returns only what is live at that moment (a job board). The past
	// is then the union of the past extracts.
	ListsLiveOnly bool
	HasAdverts    bool // whether it delivers adverts that the counting rules admit
	// IsReference is true if adverts are coded with the source's records, so that it is read before
	// the adverts.
	IsReference bool
}

// Statement is the attribution text to show with every figure from a source. It may contain the
// placeholders <platform_name> and <year of as_of>.
type Statement string

// The attribution statements, word for word as the specification requires.
const (
	StatementOGL Statement = "Contains public sector information licensed under the Open Government Licence v3.0."
	// StatementBLS is for data of the United States Bureau of Labor Statistics.
	StatementBLS Statement = "Source: U.S. Bureau of Labor Statistics."
	// StatementONS is for data of the Office for National Statistics. It names the office, the
	// licence and the map-data copyright.
	StatementONS Statement = "Source: Office for National Statistics licensed under the Open Government Licence v3.0. Contains OS data © Crown copyright and database right <year of as_of>."
	// StatementOwn is for figures that the service itself computes.
	StatementOwn Statement = "Source: <platform_name>."
)

// Fill returns the statement with the placeholders replaced by platformName and the year of asOf.
func (s Statement) Fill(platformName string, asOf Date) string {
	return strings.NewReplacer("<platform_name>", platformName,
		"<year of as_of>", fmt.Sprintf("%04d", asOf.Year)).Replace(string(s))
}

var (
	keyPattern     = regexp.MustCompile(`^[a-z0-9_]+$`)
	unknownLicence = regexp.MustCompile(`(?i)^\s*($|not confirmed|not known|unknown|unconfirmed|unclear)`)
)

// Validate returns an error that lists every missing or malformed field, or nil. An empty licence,
// statement or link is an error. The specification says: "A source with an unknown licence is not
// published".
func (i Info) Validate() error {
	var errs ConfigErrors
	need := func(ok bool, what string) { errs.Require(ok, "source %q: %s", i.Key, what) }
	need(keyPattern.MatchString(i.Key), "key must be snake_case: letters a-z, digits and underscores")
	need(strings.TrimSpace(i.Publisher) != "", "publisher is missing")
	need(strings.TrimSpace(i.Title) != "", "title is missing")
	need(i.Kind != "", "kind is missing")
	need(strings.TrimSpace(i.Licence) != "", "licence is missing")
	need(IsWebAddress(i.Link), "link must be an http(s) address")
	need(strings.TrimSpace(string(i.Statement)) != "", "attribution statement is missing")
	need(i.Cadence.Period() > 0, "cadence must be one of daily, weekly, monthly, quarterly, annual")
	return errors.Join(errs...)
}

// LicenceKnown reports whether Licence names a licence. It returns false for an empty licence and
// for one such as "not known" or "unconfirmed". Data under an unknown licence may be fetched but
// not published.
func (i Info) LicenceKnown() bool { return !unknownLicence.MatchString(i.Licence) }

// IsWebAddress reports whether s is an absolute http(s) address.
func IsWebAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

// IsWebOrFileAddress reports whether s is an http(s) address or a file:// address.
func IsWebOrFileAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "file" || IsWebAddress(s))
}

// ConfigErrors collects the errors of a configuration, so that the operator sees all of them at once.
type ConfigErrors []error

// Require appends an error with the formatted text if ok is false. It does nothing if ok is true.
func (n *ConfigErrors) Require(ok bool, format string, args ...any) {
	if !ok {
		*n = append(*n, fmt.Errorf(format, args...))
	}
}
