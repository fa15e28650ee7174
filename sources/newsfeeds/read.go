package newsfeeds

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/mmcdole/gofeed"

	"labour/sources"
)

const (
	objectName = "feed.xml"
	// maxFeed bounds a feed; a few hundred items with their texts have some 2 MB.
	maxFeed = 16 << 20
	// maxFaults bounds the faults that are reported of one feed.
	maxFaults = 20
)

// Fetch downloads the feed. One that cannot be read, or that has become empty, is not taken over.
func (s *Source) Fetch(ctx context.Context, f sources.Fetcher) error {
	r := sources.Request{Name: objectName, URL: s.feed.URL, Accept: sources.AcceptXML, MaxBytes: maxFeed}
	err := sources.FetchWhole(ctx, f, r, func(text []byte) error {
		_, err := parse(text)
		return err
	})
	if err != nil {
		f.Failed(objectName, err)
		return fmt.Errorf("feed %s: %w", s.feed.ID, err)
	}
	return nil
}

// open reads an archived feed to its end, where the archive checks it.
func open(from sources.Opener, o sources.Object) (*gofeed.Feed, error) {
	text, err := sources.ReadWhole(from, o)
	if err != nil {
		return nil, err
	}
	return parse(text)
}

// parse reads a feed. An error has a sources.FaultCode.
func parse(text []byte) (*gofeed.Feed, error) {
	if err := errors.Join(sources.AcceptXML("", text), sources.BoundXML(text)); err != nil {
		return nil, err
	}
	feed, err := gofeed.NewParser().Parse(bytes.NewReader(text))
	if err != nil {
		return nil, sources.Coded(sources.FaultNotExpected, fmt.Errorf("neither RSS nor Atom: %.200s", err.Error()))
	}
	if len(feed.Items) == 0 {
		return nil, sources.Coded(sources.FaultEmpty, errors.New("the feed has no item; open its address in a browser to see what it has become"))
	}
	return feed, nil
}

// Read turns the items that are about a topic into sources.Headline, in their order.
func (s *Source) Read(ctx context.Context, x sources.Extract, from sources.Opener, out sources.Sink) error {
	r := reader{key: s.Info().Key, out: out, topics: newMatcher()}
	for _, o := range x.Objects {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read feed: %w", err)
		}
		feed, err := open(from, o)
		if err != nil {
			if err := sources.DataFault(out, r.key, o.Name, err); err != nil {
				return err
			}
			continue
		}
		for i, item := range feed.Items {
			if err := r.item(o.Name, i, item); err != nil {
				return err
			}
		}
	}
	return nil
}

type reader struct {
	key    string
	out    sources.Sink
	topics matcher
	faults int
}

// item takes one item. What is about no topic is passed over.
func (r *reader) item(object string, i int, item *gofeed.Item) error {
	if item == nil {
		return nil
	}
	found := r.topics.find(append([]string{item.Title}, item.Categories...)...)
	if len(found) == 0 {
		return nil
	}
	published := item.PublishedParsed
	if published == nil {
		published = item.UpdatedParsed
	}
	u, err := url.Parse(item.Link)
	where := fmt.Sprintf("item %d", i+1)
	switch {
	case published == nil:
		return r.fault(object, where, "the item has no date that can be read")
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil:
		return r.fault(object, where, "the item has no http(s) link to cite")
	}
	return r.out.Emit(sources.Headline{Source: r.key, ID: cmp.Or(item.GUID, item.Link), Published: sources.DateOf(published.UTC()), Topics: found, Link: u.String()})
}

// fault reports the first faults of a feed.
func (r *reader) fault(object, where, detail string) error {
	if r.faults++; r.faults <= maxFaults {
		r.out.Fault(sources.Fault{Source: r.key, Object: object, Where: where, Code: sources.FaultValue, Detail: detail})
	}
	return nil
}

// topic is one subject with the words by which a title names it.
type topic struct {
	name sources.Topic
	cues []string // in lower case; each matches at the beginning of a word
}

// topics is the closed list, in the order of their names. A cue is a whole word or
// several, or the beginning of one where it ends in *.
func topics() []topic {
	return []topic{
		{"apprenticeships", []string{"apprentice*", "apprenticeship*"}},
		{"economic_inactivity", []string{"economic inactivity", "economically inactive"}},
		{"employment", []string{"employment", "employment rate", "payrolled employees", "in work"}},
		{"hours_and_contracts", []string{"zero hours", "zero-hours", "hours worked", "flexible working", "part-time work"}},
		{"job_losses", []string{"redundanc*", "job losses", "job cuts", "jobs at risk"}},
		{"pay", []string{"pay", "wage*", "earnings", "salar*", "minimum wage", "living wage"}},
		{"productivity", []string{"productivity"}},
		{"recruitment", []string{"recruit*", "hiring", "job creation", "new jobs"}},
		{"skills", []string{"skills", "skills gap*", "skills shortage*", "training", "bootcamp*", "retraining"}},
		{"unemployment", []string{"unemploy*", "claimant count", "jobless*"}},
		{"vacancies", []string{"vacanc*", "job advert*", "job postings"}},
	}
}

// matcher finds the topics of a title.
type matcher struct {
	names    []sources.Topic
	patterns []*regexp.Regexp
}

// newMatcher compiles the list: words are bounded by anything that is no letter.
func newMatcher() matcher {
	var m matcher
	for _, t := range topics() {
		var words []string
		for _, cue := range t.cues {
			word, open := strings.CutSuffix(cue, "*")
			word = regexp.QuoteMeta(word)
			if open {
				word += `\pL*`
			}
			words = append(words, word)
		}
		m.names = append(m.names, t.name)
		m.patterns = append(m.patterns, regexp.MustCompile(`(^|[^\pL])(`+strings.Join(words, "|")+`)([^\pL]|$)`))
	}
	return m
}

// find are the topics that the texts name, sorted, each once. "Unemployment" does not
// name employment, since a cue begins a word.
func (m matcher) find(texts ...string) []sources.Topic {
	var found []sources.Topic
	for _, text := range texts {
		text = strings.ToLower(text)
		for i, p := range m.patterns {
			if !slices.Contains(found, m.names[i]) && p.MatchString(text) {
				found = append(found, m.names[i])
			}
		}
	}
	slices.Sort(found)
	return found
}
