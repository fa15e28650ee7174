package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/serve"
	"labour/serve/access"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// serveOptions are the flags of bench serve.
type serveOptions struct {
	Data       string `flag:"data" usage:"data directory with a current snapshot"`
	JSON       string `flag:"json" usage:"file for the figures as JSON"`
	Calls      int    `flag:"calls" default:"1000" usage:"calls of each shape"`
	NoPostgres bool   `flag:"no-postgres" usage:"leave PostgreSQL out"`
}

func newServeCmd() *cobra.Command {
	c := cli.Command("serve", "Measure the service over loopback, beside what one would otherwise choose", cli.Exactly(0), serveOptions{}, measureServer)
	c.Long = "Start the real server on the current snapshot of a data directory in a process of\nits own, and call it over loopback with several keys: every shape of filter of\nskills-unmet, the other endpoints, and a realistic mix, with and without\ncompression. In the same run: the\nquestion asked of row-level tables in Parquet with DuckDB and in PostgreSQL, where\none is installed.\n\n" + cli.ExitHelp
	cli.Required(c, "data")
	return c
}

// keyCount is how many keys the calls are made with, and manyCallers how many
// clients call at once where throughput is measured: so many that calls which wait for
// the disk together, since each is counted durably before it is answered, share its time.
const (
	keyCount    = 8
	manyCallers = 8 * keyCount
)

// makeKeys makes the keys, without a ceiling that a measurement could reach.
func makeKeys(ctx context.Context, s *access.Store) (secrets []string, err error) {
	for i := range keyCount {
		key, secret, err := s.Create(ctx, access.NewKey{Partner: fmt.Sprintf("Bench %d", i+1), Mode: access.Test, Plan: access.Partner, Scopes: access.Scopes()})
		if err != nil {
			return nil, err
		}
		many := int64(1) << 40
		if err := s.Allow(ctx, key.ID, &many, &many); err != nil {
			return nil, err
		}
		secrets = append(secrets, secret)
	}
	return secrets, nil
}

// benching is one run of bench serve.
type benching struct {
	o      *serveOptions
	dir    string // of the snapshot
	work   string
	keys   []string
	values values
	server *process
	report serveReport
}

func measureServer(ctx context.Context, o *serveOptions, _ []string) (err error) {
	b := &benching{o: o}
	if b.work, err = os.MkdirTemp("", "labour-bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.work)) }()
	p := newProgress()
	defer p.End()
	for _, step := range []struct {
		name string
		do   func(context.Context) error
	}{{"mount", b.mount}, {"start the server", b.start}, {"call every shape", b.shapes}, {"walk pages", b.pages}, {"call the mix", b.mix},
		{"beside row-level tables in DuckDB and PostgreSQL", b.beside}} {
		p.Step(step.name)
		if err := step.do(ctx); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", step.name, err), b.server.stop())
		}
	}
	b.report.PeakMB = counted(b.server.command.Process.Pid, "status", "VmHWM:") >> 10
	if err := b.server.stop(); err != nil {
		return err
	}
	p.End()
	return b.write()
}

// mount finds the snapshot and mounts it once in a process of its own.
func (b *benching) mount(ctx context.Context) error {
	store, err := snapshots.Open(b.o.Data)
	if err != nil {
		return err
	}
	id, err := store.Current()
	if err != nil {
		return err
	}
	b.dir, b.report.Snapshot = store.Dir(id), string(id)
	if b.values, err = readValues(b.dir); err != nil {
		return err
	}
	totals := snapshots.Within(b.dir, snapshots.TableFileName("adverts_total"))
	if err := parquetio.Scan(totals, []string{"area_kind", "adverts"}, func(_ int64, v []parquetio.Value) error {
		if v[0].Text == snapshots.AreaAll {
			b.report.Adverts += v[1].Int
		}
		return nil
	}); err != nil {
		return err
	}
	m, err := inProcess(ctx, "mount", "--dir", b.dir)
	if err == nil {
		b.report.MountIn, b.report.MountCPU = m.Stages[0].Seconds, m.Stages[0].CPU
	}
	return err
}

