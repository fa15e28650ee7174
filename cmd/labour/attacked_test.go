package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/pipeline"
	"labour/pipeline/coding"
	"labour/pipeline/config"
	"labour/pipeline/disclosure/attack/crawl"
	"labour/pipeline/disclosure/madeup"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
	"labour/sources"
)

// attacker is the main function of the attacker.
func attacker() {
	if err := crawl.Main(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "attacker:", err)
		os.Exit(1)
	}
}

// attackedDay is when the worlds are published.
var attackedDay = time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)

// publish runs the pipeline on the world and serves the result. Clock and
// randomness are always the same, so that only data can make a difference.
func (w *attackedWorld) publish(t *testing.T, now time.Time) *published {
	t.Helper()
	dir := t.TempDir()
	w.feed(t, dir)
	a := &app{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}, now: func() time.Time { return now }, random: rand.NewChaCha8([32]byte{1}),
		getenv: func(string) (string, bool) { return "", false }, version: "test"}
	c, err := config.Load(filepath.Join(dir, "labour.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	p := &published{t: t, app: a, data: filepath.Join(dir, "data"), clock: &now}
	p.options = pipeline.Options{Config: c, Data: p.data, AsOf: sources.DateOf(now), Now: a.now, Log: slog.New(slog.DiscardHandler), ToolVersion: "test"}
	if result, err := pipeline.Run(context.Background(), p.options); err != nil || len(result.Failed) > 0 {
		t.Fatalf("run: %v, failed sources %v", err, result.Failed)
	}
	p.serve()
	return p
}

// truth is what the judge knows.
func (w *attackedWorld) truth(t *testing.T) crawl.Truth {
	t.Helper()
	registers, err := coding.LoadRegisters()
	if err != nil {
		t.Fatal(err)
	}
	reference := map[string]int{}
	for _, s := range registers.Skills.Skills() {
		reference[s.Slug] = int(s.Level)
	}
	known := crawl.Truth{Areas: w.Areas, People: w.skills, Registered: crawl.Registered{By: map[string]map[string]int64{"borough": {}, "level": {}, "sector": {}},
		Employed: map[string]int64{}, Below: map[string]map[string]int64{}}}
	for slug := range w.outside {
		known.Others = append(known.Others, slug)
	}
	for borough, n := range w.employed {
		known.Registered.Employed[borough] = int64(n)
	}
	r := &known.Registered
	for i := range w.residents * len(w.Places) {
		record := w.resident(i)
		borough := record["borough"].(string)
		r.Residents++
		r.By["borough"][borough]++
		if record["seeking_work"] == true {
			r.Seeking++
		}
		if sector, ok := record["sector_sought"].(string); ok {
			r.By["sector"][sector]++
		}
		held, best := map[string]int{}, 0
		skills, _ := record["skills"].([]map[string]any)
		for _, s := range skills {
			held[s["skill"].(string)] = s["level"].(int)
			best = max(best, s["level"].(int))
		}
		if best > 0 {
			r.By["level"][fmt.Sprint(best)]++
		}
		for _, skill := range w.slugs() {
			if r.Below[skill] == nil {
				r.Below[skill] = map[string]int64{}
			}
			if held[skill] < reference[skill] {
				r.Below[skill][borough]++
			}
		}
	}
	return known
}

// attack runs the attacker against a server, and gives its report and every answer
// that it got.
func (p *published) attack(known crawl.Truth, args ...string) (report crawl.Report, exchanges []crawl.Exchange) {
	p.t.Helper()
	dir := p.t.TempDir()
	truth, answers := filepath.Join(dir, "truth.json"), filepath.Join(dir, "exchanges.json")
	b, err := json.Marshal(known)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(truth, b, 0o600); err != nil {
		p.t.Fatal(err)
	}
	child := exec.Command("attacker", append([]string{"-base", p.server.URL, "-truth", truth, "-exchanges", answers}, args...)...)
	child.Env = append(os.Environ(), crawl.KeyVariable+"="+p.secret)
	var said bytes.Buffer
	child.Stderr = &said
	out, err := child.Output()
	if err != nil {
		p.t.Fatalf("attacker: %v: %s", err, said.String())
	}
	if err := json.Unmarshal(out, &report); err != nil {
		p.t.Fatal(err)
	}
	if b, err = os.ReadFile(answers); err != nil {
		p.t.Fatal(err)
	}
	if err := json.Unmarshal(b, &exchanges); err != nil {
		p.t.Fatal(err)
	}
	return report, exchanges
}

// TestAttackerOverTheInterface publishes hand-made and random worlds of raw feed
// records, lets the attacker crawl the server, and holds its verdicts, the same
// world with other hidden values, the released files, and the attacker itself.
func TestAttackerOverTheInterface(t *testing.T) {
	w := attackedFixtures()
	p := w.publish(t, attackedDay)
	known := w.truth(t)
	report, exchanges := p.attack(known)
	all := report.All
	t.Logf("%d calls; cells %+v; beyond the lattice %+v; between windows %+v; months %+v; parts of shares %+v; neighbours %+v; %d of %d counts of 5 and more are numbers",
		report.Calls, all.Cells, all.Beyond, all.Differences, all.Months, all.Parts, report.Neighbours, all.Printed, all.Large)
	for _, f := range report.Faults {
		t.Error(f)
	}
	if all.Cells.Small < 300 || all.Parts.Small < 200 || report.Neighbours.Small == 0 || all.Cells.Unproven > 0 {
		t.Errorf("too little was attacked, or the attacker did not come to an end: %+v", all)
	}
	t.Run("released files", func(t *testing.T) { p.releasedFiles(t) })
	t.Run("mask off", func(t *testing.T) { p.maskOff(t, w, known) })
	t.Run("other hidden values", func(t *testing.T) { p.nonInterference(t, w, known, report, exchanges) })
}

// maskOff serves the same snapshot with every count under the small-number rule
// alone. The switch is here and nowhere else: the file of printed figures is
// replaced, and the server is told not to verify.
func (p *published) maskOff(t *testing.T, w *attackedWorld, known crawl.Truth) {
	open := *p
	open.t, open.data = t, t.TempDir()
	if err := os.CopyFS(open.data, os.DirFS(p.data)); err != nil {
		t.Fatal(err)
	}
	unlock(t, open.data)
	counts := map[string]map[madeup.Cell]int64{}
	for skill, people := range w.skills {
		counts[skill] = w.Count(people.TurnedDownFor)
	}
	file := open.table("people")
	rows, err := parquetio.ReadAll[snapshots.PeopleRow](file)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		if _, outside := w.outside[r.Place]; !outside {
			n := counts[r.Skill][madeup.Cell{Signature: r.Signature, Place: r.Place, Value: r.Value, Window: int(r.WindowMonths)}]
			rows[i].SetTurnedDown(figure.CountOf(n))
		}
	}
	table, _ := snapshots.TableNamed("people")
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := parquetio.WriteTable(file, table, nil, attackedDay, rows); err != nil {
		t.Fatal(err)
	}
	open.serveVerified(nil)
	report, _ := open.attack(known, "-broken", "0")
	cells := report.All.Cells
	t.Logf("%d of %d small cells are exact, %d by subtraction", cells.Exact, cells.Small, cells.Derivable)
	if cells.Exact*100 < 70*cells.Small || cells.Derivable == 0 {
		t.Errorf("the attacker finds %d of %d small cells with the mask off: it is broken", cells.Exact, cells.Small)
	}
}

