package newsfeeds

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/sources"
	"labour/sources/sourcetest"
)

func feed(base string) Feed {
	return Feed{ID: "office", URL: base + "/feed", Publisher: "Office for Examples",
		Licence: "Open Government Licence v3.0", Statement: string(sources.StatementOGL)}
}

func newSource(t testing.TB, f Feed) sources.Source {
	t.Helper()
	list, err := New(Config{Feeds: []Feed{f}})
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

func headline(id, day, link string, topics ...sources.Topic) sources.Headline {
	d, err := sources.ParseDate(day)
	if err != nil {
		panic(err)
	}
	return sources.Headline{Source: "news_office", ID: id, Published: d, Topics: topics, Link: link}
}

// TestSuite puts the connector through everything that a publisher and an archive can
// do to it, in both formats.
func TestSuite(t *testing.T) {
	for format, want := range map[string][]sources.Record{
		"rss.xml": {headline("office-2026-1112", "2026-11-12", "https://office.example/releases/labour-market-november",
			"pay", "vacancies"),
			headline("https://office.example/releases/small-areas", "2026-11-03",
				"https://office.example/releases/small-areas", "unemployment"),
			headline("office-report", "2026-11-02", "https://office.example/releases/report", "skills"),
			headline("https://office.example/releases/future", "2099-11-02", "https://office.example/releases/future",
				"pay")},
		"atom.xml": {headline("tag:institute.example,2026:1", "2026-11-10", "https://institute.example/hiring",
			"recruitment"),
			headline("tag:institute.example,2026:2", "2026-10-01", "https://institute.example/pay?a=1&b=2",
				"hours_and_contracts", "pay")},
	} {
		t.Run(format, func(t *testing.T) {
			c := sourcetest.Case{
				NewSource: func(base string) sources.Source { return newSource(t, feed(base)) },
				Publisher: sourcetest.ServeBodies(map[string]string{"/feed": sourcetest.ReadSample(t, format)}),
				WantTerms: sources.Terms{MayFetch: true},
				CheckRecords: func(t *testing.T, records []sources.Record) {
					if diff := cmp.Diff(want, records); diff != "" {
						t.Error(diff)
					}
				},
			}
			if format == "rss.xml" { // no date, no link
				c.WantFaults = []sources.FaultCode{sources.FaultBadValue, sources.FaultBadValue}
			}
			sourcetest.Run(t, c)
		})
	}
}

func TestTopics(t *testing.T) {
	m := newMatcher()
	for title, want := range map[string][]sources.Topic{
		"Unemployment rises":                       {"unemployment"},
		"Employment and unemployment":              {"employment", "unemployment"},
		"The payments system":                      nil,
		"PAY: what next?":                          {"pay"},
		"Bootcamps and retraining for apprentices": {"apprenticeships", "skills"},
		"Jobs at risk; zero-hours contracts":       {"hours_and_contracts", "job_losses"},
		"":                                         nil,
	} {
		if got := m.find(title); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", title, got, want)
		}
	}
	if names := regexp.MustCompile(`(?m)^[a-z_]+\t`).FindAllString(topicsTSV, -1); !slices.IsSorted(names) ||
		len(names) != len(m) {
		t.Errorf("topics are out of order or there twice: %v", names)
	}
}

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want sources.FaultCode
	}{
		"html":     {"<!DOCTYPE html><html></html>", sources.FaultWrongFormat},
		"json":     {`{"items": []}`, sources.FaultWrongFormat},
		"sitemap":  {`<?xml version="1.0"?><urlset></urlset>`, sources.FaultWrongFormat},
		"deep":     {`<rss version="2.0"><channel>` + strings.Repeat("<a>", 100_000), sources.FaultWrongFormat},
		"no items": {`<rss version="2.0"><channel><title>x</title></channel></rss>`, sources.FaultSuddenlyEmpty},
	} {
		if _, err := parse(context.Background(), []byte(c.text), Feed{}); sources.FaultCodeOf(err) != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

func TestConfig(t *testing.T) {
	ok := feed("https://office.example")
	change := func(f func(*Feed)) []Feed { x := ok; f(&x); return []Feed{x} }
	for name, list := range map[string][]Feed{
		"none": nil, "twice": {ok, ok},
		"no licence":   change(func(f *Feed) { f.Licence = " " }),
		"no statement": change(func(f *Feed) { f.Statement = "" }),
		"no publisher": change(func(f *Feed) { f.Publisher = "" }),
		"no address":   change(func(f *Feed) { f.URL = "" }),
		"a file":       change(func(f *Feed) { f.URL = "file:///etc/passwd" }),
		"bad id":       change(func(f *Feed) { f.ID = "Office News" }),
		"bad link":     change(func(f *Feed) { f.Link = "office" }),
		"bad cadence":  change(func(f *Feed) { f.Cadence = "often" }),
	} {
		if _, err := New(Config{Feeds: list}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	i := newSource(t, ok).Info()
	if i.Terms != (sources.Terms{MayFetch: true}) || i.Link != "https://office.example/" || i.Cadence != sources.Weekly {
		t.Errorf("%+v: a summary is permitted only where the configuration says so", i)
	}
	ok.MaySummarise = true
	if i := newSource(t, ok).Info(); !i.Terms.MaySummarise || i.Terms.MayRepublish || i.Terms.MayCount {
		t.Errorf("%+v", i.Terms)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sourcetest.ReadSample(f, "rss.xml")))
	f.Add([]byte(sourcetest.ReadSample(f, "atom.xml")))
	f.Add([]byte(strings.Repeat("<a>", 100)))
	f.Fuzz(func(t *testing.T, text []byte) {
		parsed, err := parse(context.Background(), text, Feed{})
		if err != nil && sources.FaultCodeOf(err) == sources.FaultUnavailable {
			t.Errorf("an error without a named outcome: %v", err)
		}
		for _, r := range parsed.Records {
			if h := r.(sources.Headline); len(h.Topics) == 0 || h.Link == "" {
				t.Errorf("%+v", h)
			}
		}
	})
}
