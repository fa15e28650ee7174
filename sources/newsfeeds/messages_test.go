package newsfeeds

import (
	"context"
	"strings"
	"testing"

	"github.com/mmcdole/gofeed"

	"labour/sources"
)

// TestMistakesOfAFeedAreNamed, each with its own words.
func TestMistakesOfAFeedAreNamed(t *testing.T) {
	for says, change := range map[string]func(*Feed){
		`url "file:///x" must be an http(s) address`: func(f *Feed) { f.URL = "file:///x" },
		"must be an http(s) address": func(f *Feed) {
			f.URL = "https://office.example/\x7f"
		},
		`id "A" must be lower-case letters, digits and underscores`:         func(f *Feed) { f.ID = "A" },
		`configure labour_market_news: feeds[0]: source "news_office": pub`: func(f *Feed) { f.Publisher = " " },
	} {
		f := feed("https://office.example")
		change(&f)
		if list, err := New(Config{Feeds: []Feed{f}}); list != nil || err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
	given := []Feed{feed("https://office.example")}
	list, err := New(Config{Feeds: given})
	if err != nil || len(list) != 1 || given[0].Cadence != "" {
		t.Fatalf("%v, %v: the defaults are set in a copy", given, err)
	}
	i := list[0].Info()
	if i.Key != "news_office" || i.Kind != sources.KindNews || !i.ListsLiveOnly || i.HasAdverts || i.IsReference ||
		i.Publisher != "Office for Examples" || i.Statement != sources.StatementOGL {
		t.Errorf("%+v", i)
	}
	own := feed("https://office.example")
	own.Link, own.Cadence = "https://office.example/about", sources.Daily
	if i := newSource(t, own).Info(); i.Link != own.Link || i.Cadence != sources.Daily {
		t.Errorf("what is configured is not kept: %+v", i)
	}
}

// TestItemsAreCountedFromOne, those without a topic too, and a headline takes its id and day from
// what is there.
func TestItemsAreCountedFromOne(t *testing.T) {
	text := `<rss version="2.0"><channel><item><title>Weather</title></item><item><title>Apprenticeships</title></item>` +
		`<item><title>x</title><category>Skills</category><link>https://o.example/1</link>` +
		`<pubDate>2026-11-10</pubDate></item></channel></rss>`
	parsed, err := parse(context.Background(), []byte(text), Feed{ID: "office"})
	if err != nil || len(parsed.Faults) != 1 || parsed.Faults[0].Where != "item 2" || len(parsed.Records) != 1 {
		t.Fatalf("%+v, %v", parsed, err)
	}
	h := parsed.Records[0].(sources.Headline)
	if h.ID != "https://o.example/1" || h.Source != "news_office" || len(h.Topics) != 1 || h.Topics[0] != "skills" {
		t.Errorf("%+v", h)
	}
	h, err = headlineOf(&gofeed.Item{Updated: "2026-11-11", GUID: "7", Link: "https://o.example/2"})
	if err != nil || h.ID != "7" || h.Published.String() != "2026-11-11" || h.Link != "https://o.example/2" {
		t.Errorf("%+v, %v", h, err)
	}
}
