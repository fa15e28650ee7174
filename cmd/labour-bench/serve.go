package main

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"text/template"
	"time"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/serve/partners/access"
	"labour/serve/query"
	"labour/serve/stores"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
)

type serveOptions struct {
	Data       string `flag:"data" required:"" usage:"data directory with a current snapshot"`
	JSON       string `flag:"json" usage:"file for the figures as JSON"`
	Calls      int    `flag:"calls" default:"1000" usage:"calls of each shape"`
	NoPostgres bool   `flag:"no-postgres" usage:"leave PostgreSQL out"`
}

func newServeCmd() *cobra.Command {
	c := cli.NewCommand("serve", "Measure the service over loopback, and compare it with row-level tables",
		cli.ExactArgs(0), serveOptions{}, measureServer)
	c.Long = "Start the real server on the current snapshot of a data directory in a process of\n" +
		"its own, and call it over loopback with several keys: every shape of filter of\n" +
		"skills-unmet, the other endpoints, and a realistic mix, with and without\n" +
		"compression. In the same run: the question asked of row-level tables in Parquet\n" +
		"with DuckDB and in PostgreSQL, where one is installed.\n\n" + cli.ExitHelp
	return c
}

const (
	// keyCount is the number of API keys. The measured calls use them in turn.
	keyCount = 8
	// manyCallers is the number of concurrent clients that measure throughput. It is high because
	// each call waits for a disk write, and concurrent calls share one write.
	manyCallers = 8 * keyCount
)

// makeKeys creates keyCount API keys without practical limits, and returns their secrets.
func makeKeys(ctx context.Context, s *access.Store) (secrets []string, err error) {
	for i := range keyCount {
		key, secret, err := s.CreateKey(ctx, access.KeyRequest{Partner: fmt.Sprintf("Bench %d", i+1), Mode: access.ModeTest,
			Plan: access.PlanPartner, Scopes: access.Scopes()})
		if err != nil {
			return nil, err
		}
		many := int64(1) << 40
		if err := s.SetKeyLimits(ctx, key.ID, &many, &many); err != nil {
			return nil, err
		}
		secrets = append(secrets, secret)
	}
	return secrets, nil
}

type benchmark struct {
	o      *serveOptions
	dir    string // directory of the snapshot that the server serves
	work   string
	values values
	list   []shape
	server *process
	caller // makes the calls to the server
	report serveReport
}

func measureServer(ctx context.Context, o *serveOptions, _ []string) (err error) {
	b := &benchmark{o: o}
	if b.work, err = os.MkdirTemp("", "labour-bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.work)) }()
	p := newProgress()
	defer p.End()
	for _, step := range []struct {
		name string
		do   func(context.Context) error
	}{{"mount", b.mount}, {"start the server", b.start}, {"call every shape", b.measureShapes},
		{"walk pages", b.measurePages},
		{"call the mix", b.measureMix},
		{"compare with row-level tables in DuckDB and PostgreSQL", b.compareRowStores}} {
		p.Step(step.name)
		if err := step.do(ctx); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", step.name, err), b.server.stop())
		}
	}
	b.report.PeakMB = peakMB(b.server.command.Process.Pid)
	if err := b.server.stop(); err != nil {
		return err
	}
	p.End()
	return errors.Join(printText(os.Stdout, "serve", b.report), writeJSON(b.o.JSON, &b.report))
}

// mount reads the filter values of the current snapshot. It also measures how long the server takes
// to load the snapshot.
func (b *benchmark) mount(ctx context.Context) error {
	store, err := store.Open(b.o.Data)
	if err != nil {
		return err
	}
	id, err := store.Current()
	if err != nil {
		return err
	}
	b.dir, b.report.Snapshot = store.SnapshotDir(id), string(id)
	if b.values, err = readValues(b.dir); err != nil {
		return err
	}
	if b.list, err = shapes(); err != nil {
		return err
	}
	totals := snapshots.JoinPath(b.dir, snapshots.TableFileName("adverts_total"))
	for v, err := range parquetio.ScanColumns(totals, []string{"area_kind", "adverts"}) {
		if err != nil {
			return err
		}
		if v[0].Text == snapshots.AreaKindAll {
			b.report.Adverts += v[1].Int
		}
	}
	began, cpu := now(), processorUsed()
	mounted, err := query.Mount(ctx, b.dir, query.Options{})
	if err != nil {
		return err
	}
	b.report.MountIn, b.report.MountCPU = now().Sub(began).Seconds(), (processorUsed() - cpu).Seconds()
	return mounted.Close()
}

func (b *benchmark) start(ctx context.Context) error {
	state := filepath.Join(b.work, "state.db")
	stores, err := stores.Open(ctx, state, now, rand.Reader, logger())
	if err != nil {
		return err
	}
	keys, err := makeKeys(ctx, stores.Keys)
	if err := errors.Join(err, stores.Close()); err != nil {
		return err
	}
	begun := now()
	b.server, err = startProcess(ctx, "serve", "--data", b.o.Data, "--state", state, "--addr", "127.0.0.1:0")
	if err != nil {
		return err
	}
	b.caller = caller{b.server.base, keys, b.server.cpu}
	path := func(int) string { return "/v1/labour/sources" }
	_, err = b.measureCalls(ctx, load{Name: "first call", Calls: 1, Path: path})
	b.report.StartedIn = now().Sub(begun).Seconds()
	return err
}

