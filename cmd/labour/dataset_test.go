package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
)

// command runs one command of the program as the operator would.
func (p *published) command(want int, args ...string) string {
	p.t.Helper()
	var out bytes.Buffer
	p.app.stdout, p.app.stderr = &out, &out
	if got := run(append(args, "--data", p.data), p.app); got != want {
		p.t.Fatalf("labour %s ended with %d, want %d:\n%s", strings.Join(args, " "), got, want, out.String())
	}
	return out.String()
}

// next makes the next snapshot from what was fetched before, checks and mounts it.
func (p *published) next() snapshots.Manifest {
	p.t.Helper()
	ctx := context.Background()
	*p.clock = p.clock.Add(time.Hour)
	built, err := pipeline.Build(ctx, p.options)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := pipeline.Promote(ctx, p.options, built.ID); err != nil {
		p.t.Fatal(err)
	}
	store, err := store.Open(p.data)
	if err != nil {
		p.t.Fatal(err)
	}
	p.reload()
	m, err := store.Manifest(built.ID)
	if err != nil {
		p.t.Fatal(err)
	}
	return m
}

// light makes a light snapshot and mounts it.
func (p *published) light() {
	p.t.Helper()
	*p.clock = p.clock.Add(time.Hour)
	light := p.options
	light.IsLight = true
	if _, err := pipeline.Run(context.Background(), light); err != nil {
		p.t.Fatal(err)
	}
	p.reload()
}

// refused asks for a dataset that must not be answered.
func (p *published) refused(name string) {
	p.t.Helper()
	response := p.request("/v1/labour/"+name, nil)
	defer response.Body.Close()
	var body struct {
		Error struct{ Code, Message string }
	}
	if err := json.NewDecoder(response.Body).Decode(&body); err != nil {
		p.t.Fatal(err)
	}
	d, _ := snapshots.FindEmbargoedDataset(name)
	if response.StatusCode != http.StatusForbidden || body.Error.Code != "dataset_not_open" ||
		!strings.Contains(body.Error.Message, d.Condition) {
		p.t.Errorf("%s: status %d, %+v", name, response.StatusCode, body.Error)
	}
}

// embargoedRows reads an embargoed dataset of a snapshot, open or not.
func embargoedRows[T any](p *published, id snapshots.ID, name string) []T {
	p.t.Helper()
	store, err := store.Open(p.data)
	if err != nil {
		p.t.Fatal(err)
	}
	rows, err := parquetio.ReadAll[T](snapshots.JoinPath(store.SnapshotDir(id), snapshots.EmbargoedFileName(name)))
	if err != nil {
		p.t.Fatal(err)
	}
	return rows
}

// TestDatasetsAreOpenedAndClosed walks the way of an embargoed dataset: built and refused,
// opened on evidence, answered from the next snapshot with its sources, shown to
// auditors, closed, and refused again.
func TestDatasetsAreOpenedAndClosed(t *testing.T) {
	longOnly(t)
	p := publish(t)
	first, err := currentManifest(p.data)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range first.Embargoed {
		if h.Open || h.Rows == nil || *h.Rows == 0 {
			t.Errorf("%s is not built and embargoed: %+v", h.Name, h)
		}
		p.refused(h.Name)
	}
	closed := map[string]int{"signals": len(embargoedRows[snapshots.SignalsRow](p, first.ID, "signals")),
		"priorities": len(embargoedRows[snapshots.PrioritiesRow](p, first.ID, "priorities"))}

	const evidence = "https://works.example/decisions/7"
	for _, h := range snapshots.EmbargoedDatasets() {
		p.command(cli.ExitDone, "dataset", "open", h.Name, "--evidence", evidence, "--by", "Data board")
		p.refused(h.Name) // until the next snapshot
	}
	second := p.next()
	p.openIsAnswered(second, evidence)
	for name, field := range map[string]string{"signals": "news_institute", "priorities": "plan_west_london",
		"outlook": "skills_imperative_2035"} {
		for _, s := range p.get("/v1/labour/"+name, url.Values{"limit": {"200"}}).Sources {
			if s.Key == field {
				t.Errorf("%s is open and shows %s, whose terms do not permit it", name, field)
			}
		}
	}
	if n := len(embargoedRows[snapshots.SignalsRow](p, second.ID, "signals")); n == 0 || n >= closed["signals"] {
		t.Errorf("%d signals are open, %d were embargoed: what may not be summarised must be left out", n,
			closed["signals"])
	}
	if n := len(embargoedRows[snapshots.PrioritiesRow](p, second.ID, "priorities")); n == 0 ||
		n >= closed["priorities"] {
		t.Errorf("%d priorities are open, %d were embargoed: an unknown licence must be left out", n,
			closed["priorities"])
	}
	if shown := p.command(cli.ExitDone, "snapshot", "show", string(second.ID)); !strings.Contains(shown, evidence) ||
		!strings.Contains(shown, "Data board") {
		t.Errorf("an auditor does not see the evidence:\n%s", shown)
	}
	if list := p.command(cli.ExitDone, "dataset", "list"); strings.Count(list, evidence) != 6 ||
		strings.Count(list, "2026-11-20") != 6 {
		t.Errorf("dataset list:\n%s", list)
	}

	p.command(cli.ExitDone, "dataset", "close", "signals")
	p.light()
	p.refused("signals") // a closing does not wait for a whole run
	p.command(cli.ExitDone, "dataset", "open", "signals", "--evidence", evidence)
	p.light()
	p.refused("signals") // an opening does
	p.command(cli.ExitDone, "dataset", "close", "reach")
	p.command(cli.ExitUsage, "dataset", "close", "reach")
	p.command(cli.ExitUsage, "dataset", "open", "wages", "--evidence", evidence)
	third := p.next()
	p.refused("reach")
	if len(p.get("/v1/labour/demand", nil).Data) == 0 || len(p.get("/v1/labour/signals", nil).Data) == 0 ||
		third.EmbargoedNamed("reach").Evidence != "" || *third.EmbargoedNamed("reach").Rows == 0 {
		t.Errorf("closing one changed another, or it is not built any more: %+v", third.Embargoed)
	}
}

// openIsAnswered: every dataset answers in the envelope with the statement of each
// source that a row names.
func (p *published) openIsAnswered(m snapshots.Manifest, evidence string) {
	p.t.Helper()
	for _, h := range m.Embargoed {
		if !h.Open || h.Evidence != evidence || h.DecidedBy != "Data board" || h.DecidedOn.String() != "2026-11-20" {
			p.t.Errorf("%+v", h)
		}
		query := url.Values{"limit": {"200"}}
		if h.Name == "trends" {
			query.Set("digits", "1")
		}
		e := p.get("/v1/labour/"+h.Name, query)
		if len(e.Data) == 0 || len(e.Sources) == 0 {
			p.t.Errorf("%s: %d rows of %d sources", h.Name, len(e.Data), len(e.Sources))
		}
		listed := map[string]bool{}
		for _, s := range e.Sources {
			listed[s.Key] = s.AttributionStatement != ""
		}
		for _, row := range e.Data {
			keys, _ := row["source_keys"].([]any)
			if keys == nil {
				keys = []any{row["source_key"]}
			}
			for _, key := range keys {
				if !listed[key.(string)] {
					p.t.Errorf("%s: %v has no statement", h.Name, key)
				}
			}
		}
	}
}
