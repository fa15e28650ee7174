package main

import (
	"bytes"
	"context"
	crand "crypto/rand"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/cmd/internal/cli"
	"labour/serve/partners/access"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// eventsOfThree are events of each type, of two partners and of none. The ids of
// events that only one partner may see begin with "own-", and of those that nobody may see with "nobody-".
func eventsOfThree() []snapshots.EventsRow {
	var rows []snapshots.EventsRow
	for _, partner := range []string{"", "North Works", "South Works"} {
		for i, kind := range []string{"application.created", "click.recorded", "outcome.recorded",
			"opportunity.published"} {
			id := fmt.Sprint("open-", i)
			switch {
			case partner != "":
				id = fmt.Sprintf("own-%s-%d", partner[:5], i)
			case i%2 == 0:
				id = fmt.Sprint("nobody-", i)
			}
			advert := "advert-of-" + id
			rows = append(rows, snapshots.EventsRow{ID: id, Type: kind, Partner: partner, Advert: &advert,
				OccurredAt: time.Date(2026, 11, 19, 8, 10*i, 0, 0, time.UTC)})
		}
	}
	return rows
}

// TestEventsAreTheirPartnersOnly asks as two partners and as a third that has no events,
// for every type, on the server that made the snapshot and on one that pulled it; and it
// looks for the partners' events in all that is copied and published.
func TestEventsAreTheirPartnersOnly(t *testing.T) {
	p := &published{t: t, data: t.TempDir(), app: &app{stdout: io.Discard, stderr: io.Discard,
		now:    func() time.Time { return testDay },
		random: crand.Reader, getenv: func(string) (string, bool) { return "", false }, version: "test"}}
	c := snaptest.DefaultContent(t, "2026-11-20")
	c.Events = eventsOfThree()
	id := snaptest.BuildSnapshot(t, p.data, "2026-11-20", c)
	p.serve()
	open := []string{"open-1", "open-3"}
	p.eventsAre("North Works", append([]string{"own-North-0", "own-North-1", "own-North-2", "own-North-3"}, open...),
		"")
	p.eventsAre("South Works", append([]string{"own-South-0", "own-South-1", "own-South-2", "own-South-3"}, open...),
		"")
	p.eventsAre("East Works", open, "")
	p.pagesHoldNone(id)

	bucket, replica := t.TempDir(), &published{t: t, data: t.TempDir(), app: p.app}
	address := "file://" + filepath.ToSlash(bucket)
	if err := p.app.publishSnapshot(context.Background(),
		&publishOptions{listOptions: listOptions{DataFlag: cli.DataFlag{Data: p.data}}, Destination: address},
		nil); err != nil {
		t.Fatal(err)
	}
	snaptest.MakeRemovable(t, replica.data)
	if err := p.app.pullSnapshot(context.Background(),
		&pullOptions{listOptions: listOptions{DataFlag: cli.DataFlag{Data: replica.data}}, From: address,
			Promote: true}, nil); err != nil {
		t.Fatal(err)
	}
	own, err := filepath.Glob(filepath.Join(p.data, store.PartnersDirName, string(id), "*.parquet"))
	if err != nil || len(own) != 2 || len(partnersIn(t, own[0])) == 0 {
		t.Fatalf("the look into files finds nothing in %v, %v", own, err)
	}
	for _, dir := range []string{snapshots.SnapshotsDir(p.data), bucket, replica.data} {
		if n := holdsNone(t, dir); n < 30 {
			t.Errorf("%s: looked into %d files", dir, n)
		}
	}
	replica.serve()
	replica.eventsAre("North Works", open, "does not have the events of partners")
	copied := &published{t: t, data: t.TempDir(), app: p.app}
	if err := os.CopyFS(filepath.Join(copied.data, store.PartnersDirName),
		os.DirFS(filepath.Join(p.data, store.PartnersDirName))); err != nil {
		t.Fatal(err)
	}
	snaptest.MakeRemovable(t, copied.data)
	if err := p.app.pullSnapshot(context.Background(),
		&pullOptions{listOptions: listOptions{DataFlag: cli.DataFlag{Data: copied.data}}, From: address, Promote: true},
		nil); err != nil {
		t.Fatal(err)
	}
	copied.serve()
	copied.eventsAre("South Works", append([]string{"own-South-0", "own-South-1", "own-South-2", "own-South-3"},
		open...), "")
}

// eventsAre asks for all events and for those of each type; note is a part of meta.note.
func (p *published) eventsAre(partner string, want []string, note string) {
	p.t.Helper()
	_, secret, err := p.service.stores.Keys.CreateKey(p.t.Context(),
		access.KeyRequest{Partner: partner, Plan: access.PlanPartner,
			Scopes: access.Scopes()})
	if err != nil {
		p.t.Fatal(err)
	}
	defer func(before string) { p.secret = before }(p.secret)
	p.secret = secret
	var one []string
	for i, kind := range []string{"", "application.created", "click.recorded", "outcome.recorded",
		"opportunity.published"} {
		query := url.Values{"since": {"2026-11-01T00:00:00Z"}}
		if kind != "" {
			query.Set("type", kind)
		}
		answer := p.object("/v1/events", query)
		var got []string
		for _, row := range answer["data"].([]any) {
			got = append(got, row.(map[string]any)["id"].(string))
		}
		expected := slices.DeleteFunc(slices.Clone(want),
			func(id string) bool { return kind != "" && !strings.HasSuffix(id, fmt.Sprint("-", i-1)) })
		slices.Sort(expected)
		slices.Sort(got)
		meta := answer["meta"].(map[string]any)
		if told, _ := meta["note"].(string); !slices.Equal(got, expected) || meta["total"] != float64(len(expected)) ||
			!strings.Contains(told, note) || (told == "") != (note == "") {
			p.t.Errorf("%s, %q: %v of %v, want %v; note %q", partner, kind, got, meta["total"], expected, told)
		}
		if kind != "" {
			one = append(one, got...)
		}
	}
	if slices.Sort(one); len(one) != len(want) {
		p.t.Errorf("%s: of single types %v", partner, one)
	}
}

// pagesHoldNone follows the pages of the snapshots to every file that they offer.
func (p *published) pagesHoldNone(id snapshots.ID) {
	p.t.Helper()
	file := filepath.Join(p.t.TempDir(), "download")
	links := regexp.MustCompile(`href="(/snapshots/[^"]+)"`)
	next, seen := []string{"/snapshots/" + string(id)}, map[string]bool{}
	for ; len(next) > 0; next = next[1:] {
		if seen[next[0]] {
			continue
		}
		seen[next[0]] = true
		response, err := http.Get(p.server.URL + next[0])
		if err != nil {
			p.t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		if closeErr := response.Body.Close(); err != nil || closeErr != nil || response.StatusCode != http.StatusOK {
			p.t.Fatalf("%s: %d, %v, %v", next[0], response.StatusCode, err, closeErr)
		}
		for _, link := range links.FindAllSubmatch(body, -1) {
			next = append(next, string(link[1]))
		}
		if err := os.WriteFile(file, body, 0o600); err != nil {
			p.t.Fatal(err)
		}
		if found := partnersIn(p.t, file); len(found) > 0 {
			p.t.Errorf("%s holds %v", next[0], found)
		}
	}
	if len(seen) < 15 {
		p.t.Errorf("the pages offer %d addresses", len(seen))
	}
	for _, name := range []string{"tables/events.parquet", "../../partners/" + string(id) + "/index.json",
		"..%2f..%2fpartners%2f" + string(id) + "%2findex.json"} {
		response, err := http.Get(p.server.URL + "/snapshots/" + string(id) + "/files/" + name)
		if err != nil {
			p.t.Fatal(err)
		}
		if response.Body.Close(); response.StatusCode != http.StatusNotFound {
			p.t.Errorf("%s: status %d", name, response.StatusCode)
		}
	}
}

// holdsNone checks every file under a directory and returns their number.
func holdsNone(t *testing.T, dir string) (files int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			files++
			if found := partnersIn(t, path); len(found) > 0 {
				t.Errorf("%s holds %v", path, found)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// partnersIn are the texts of a file that only a partner, or nobody, may see: of its
// bytes and, where it is Parquet, of every column.
func partnersIn(t *testing.T, path string) (found []string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	look := func(text string) {
		for _, secret := range []string{"own-North", "own-South", "nobody-", "North Works", "South Works"} {
			if strings.Contains(text, secret) {
				found = append(found, secret)
			}
		}
	}
	look(string(b))
	if !bytes.HasPrefix(b, []byte("PAR1")) {
		return found
	}
	about, err := parquetio.ReadFooter(path)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range about.Columns {
		names = append(names, c.Name)
	}
	for values, err := range parquetio.ScanColumns(path, names) {
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range values {
			look(v.Text)
		}
	}
	return found
}
