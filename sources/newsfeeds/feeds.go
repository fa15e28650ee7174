// Package newsfeeds reads RSS and Atom feeds of labour market news and reduces each item to its
// topics, day and link.
//
// None of the publishers' words leave this package. It maps a title and its categories to topics
// from a fixed list, and skips items without a topic. Texts, authors and pictures are never read.
//
// Each feed is a separate source with its own licence and terms. The configuration states whether
// the publisher permits a summary; the default is no. Without permission, a feed is read but not
// published.
package newsfeeds

import (
	"bytes"
	"cmp"
	"context"
	_ "embed" // for the list of topics
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/mmcdole/gofeed"

	"labour/sources"
	"labour/sources/dates"
	"labour/sources/filelist"
	"labour/sources/plaintext"
)

// KeyPrefix is the beginning of a feed's source key: "news_" and then the feed's id.
const KeyPrefix = "news_"

// Config is the block `labour_market_news` of the configuration.
type Config struct {
	Feeds []Feed `yaml:"feeds"` // the feeds
}

// Feed is one publisher's feed.
type Feed struct {
	// ID names the feed permanently: lower-case letters, digits and underscores. Its source key is
	// news_ and the id.
	ID string `yaml:"id"`
	// URL is the feed, RSS or Atom.
	URL string `yaml:"url"`
	// Publisher is the name of the publisher, as written in a sentence.
	Publisher string `yaml:"publisher"`
	// Licence is the name of the licence, or of the terms.
	Licence string `yaml:"licence"`
	// Statement is the attribution statement.
	Statement string `yaml:"attribution_statement"`
	// Link is the page of the feed for a person; empty is the host of the feed.
	Link string `yaml:"link"`
	// Cadence is how often something is published at least; empty is weekly.
	Cadence sources.Cadence `yaml:"cadence"`
	// MaySummarise means that the publisher's terms permit a summary in our own words. If the
	// licence is also known, its headlines are evidence of the kind news.
	MaySummarise bool `yaml:"may_summarise"`
}

// New validates the configuration and returns a source for each feed. The error lists all mistakes
// in the configuration. Items with a topic are read as sources.Headline.
func New(cfg Config) ([]sources.Source, error) {
	feeds := slices.Clone(cfg.Feeds)
	if err := filelist.CheckEntries("feeds", feeds, func(f Feed) string { return f.ID }, (*Feed).complete); err != nil {
		return nil, fmt.Errorf("configure labour_market_news: %w", err)
	}
	list := make([]sources.Source, len(feeds))
	for i, f := range feeds {
		list[i] = f.source()
	}
	return list, nil
}

// complete sets the defaults and checks the values.
func (f *Feed) complete() error {
	u, err := url.Parse(f.URL)
	if err != nil || !sources.IsWebAddress(f.URL) {
		return fmt.Errorf("url %q must be an http(s) address", f.URL)
	}
	if !sources.IsID(f.ID) {
		return fmt.Errorf("id %q must be lower-case letters, digits and underscores", f.ID)
	}
	f.Link = cmp.Or(f.Link, u.Scheme+"://"+u.Host+"/")
	f.Cadence = cmp.Or(f.Cadence, sources.Weekly)
	return f.info().Validate()
}

// info describes the feed.
func (f *Feed) info() sources.Info {
	return sources.Info{
		Key: KeyPrefix + f.ID, Publisher: strings.TrimSpace(f.Publisher), Title: "News on the labour market",
		Kind:    sources.KindNews,
		Licence: f.Licence, Link: f.Link, Statement: sources.Statement(f.Statement), Cadence: f.Cadence,
		Terms:         sources.Terms{Fetch: true, Summarise: f.MaySummarise},
		ListsLiveOnly: true, // a feed contains only the newest items
	}
}

const (
	objectName = "feed.xml"
	// maxFeed is the size limit of a feed. A few hundred items with their texts have some 2 MB.
	maxFeed = 16 << 20
)

func (f *Feed) source() sources.Source {
	return filelist.Files[Feed]{SourceInfo: f.info(), Field: "feeds", Entries: []Feed{*f}, Parse: parse, MayBeEmpty: true,
		Request: func(f Feed) sources.Request {
			return sources.Request{Name: objectName, URL: f.URL, Accept: sources.AcceptXML, MaxBytes: maxFeed}
		}}
}

// parse reads a feed. An error has a sources.FaultCode.
func parse(_ context.Context, text []byte, f Feed) (parsed filelist.ParsedFile, err error) {
	text, err = plaintext.RepairXML(text)
	if err = cmp.Or(err, sources.AcceptXML("", text), sources.CheckXMLSize(text)); err != nil {
		return parsed, err
	}
	feed, err := gofeed.NewParser().Parse(bytes.NewReader(text))
	if err != nil {
		return parsed, sources.Errorf(sources.FaultWrongFormat, "neither RSS nor Atom: %.200s", err.Error())
	}
	if len(feed.Items) == 0 {
		return parsed, sources.Errorf(sources.FaultSuddenlyEmpty,
			"the feed has no item; open its address in a browser to see what it has become")
	}
	topics := newMatcher()
	for i, item := range feed.Items {
		found := topics.find(append([]string{item.Title}, item.Categories...)...)
		if len(found) == 0 {
			continue
		}
		headline, err := headlineOf(item)
		if err != nil {
			parsed.AddFault(fmt.Sprintf("item %d", i+1), sources.FaultBadValue, "%v", err)
			continue
		}
		headline.Source, headline.Topics = KeyPrefix+f.ID, found
		parsed.Records = append(parsed.Records, headline)
	}
	return parsed, nil
}

// headlineOf returns the headline of an item, without its topics.
func headlineOf(item *gofeed.Item) (h sources.Headline, err error) {
	published, dated := dates.ParseDayFirst(cmp.Or(item.Published, item.Updated))
	u, err := url.Parse(item.Link)
	switch {
	case !dated:
		return h, errors.New("the item has no date that can be read")
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil:
		return h, errors.New("the item has no http(s) link to cite")
	}
	return sources.Headline{ID: cmp.Or(item.GUID, item.Link), Published: published, Link: u.String()}, nil
}

//go:embed topics.tsv
var topicsTSV string

// matcher finds the topics of a title by patterns.
type matcher map[sources.Topic]*regexp.Regexp

// newMatcher compiles the list of patterns. A word ends at anything that is not a letter.
func newMatcher() matcher {
	m := matcher{}
	for line := range strings.Lines(topicsTSV) {
		if name, cues, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok { // other lines are comments
			words := strings.NewReplacer(`\|`, `|`, `\*`, `\pL*`).Replace(regexp.QuoteMeta(cues))
			m[sources.Topic(name)] = regexp.MustCompile(`(^|[^\pL])(` + words + `)([^\pL]|$)`)
		}
	}
	return m
}

// find returns the topics that the texts name, sorted and without duplicates. "Unemployment" does
// not name employment, since a pattern matches only at the beginning of a word.
func (m matcher) find(texts ...string) []sources.Topic {
	var found []sources.Topic
	for _, text := range texts {
		text = strings.ToLower(text)
		for topic, p := range m {
			if !slices.Contains(found, topic) && p.MatchString(text) {
				found = append(found, topic)
			}
		}
	}
	slices.Sort(found)
	return found
}
