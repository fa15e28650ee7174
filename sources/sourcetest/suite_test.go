package sourcetest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"labour/sources"
	"labour/sources/sourcetest"
)

// places is a small connector with an index and one object per place.
type places struct{ base string }

func (p places) Info() sources.Info {
	return sources.Info{
		Key: "places", Publisher: "Office of Places", Title: "Places", Kind: sources.KindGeography,
		Licence: "Open Government Licence v3.0", Link: "https://places.example/",
		Statement: sources.StatementOGL, Cadence: sources.Annual,
		Terms: sources.Terms{MayFetch: true, MayCount: true, MayRepublish: true},
	}
}

func (p places) Fetch(ctx context.Context, f sources.Fetcher) error {
	key, ok := f.Secret("PLACES_KEY")
	if !ok {
		return fmt.Errorf("set PLACES_KEY to the key of the Office of Places")
	}
	index, err := f.Get(ctx, sources.Request{Name: "index", URL: p.base + "/index.json?api_key=" + key,
		Accept: sources.AcceptJSON})
	if err != nil {
		return fmt.Errorf("fetch the index: %w", err)
	}
	var names []string
	if err := read(f, index, &names); err != nil {
		return err
	}
	for _, n := range names {
		if _, err := f.Get(ctx, sources.Request{
			Name: "place/" + n, URL: p.base + "/" + n + ".json",
			Header: map[string]string{"X-Key": key}, Accept: sources.AcceptJSON,
		}); err != nil {
			f.MarkFailed("place/"+n, err)
		}
	}
	return nil
}

func read(open sources.Opener, o sources.ArchivedObject, v any) error {
	b, err := open.Open(o)
	if err != nil {
		return err
	}
	defer b.Close()
	all, err := io.ReadAll(b)
	if err != nil {
		return err
	}
	return json.Unmarshal(all, v)
}

func (p places) Read(ctx context.Context, x sources.Extract, open sources.Opener, out sources.RecordSink) error {
	for _, o := range x.Objects {
		if o.Name == "index" {
			continue
		}
		var b sources.Borough
		if err := read(open, o, &b); err != nil {
			code := sources.FaultCodeOf(err)
			if code == sources.FaultUnavailable {
				code = sources.FaultNotJSON
			}
			out.Fault(sources.Fault{Source: x.Source, Object: o.Name, Code: code, Detail: err.Error()})
			continue
		}
		if err := out.Emit(b); err != nil {
			return err
		}
	}
	return nil
}

func TestSuite(t *testing.T) {
	sourcetest.Run(t, sourcetest.Case{
		NewSource: func(base string) sources.Source { return places{base} },
		Publisher: sourcetest.ServeBodies(map[string]string{
			"/index.json":     `["camden","islington"]`,
			"/camden.json":    `{"Slug":"camden","Name":"Camden","Code":"E09000007"}`,
			"/islington.json": `{"Slug":"islington","Name":"Islington","Code":"E09000019"}`,
		}),
		Secrets:   map[string]string{"PLACES_KEY": "s3cret/key+of=places"},
		WantTerms: sources.Terms{MayFetch: true, MayCount: true, MayRepublish: true},
		CheckRecords: func(t *testing.T, records []sources.Record) {
			if len(records) != 2 || records[0].(sources.Borough).Name != "Camden" {
				t.Errorf("got %+v", records)
			}
		},
	})
}

func TestFindContacts(t *testing.T) {
	for text, want := range map[string]int{
		"write to jo.bloggs@acme.example today": 1, "ring 020 7946 0958": 1, "ring +44 (0)20 7946 0958": 1,
		"call 07700900123.": 1, "£30,000 to £40,000 in 2026": 0, "closes 2026-11-20": 0, "SOC 2136, level 3": 0, "": 0,
	} {
		if got := sourcetest.FindContacts(sources.Advert{Text: text}); len(got) != want {
			t.Errorf("FindContacts(%q) = %v, want %d", text, got, want)
		}
	}
	nested := sources.Advert{Locations: []sources.Location{{Text: "a@b.example"}}}
	if got := sourcetest.FindContacts(nested); len(got) != 1 {
		t.Errorf("nested: %v", got)
	}
	if got := sourcetest.FindContacts(sources.Advert{Link: "https://x.example/jobs/07700900123"}); len(got) != 0 {
		t.Errorf("digits of a link: %v", got)
	}
}
