package platform

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"labour/sources"
)

// lightFetcher notes what is fetched and what is kept. It calls nothing else.
type lightFetcher struct {
	sources.Fetcher
	index                 string
	gone                  string // a file that cannot be fetched
	fetched, kept, failed []string
}

func (f *lightFetcher) Get(_ context.Context, r sources.Request) (sources.ArchivedObject, error) {
	f.fetched = append(f.fetched, r.Name)
	if r.Name == f.gone {
		return sources.ArchivedObject{}, errors.New("no such file")
	}
	return sources.ArchivedObject{Name: r.Name}, nil
}

func (f *lightFetcher) MarkFailed(name string, _ error) { f.failed = append(f.failed, name) }

func (f *lightFetcher) KeepLast(name string) bool {
	f.kept = append(f.kept, name)
	return true
}

func (f *lightFetcher) Open(sources.ArchivedObject) (sources.Body, error) {
	return io.NopCloser(strings.NewReader(f.index)), nil
}

// Files of the kinds that are not fetched are kept as they were, so that the extract still lists
// them; a file of no kind is neither fetched nor kept.
func TestFilesOfOtherKindsAreKept(t *testing.T) {
	const index = `{"files":["residents.ndjson","adverts-1.ndjson","applications.ndjson.gz","events.ndjson","notes.txt"]}`
	all := []string{"adverts-1.ndjson", "applications.ndjson.gz", "events.ndjson", "residents.ndjson"}
	for _, c := range []struct {
		name          string
		kinds         []RecordKind
		fetched, kept []string
	}{
		{"every kind", nil, all, nil},
		{"adverts and events", []RecordKind{KindAdverts, KindEvents}, []string{all[0], all[2]}, []string{all[1], all[3]}},
		{"pathways", []RecordKind{KindPathways}, nil, all},
	} {
		f := &lightFetcher{index: index}
		if err := New(Config{FeedAddress: "https://feed.example", Kinds: c.kinds}).Fetch(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		if got := f.fetched[1:]; !slices.Equal(got, c.fetched) || !slices.Equal(f.kept, c.kept) {
			t.Errorf("%s: fetched %v, kept %v", c.name, got, f.kept)
		}
	}
}

// A file that cannot be fetched is reported, and the files after it are fetched all the same.
func TestFileThatCannotBeFetchedIsReported(t *testing.T) {
	f := &lightFetcher{index: `{"files":["adverts.ndjson","events.ndjson","residents.ndjson"]}`, gone: "events.ndjson"}
	if err := New(Config{FeedAddress: "https://feed.example"}).Fetch(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(f.failed, []string{f.gone}) || !slices.Contains(f.fetched, "residents.ndjson") {
		t.Errorf("failed %v, fetched %v", f.failed, f.fetched)
	}
}
