// Package sources defines the interface of a data source (one publisher's labour market data) and
// the types of its records. Each source states its name, licence and terms.
//
// Fetching and reading are separate steps. Fetch downloads the data and archives the bytes
// unchanged, under their SHA-256. Read turns archived bytes into records and needs no network. An
// old result can therefore be built again after a publisher has changed its site. The sub-packages
// implement the sources; sources/all lists them.
package sources

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Cadence is how often a publisher updates its data, for example "weekly".
type Cadence string

// Possible values of Cadence. /v1/labour/sources returns them in its field `cadence`.
const (
	Daily     Cadence = "daily"
	Weekly    Cadence = "weekly"
	Monthly   Cadence = "monthly"
	Quarterly Cadence = "quarterly"
	Annual    Cadence = "annual"
)

// IsKnown reports whether c is Daily, Weekly, Monthly, Quarterly or Annual.
func (c Cadence) IsKnown() bool {
	return slices.Contains([]Cadence{Daily, Weekly, Monthly, Quarterly, Annual}, c)
}

// Kind is the category of a source, for example "projections" or "news".
type Kind string

// Possible values of Kind. /v1/labour/sources returns them in its field `kind`.
const (
	KindPlatform        Kind = "platform"
	KindEmployerBoards  Kind = "employer_boards"
	KindApprenticeships Kind = "apprenticeships"
	KindStatistics      Kind = "statistics"
	KindProjections     Kind = "projections"
	KindGeography       Kind = "geography"
	// KindNews is the category of publishers' news feeds. They fill the embargoed dataset `signals`.
	KindNews Kind = "news"
	// KindPlans is the category of local skills improvement plans. They fill the embargoed dataset
	// `priorities`.
	KindPlans Kind = "plans"
)

// Terms records what a publisher permits. The zero value permits nothing, so a forgotten field
// excludes the source.
type Terms struct {
	MayFetch     bool // whether a program may download the data
	MayCount     bool // whether records may be counted and the counts published
	MayRepublish bool // whether records may be published unchanged, with the attribution
	MaySummarise bool // whether a summary of a text in our own words may be published
}

// Info describes a source: its key, publisher, licence and terms.
type Info struct {
	Key       string // identifier in snake_case; figures from this source have it as `source_key`
	Publisher string // name of the publisher, for people
	Title     string // title of the published data, such as the name of a statistic
	Kind      Kind
	Licence   string // name of the licence or of the publisher's terms
	Link      string // web page about the source, for people
	Statement AttributionStatement
	Cadence   Cadence
	Terms     Terms
	// ListsLiveOnly is true if a fetch returns only adverts that are open at that moment, as on a
	// job board. Past adverts are then known only from earlier extracts.
	ListsLiveOnly bool
	HasAdverts    bool // whether the source delivers adverts that the counting rules admit
	// IsReference is true if the source's records are needed to code adverts, such as a list of
	// occupations. The source is then read before the adverts.
	IsReference bool
}

// AttributionStatement is the credit to show with every figure from a source. It may contain the
// placeholders <platform_name> and <year of as_of>.
type AttributionStatement string

// StatementOGL is the attribution for data under the Open Government Licence. Like the other
// statements, it has the exact wording that the specification requires.
const (
	StatementOGL AttributionStatement = "Contains public sector information licensed under the Open Government " +
		"Licence v3.0."
	// StatementBLS is the attribution for data of the United States Bureau of Labor Statistics.
	StatementBLS AttributionStatement = "Source: U.S. Bureau of Labor Statistics."
	// StatementONS is the attribution for data of the Office for National Statistics. It also
	// credits Ordnance Survey map data.
	StatementONS AttributionStatement = "Source: Office for National Statistics licensed under the Open Government " +
		"Licence v3.0. " +
		"Contains OS data © Crown copyright and database right <year of as_of>."
	// StatementOwnFigures is the attribution for figures that this service computes itself.
	StatementOwnFigures AttributionStatement = "Source: <platform_name>."
)

// FillPlaceholders returns the attribution statement with its placeholders replaced by platformName
// and the year of asOf. asOf is the date of the figures.
func (s AttributionStatement) FillPlaceholders(platformName string, asOf Date) string {
	return strings.NewReplacer("<platform_name>", platformName,
		"<year of as_of>", fmt.Sprintf("%04d", asOf.Year)).Replace(string(s))
}

var unknownLicence = regexp.MustCompile(`(?i)^\s*($|not confirmed|not known|unknown|unconfirmed|unclear)`)

// Validate returns an error that lists every missing or malformed field of the source's
// description, or nil. An unknown licence is an error, because the specification says: "A source
// with an unknown licence is not published".
func (i Info) Validate() error {
	var errs ConfigErrors
	need := func(ok bool, what string) { errs.Require(ok, "source %q: %s", i.Key, what) }
	need(IsConfigID(i.Key), "key must be snake_case: letters a-z, digits and underscores")
	need(strings.TrimSpace(i.Publisher) != "", "publisher is missing")
	need(strings.TrimSpace(i.Title) != "", "title is missing")
	need(i.Kind != "", "kind is missing")
	need(strings.TrimSpace(i.Licence) != "", "licence is missing")
	need(IsWebAddress(i.Link), "link must be an http(s) address")
	need(strings.TrimSpace(string(i.Statement)) != "", "attribution statement is missing")
	need(!strings.Contains(i.Statement.FillPlaceholders("", Date{}), "<"),
		"attribution statement must not contain <, which marks a placeholder, except in <platform_name> and "+
			"<year of as_of>")
	need(i.Cadence.IsKnown(), "cadence must be one of daily, weekly, monthly, quarterly, annual")
	return errors.Join(errs...)
}

// LicenceKnown reports whether Licence names a licence. It is false for an empty text and for texts
// such as "not known" or "unconfirmed". Data under an unknown licence is never published.
func (i Info) LicenceKnown() bool { return !unknownLicence.MatchString(i.Licence) }

// IsWebAddress reports whether s is an absolute http:// or https:// URL.
func IsWebAddress(s string) bool {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http"
}

// BaseURL returns the address of a publisher's service, without slashes at its end: the configured one,
// or usual if none is configured. An address that is not http(s) is an error.
func BaseURL(configured, usual string) (string, error) {
	base := strings.TrimRight(cmp.Or(configured, usual), "/")
	if !IsWebAddress(base) {
		return "", fmt.Errorf("base_url %q is not an http(s) address", configured)
	}
	return base, nil
}

// IsWebOrFileAddress reports whether s is an http://, https:// or file:// URL.
func IsWebOrFileAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "file" || IsWebAddress(s))
}

// ConfigErrors collects the errors of one check of a configuration or file. The operator then sees
// all of them at once.
type ConfigErrors []error

// Require adds an error with a formatted message if ok is false.
func (n *ConfigErrors) Require(ok bool, format string, args ...any) {
	if !ok {
		*n = append(*n, fmt.Errorf(format, args...))
	}
}