// start makes the keys and starts the real server.
func (b *benching) start(ctx context.Context) error {
	state := filepath.Join(b.work, "state.db")
	stores, err := serve.OpenStores(ctx, state, now, rand.Reader, logger())
	if err != nil {
		return err
	}
	b.keys, err = makeKeys(ctx, stores.Keys)
	if err := errors.Join(err, stores.Close()); err != nil {
		return err
	}
	begun := now()
	b.server, err = startProcess(ctx, "serve", "--data", b.o.Data, "--state", state, "--addr", "127.0.0.1:0")
	if err != nil {
		return err
	}
	_, err = b.load(1).run(ctx, "first call", 1, b.calls("identity", func(int) string { return "/v1/labour/sources" }))
	b.report.StartedIn = now().Sub(begun).Seconds()
	return err
}

func (b *benching) load(clients int) load {
	return load{Base: b.server.base, Clients: clients, CPU: b.server.cpu}
}

func (b *benching) calls(encoding string, path func(int) string) func(int) call {
	return func(i int) call {
		return call{Path: path(i), Key: b.keys[i%len(b.keys)], Encoding: encoding}
	}
}

func (b *benching) run(ctx context.Context, name string, clients, n int, encoding string, path func(int) string) (result, error) {
	r, err := b.load(clients).run(ctx, name, n, b.calls(encoding, path))
	if err == nil {
		b.report.Results = append(b.report.Results, r)
	}
	return r, err
}

// shapes asks every shape of question alone, one client at a time.
func (b *benching) shapes(ctx context.Context) error {
	for _, s := range slices.Concat(b.values.unmet(), b.values.others()) {
		if _, err := b.load(1).run(ctx, s.Name, 20, b.calls("identity", s.Path)); err != nil { // warm
			return err
		}
		if _, err := b.run(ctx, s.Name, 1, b.o.Calls, "identity", s.Path); err != nil {
			return err
		}
	}
	return nil
}

// mix calls everything at once with several clients, with and without compression.
func (b *benching) mix(ctx context.Context) error {
	path := mixed(append(b.values.unmet(), b.values.others()...))
	for _, encoding := range []string{"identity", "gzip", "zstd"} {
		if _, err := b.run(ctx, "mix, "+encoding, 4, 5*b.o.Calls, encoding, path); err != nil {
			return err
		}
	}
	load := b.load(manyCallers)
	load.For = time.Minute
	r, err := load.run(ctx, "mix, gzip, for a minute", math.MaxInt, b.calls("gzip", path))
	b.report.Results = append(b.report.Results, r)
	return err
}

// write prints the report and writes the files that were asked for.
func (b *benching) write() error {
	if err := b.report.write(os.Stdout); err != nil {
		return err
	}
	return writeJSON(b.o.JSON, &b.report)
}

// comparison is a question as the service and as another store answered it.
type comparison struct {
	Question string  `json:"question"`
	Store    string  `json:"store"`
	Service  float64 `json:"service_p50_ms"`
	Other    float64 `json:"other_p50_ms"`
	Times    float64 `json:"times_faster"` // median of the store by that of the service
	Same     bool    `json:"same_shares"`
}

// serveReport is what one run of serve measured.
type serveReport struct {
	Snapshot  string             `json:"snapshot"`
	Adverts   int64              `json:"adverts"`            // counted
	StartedIn float64            `json:"started_in_seconds"` // from the start of the process to the first answer
	MountIn   float64            `json:"mounted_in_seconds"`
	MountCPU  float64            `json:"mounted_in_cpu_seconds"`
	PeakMB    int64              `json:"server_peak_memory_mb"`
	Results   []result           `json:"results"`
	Rows      []comparison       `json:"beside_row_level_tables"`
	Skipped   []string           `json:"skipped,omitempty"`
	Pages     map[string]float64 `json:"page_100_by_page_1"`
}

