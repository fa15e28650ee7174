// Package newsfeeds reads RSS and Atom feeds of labour market news and reduces each item to its
// topics, day and link. It maps the title and the categories of an item to topics from a fixed
// list, and skips items without a topic. None of the publishers' words leave this package; texts,
// authors and pictures are never read.
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

// KeyPrefix begins the source key of every news feed. The feed's id follows it, as in "news_ons".
const KeyPrefix = "news_"

// Config is the block `labour_market_news` of the configuration file.
type Config struct {
	Feeds []Feed `yaml:"feeds"` // news feeds to read
}

// Feed configures one publisher's news feed.
type Feed struct {
	// ID names the feed permanently, in lower-case letters, digits and underscores. The source key
	// of the feed is news_ and this id.
	ID string `yaml:"id"`
	// URL is the address of the RSS or Atom feed.
	URL string `yaml:"url"`
	// Publisher is the name of the publisher, as written within a sentence.
	Publisher string `yaml:"publisher"`
	// Licence is the name of the licence or of the publisher's terms.
	Licence string `yaml:"licence"`
	// Statement is the attribution statement to show with the feed's data.
	Statement string `yaml:"attribution_statement"`
	// Link is the web page about the feed for people; empty = the host of the feed's address.
	Link string `yaml:"link"`
	// Cadence is how often to expect at least one new item; empty = weekly.
	Cadence sources.Cadence `yaml:"cadence"`
	// MaySummarise is true if the publisher's terms permit a summary in our own words. If the
	// licence is known too, headlines of the feed are published as evidence of the kind news.
	MaySummarise bool `yaml:"may_summarise"`
}

// New checks the configuration and returns one source for each feed. The error lists all mistakes.
// Each source emits a sources.Headline for every news item with a known topic.
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

// complete sets the defaults of a feed's configuration and then checks it.
func (f *Feed) complete() error {
	u, err := url.Parse(f.URL)
	if err != nil || !sources.IsWebAddress(f.URL) {
		return fmt.Errorf("url %q must be an http(s) address", f.URL)
	}
	if err := sources.CheckConfigID(f.ID); err != nil {
		return err
	}
	f.Link = cmp.Or(f.Link, u.Scheme+"://"+u.Host+"/")
	f.Cadence = cmp.Or(f.Cadence, sources.Weekly)
	return f.info().Validate()
}

// info describes the feed as a source: its key, publisher, licence and terms.
func (f *Feed) info() sources.Info {
	return sources.Info{
		Key: KeyPrefix + f.ID, Publisher: strings.TrimSpace(f.Publisher), Title: "News on the labour market",
		Kind:    sources.KindNews,
		Licence: f.Licence, Link: f.Link, Statement: sources.AttributionStatement(f.Statement), Cadence: f.Cadence,
		Terms:         sources.Terms{MayFetch: true, MaySummarise: f.MaySummarise},
		ListsLiveOnly: true, // a feed contains only the newest items
	}
}

const (
	objectName = "feed.xml"
	// maxFeed is the size limit of a feed, in bytes. A feed of a few hundred items has about 2 MB.
	maxFeed = 16 << 20
)

func (f *Feed) source() sources.Source {
	return filelist.Files[Feed]{SourceInfo: f.info(), ConfigField: "feeds", Entries: []Feed{*f}, ParseFile: parse,
		MayBeEmpty: true,
		RequestOf: func(f Feed) sources.Request {
			return sources.Request{Name: objectName, URL: f.URL, Accept: sources.AcceptXML, MaxBytes: maxFeed}
		}}
}

// parse reads the items of an RSS or Atom feed. An error has a sources.FaultCode.
func parse(_ context.Context, text []byte, f Feed) (parsed filelist.ParsedFile, err error) {
	text, err = plaintext.RepairXML(text)
	if err = cmp.Or(err, sources.AcceptXML("", text), sources.CheckXMLSize(text)); err != nil {
		return parsed, err
	}
	feed, err := gofeed.NewParser().Parse(bytes.NewReader(text))
	if err != nil {
		return parsed, sources.CodedErrorf(sources.FaultWrongFormat, "neither RSS nor Atom: %.200s", err.Error())
	}
	if len(feed.Items) == 0 {
		return parsed, sources.CodedErrorf(sources.FaultSuddenlyEmpty,
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

// headlineOf returns the id, day and link of a feed's item. The caller sets the topics.
func headlineOf(item *gofeed.Item) (h sources.Headline, err error) {
	published, dated := dates.ParseDayFirst(cmp.Or(item.Published, item.Updated))
	u, err := url.Parse(item.Link)
	switch {
	case !dated:
		return h, errors.New("the item has no date that can be read")
	case err != nil || !sources.IsWebAddress(item.Link) || u.User != nil:
		return h, errors.New("the item has no http(s) link to cite")
	case plaintext.URLHasContacts(item.Link):
		return h, errors.New("the item's link contains an e-mail address or a telephone number")
	}
	return sources.Headline{ID: cmp.Or(item.GUID, item.Link), Published: published, Link: u.String()}, nil
}

// topicsTSV lists the topics of labour market news. Each line has a topic and the patterns that find
// it in a text.
//
//go:embed topics.tsv
var topicsTSV string

// matcher finds the topics of a news item. It holds a regular expression for each topic.
type matcher map[sources.Topic]*regexp.Regexp

// newMatcher returns a matcher for the topics and patterns in topics.tsv. Patterns match whole
// words. A pattern that ends in * matches every word that begins with it.
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

// find returns the sorted topics that the texts mention. Only whole words count, so "unemployment"
// does not mention the topic "employment".
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
