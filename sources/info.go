// Package sources defines a source of labour market data: its name, its licence and terms, how its
// bytes are fetched and kept, and the typed records in them.
//
// Fetching and reading are separate. Fetch downloads the bytes and archives them as received, under
// their SHA-256. Read turns archived bytes into records, offline. So last month's snapshot can be
// built again after a publisher has changed its site. Connectors are in the packages below this
// one; sources/all lists them in order.
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

// The cadences in /v1/labour/sources.
const (
	Daily     Cadence = "daily"
	Weekly    Cadence = "weekly"
	Monthly   Cadence = "monthly"
	Quarterly Cadence = "quarterly"
	Annual    Cadence = "annual"
)

// Period returns the longest time between two editions, and 0 for an unknown cadence. A source is
// stale when its last success is older than twice this.
func (c Cadence) Period() time.Duration {
	days := map[Cadence]time.Duration{Daily: 1, Weekly: 7, Monthly: 31, Quarterly: 92, Annual: 366}
	return days[c] * 24 * time.Hour
}

// Kind is the kind of data in a source.
type Kind string

// The kinds of source in /v1/labour/sources.
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

// Terms holds the permissions of a publisher. The zero value permits nothing, so that a forgotten
// field excludes a source instead of leaking it.
type Terms struct {
	Fetch     bool // a program may fetch it
	Count     bool // its records may be counted and the counts published
	Republish bool // its records may be published unchanged, with the statement
	Summarise bool // a summary of its text in our own words may be published
}

// Info describes a source. Every field is required; Validate lists the missing ones.
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
	// Listing is true if a fetch returns only what is live at that moment (a job board). The past
	// is then the union of the past extracts.
	Listing bool
	Adverts bool // whether it delivers adverts that the counting rules admit
	// Reference is true if adverts are coded with the source's records, so that it is read before
	// the adverts.
	Reference bool
}

// Statement is the attribution statement of a source, with the placeholders
// <platform_name> and <year of as_of>.
type Statement string

// The statements of the specification and the contract, word for word.
const (
	StatementOGL Statement = "Contains public sector information licensed under the Open Government Licence v3.0."
	// StatementBLS names the United States labour statistics agency in one `Source:` sentence.
	StatementBLS Statement = "Source: U.S. Bureau of Labor Statistics."
	// StatementONS names the office, the licence and the map-data copyright.
	StatementONS Statement = "Source: Office for National Statistics licensed under the Open Government Licence v3.0. Contains OS data © Crown copyright and database right <year of as_of>."
	// StatementOwn is for "the service's own figures, such as skills not met".
	StatementOwn Statement = "Source: <platform_name>."
)

// For returns the statement with the placeholders filled in.
func (s Statement) For(platformName string, asOf Date) string {
	return strings.NewReplacer("<platform_name>", platformName,
		"<year of as_of>", fmt.Sprintf("%04d", asOf.Year)).Replace(string(s))
}

var (
	keyPattern     = regexp.MustCompile(`^[a-z0-9_]+$`)
	unknownLicence = regexp.MustCompile(`(?i)^\s*($|not confirmed|not known|unknown|unconfirmed|unclear)`)
)

// Validate returns an error that lists everything missing or malformed. "A source with an unknown
// licence is not published": an empty licence, statement or link is an error.
func (i Info) Validate() error {
	var errs Needs
	need := func(ok bool, what string) { errs.Need(ok, "source %q: %s", i.Key, what) }
	need(keyPattern.MatchString(i.Key), "key must be snake_case: letters a-z, digits and underscores")
	need(strings.TrimSpace(i.Publisher) != "", "publisher is missing")
	need(strings.TrimSpace(i.Title) != "", "title is missing")
	need(i.Kind != "", "kind is missing")
	need(strings.TrimSpace(i.Licence) != "", "licence is missing")
	need(IsWeb(i.Link), "link must be an http(s) address")
	need(strings.TrimSpace(string(i.Statement)) != "", "attribution statement is missing")
	need(i.Cadence.Period() > 0, "cadence must be one of daily, weekly, monthly, quarterly, annual")
	return errors.Join(errs...)
}

// LicenceKnown reports whether the licence is known. A source whose licence is recorded as not
// known or not confirmed may be fetched and embargoed: "A source with an unknown licence is not
// published."
func (i Info) LicenceKnown() bool { return !unknownLicence.MatchString(i.Licence) }

// IsWeb reports whether s is an absolute http(s) address.
func IsWeb(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

// IsAddress reports whether s is an http(s) address, or the file:// address of an operator's file.
func IsAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "file" || IsWeb(s))
}

// Needs collects the errors of a configuration, so that all of them are reported at once.
type Needs []error

// Need records an error unless ok is true.
func (n *Needs) Need(ok bool, format string, args ...any) {
	if !ok {
		*n = append(*n, fmt.Errorf(format, args...))
	}
}