// write prints the report as tables.
func (r *serveReport) write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(out, "Snapshot %s: %d counted adverts. Mounted in %.1f s (%.1f s of a processor), verified and serving after %.1f s; the server's memory was %d MB at most.\n",
		r.Snapshot, r.Adverts, r.MountIn, r.MountCPU, r.StartedIn, r.PeakMB)
	fmt.Fprintln(w, "\nmilliseconds a call\tp50\tp90\tp99\tp99.9\tmax\tfailed\tclients\tcalls/s\tserver CPU µs\tbytes\t")
	for _, x := range r.Results {
		fmt.Fprintf(w, "%s\t%.2f\t%.2f\t%.2f\t%.2f\t%.0f\t%d\t%d\t%.0f\t%.0f\t%d\t\n", x.Name, x.P50, x.P90, x.P99, x.P999, x.Max, x.Failed, x.Clients, x.PerSecond, x.CPU, x.Bytes)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nbeside row-level tables\tservice, ms\tthey, ms\ttimes\tsame shares\t")
	for _, x := range r.Rows {
		fmt.Fprintf(w, "%s: %s\t%.2f\t%.1f\t%.0f\t%t\t\n", x.Store, x.Question, x.Service, x.Other, x.Times, x.Same)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, s := range r.Skipped {
		fmt.Fprintln(out, "not measured:", s)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Pages)) {
		fmt.Fprintf(out, "page 100 of a walk takes %.2f times page 1: %s\n", r.Pages[name], name)
	}
	return nil
}

// ofPeople reports whether a stage of the pipeline counts people or rounds the counts.
func ofPeople(stage string) bool {
	return strings.HasSuffix(stage, " people") || stage == "round residents"
}

// outside reports whether a stage is not counted into the time of a run: people, and what
// follows when the snapshot is sealed.
func outside(stage string) bool { return ofPeople(stage) || strings.HasPrefix(stage, "check") }

// runReport is what `labour-bench run` measured.
type runReport struct {
	Data     madeWorld `json:"data"`
	Pipeline measured  `json:"pipeline"`
	// Seconds and CPU are from the fetched files to the sealed snapshot, without people.
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu_seconds"`
}

func newRunReport(about madeWorld, m measured) *runReport {
	r := &runReport{Data: about, Pipeline: m}
	for _, s := range m.Stages {
		if !outside(s.Name) {
			r.Seconds, r.CPU = r.Seconds+s.Seconds, r.CPU+s.CPU
		}
	}
	return r
}

// write prints the stages, and what they took in all.
func (r *runReport) write(out io.Writer) error {
	fmt.Fprintf(out, "%s: %d adverts, %d residents, %d applications; feed %d MB\n\n", r.Data.Size, r.Data.Adverts, r.Data.Residents,
		r.Data.Applications, r.Data.FeedBytes>>20)
	m := r.Pipeline
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "stage\tseconds\tCPU seconds\trows\trows/s\t")
	for _, s := range m.Stages {
		rows, perSecond := "", ""
		if n := m.Rows[s.Name] + m.Rows["table "+strings.TrimPrefix(s.Name, "count ")]; n > 0 {
			rows, perSecond = fmt.Sprint(n), fmt.Sprintf("%.0f", float64(n)/s.Seconds)
		}
		fmt.Fprintf(w, "%s\t%.1f\t%.1f\t%s\t%s\t\n", s.Name, s.Seconds, s.CPU, rows, perSecond)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "Peak memory %d MB, read %d MB, written %d MB.\n", m.PeakMB, m.Read>>20, m.Written>>20)
	m.writePeople(out)
	_, err := fmt.Fprintf(out, "\nFrom the fetched files to the sealed snapshot, without people, the pipeline takes %.1f s, %.1f s of CPU time.\n", r.Seconds, r.CPU)
	return err
}

// writePeople prints what counting and rounding people took and what came of it;
// nothing when they were left out.
func (m *measured) writePeople(out io.Writer) {
	if len(m.People) == 0 {
		return
	}
	var people, all float64
	for _, s := range m.Stages {
		if all += s.Seconds; ofPeople(s.Name) {
			people += s.Seconds
		}
	}
	var figures int64
	for _, n := range m.People {
		figures += n
	}
	fmt.Fprintf(out, "\nPeople: %.1f s, %.0f %% of the run. Of %d printed figures, %d are a number and %d \"<5\".\n",
		people, 100*people/max(all, 1e-9), figures, m.People["number"], m.People["under_5"])
}