// table is the file of a table of the one snapshot.
func (p *published) table(name string) string {
	return filepath.Join(p.data, "snapshots", sources.DateOf(attackedDay).String()+".1", "tables", name+".parquet")
}

// nonInterference builds the world anew with other values wherever nothing of them
// is printed, and asks everything again: answers, headers, cursors and released
// tables must be the same to the byte.
func (p *published) nonInterference(t *testing.T, w *attackedWorld, known crawl.Truth, report crawl.Report, before []crawl.Exchange) {
	other, changed := w.other(t, report)
	t.Logf("%d of %d skills have other people: %v", len(changed), len(w.skills), changed)
	if len(changed) < 8 {
		t.Errorf("only %d skills have other people with the same printed figures", len(changed))
	}
	q := other.publish(t, attackedDay)
	for skill, people := range other.skills {
		known.People[skill] = people
	}
	again, after := q.attack(other.truth(t))
	if len(again.Faults) > 0 {
		t.Errorf("the other world: %v", again.Faults)
	}
	if len(before) != len(after) {
		t.Fatalf("%d answers, then %d", len(before), len(after))
	}
	different := 0
	for i := range before {
		if d := cmp.Diff(describe(before[i]), describe(after[i])); d != "" {
			if different++; different < 4 {
				t.Errorf("%s differs where only hidden values do (-before +after):\n%s", before[i].Path, d)
			}
		}
	}
	tables, err := fs.Glob(os.DirFS(filepath.Dir(p.table("people"))), "*.parquet")
	if err != nil || len(tables) < 10 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	for _, name := range tables {
		name = strings.TrimSuffix(name, ".parquet")
		a, err := os.ReadFile(p.table(name))
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(q.table(name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("the released file of %s differs where only hidden values do", name)
		}
	}
}

func describe(e crawl.Exchange) string {
	return fmt.Sprintf("%s\n%d\n%s\n%s", e.Path, e.Status, e.Header, e.Body)
}
