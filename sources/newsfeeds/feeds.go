// Package newsfeeds reads publishers' feeds of news on the labour market, RSS and Atom, as
// headlines for the held dataset signals: "Labour market news as the service's own summaries".
//
// No word of a publisher leaves this package. A title and its categories are turned into topics of
// a closed list; what is about none of them is passed over, and texts, authors and pictures are
// never looked at. A headline is the day, the topics and the link to what was published.
//
// Each feed is a source of its own, with its own licence, statement and terms: whether
// the publisher permits a summary of ours is stated feed by feed, and is no unless
// the configuration says so. A feed that does not permit it is read and shown nowhere.
package newsfeeds

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"labour/sources"
	"labour/sources/filelist"
)

// KeyPrefix begins the source key of every feed: news_ and its id.
const KeyPrefix = "news_"

// Config is the block `labour_market_news` of the configuration.
type Config struct {
	Feeds []Feed `yaml:"feeds"` // the feeds
}

// Feed is one publisher's feed.
type Feed struct {
	// ID names it for ever: lower-case letters, digits and underscores. Its source key
	// is news_ and the id.
	ID string `yaml:"id"`
	// URL is the feed, RSS or Atom.
	URL string `yaml:"url"`
	// Publisher is the body that publishes it, as it stands in a sentence.
	Publisher string `yaml:"publisher"`
	// Licence is the name of the licence, or of the terms.
	Licence string `yaml:"licence"`
	// Statement is the attribution statement.
	Statement string `yaml:"attribution_statement"`
	// Link is where a person can look at it; empty is the host of the feed.
	Link string `yaml:"link"`
	// Cadence is how often something is published at least; empty is weekly.
	Cadence sources.Cadence `yaml:"cadence"`
	// MaySummarise says that the publisher's terms permit a summary in our own words. With
	// a licence that is known, its headlines are then evidence of the kind news.
	MaySummarise bool `yaml:"may_summarise"`
}

// Source is the connector of one feed. New makes them.
type Source struct{ feed Feed }

var idPattern = regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)*$`)

// New checks the configuration and returns a connector for each feed, in its order.
// All faults of the configuration are reported at once.
func New(cfg Config) ([]*Source, error) {
	feeds := slices.Clone(cfg.Feeds)
	if err := filelist.Check("feeds", feeds, func(f Feed) string { return f.ID }, (*Feed).complete); err != nil {
		return nil, fmt.Errorf("configure labour_market_news: %w", err)
	}
	list := make([]*Source, len(feeds))
	for i, f := range feeds {
		list[i] = &Source{f}
	}
	return list, nil
}

// complete fills in the defaults and checks the values.
func (f *Feed) complete() error {
	u, err := url.Parse(f.URL)
	if err != nil || !sources.IsWeb(f.URL) {
		return fmt.Errorf("url %q must be an http(s) address", f.URL)
	}
	if !idPattern.MatchString(f.ID) {
		return fmt.Errorf("id %q must be lower-case letters, digits and underscores", f.ID)
	}
	f.Link = cmp.Or(f.Link, u.Scheme+"://"+u.Host+"/")
	f.Cadence = cmp.Or(f.Cadence, sources.Weekly)
	return (&Source{*f}).Info().Validate()
}

// Info describes the feed.
func (s *Source) Info() sources.Info {
	f := s.feed
	return sources.Info{
		Key: KeyPrefix + f.ID, Publisher: strings.TrimSpace(f.Publisher), Title: "News on the labour market", Kind: sources.KindNews,
		Licence: f.Licence, Link: f.Link, Statement: sources.Statement(f.Statement), Cadence: f.Cadence,
		Terms:   sources.Terms{Fetch: true, Summarise: f.MaySummarise},
		Listing: true, // a feed holds the newest only
	}
}