// measureLoad makes the HTTP calls of l and adds their measurements to the report.
func (b *benchmark) measureLoad(ctx context.Context, l load) error {
	r, err := b.measureCalls(ctx, l)
	if err == nil {
		b.report.Results = append(b.report.Results, r)
	}
	return err
}

// measureShapes measures each template of API calls separately, with one client.
func (b *benchmark) measureShapes(ctx context.Context) error {
	for _, s := range b.list {
		path := func(i int) string { return b.values.call(s, i) }
		if _, err := b.measureCalls(ctx, load{Name: s.Name, Calls: 20, Path: path}); err != nil { // warms the cache
			return err
		}
		if err := b.measureLoad(ctx, load{Name: s.Name, Calls: b.o.Calls, Path: path}); err != nil {
			return err
		}
	}
	return nil
}

// measureMix measures a realistic mix of API calls with several clients, with and without
// compression.
func (b *benchmark) measureMix(ctx context.Context) error {
	deal := callMix(b.list)
	path := func(i int) string { return b.values.call(deal(i), i) }
	for _, encoding := range []string{"identity", "gzip", "zstd"} {
		if err := b.measureLoad(ctx, load{Name: "mix, " + encoding, Calls: 5 * b.o.Calls, Path: path, Clients: 4,
			AcceptEncoding: encoding}); err != nil {
			return err
		}
	}
	return b.measureLoad(ctx, load{Name: "mix, gzip, for a minute", Calls: math.MaxInt, Path: path, Clients: manyCallers,
		AcceptEncoding: "gzip", TimeLimit: time.Minute})
}

// comparison compares the service with a database that has one row per advert, for one set of
// filters. It has their median times, and whether their results are equal.
type comparison struct {
	Question string  `json:"question"`
	Store    string  `json:"store"`
	Service  float64 `json:"service_p50_ms"`
	Other    float64 `json:"other_p50_ms"`
	// median time of the database, divided by the median time of the service
	Times float64 `json:"times_faster"`
	Same  bool    `json:"same_shares"`
}

type serveReport struct {
	Snapshot string `json:"snapshot"`
	Adverts  int64  `json:"adverts"` // number of counted adverts in the snapshot
	// seconds from the start of the server process to its first response
	StartedIn float64            `json:"started_in_seconds"`
	MountIn   float64            `json:"mounted_in_seconds"`
	MountCPU  float64            `json:"mounted_in_cpu_seconds"`
	PeakMB    int64              `json:"server_peak_memory_mb"`
	Results   []result           `json:"results"`
	Rows      []comparison       `json:"beside_row_level_tables"`
	Skipped   []string           `json:"skipped,omitempty"`
	Pages     map[string]float64 `json:"page_100_by_page_1"`
}

// reports holds the templates of the printed results, one for each command.
//
//go:embed reports
var reports embed.FS

func printText(w io.Writer, name string, data any) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	return cli.PrintTemplate(table, reports, "reports/"+name+".txt",
		template.FuncMap{"ms": ms, "mb": func(bytes int64) int64 { return bytes >> 20 }}, data)
}

// ofPeople reports whether a stage of the pipeline counts people or rounds their counts.
func ofPeople(stage string) bool {
	return strings.HasSuffix(stage, " people") || stage == "round residents"
}

type runReport struct {
	Data     madeWorld      `json:"data"`
	Pipeline pipelineResult `json:"pipeline"`
	// Seconds and CPU are the elapsed time and the CPU time of building a snapshot from the
	// archive, in seconds. They do not include the stages that count people.
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu_seconds"`
}

func newRunReport(about madeWorld, m pipelineResult) *runReport {
	r := &runReport{Data: about, Pipeline: m}
	for _, s := range m.Stages {
		if !ofPeople(s.Name) && !strings.HasPrefix(s.Name, "check") { // checks run after the snapshot is sealed
			r.Seconds, r.CPU = r.Seconds+s.Seconds, r.CPU+s.CPU
		}
	}
	return r
}

// PeopleSeconds returns the time, in seconds, of the stages that count people or round their
// counts.
func (m pipelineResult) PeopleSeconds() (seconds float64) {
	for _, s := range m.Stages {
		if ofPeople(s.Name) {
			seconds += s.Seconds
		}
	}
	return seconds
}

// PeopleShare returns how much of the pipeline's time was spent on counts of people, as a
// percentage from 0 to 100.
func (m pipelineResult) PeopleShare() float64 {
	all := 1e-9
	for _, s := range m.Stages {
		all += s.Seconds
	}
	return 100 * m.PeopleSeconds() / all
}

// PeopleFigures returns the number of figures about people that the pipeline published.
func (m pipelineResult) PeopleFigures() (n int64) {
	for _, of := range m.People {
		n += of
	}
	return n
}

// StageRows returns the number of rows that a stage of the pipeline read or made, or 0 if it is not
// known.
func (m pipelineResult) StageRows(s stage) int64 {
	return m.Rows[s.Name] + m.Rows["table "+strings.TrimPrefix(s.Name, "count ")]
}

// PerSecond returns the number of rows per second, if the stage processed n rows.
func (s stage) PerSecond(n int64) float64 { return float64(n) / s.Seconds }
