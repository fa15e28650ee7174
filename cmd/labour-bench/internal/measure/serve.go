package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/cmd/labour-bench/internal/bench"
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

func newServeCmd(a *Program) *cobra.Command {
	c := cli.Command("serve", "Measure the service over loopback, beside what one would otherwise choose", cli.Exactly(0), serveOptions{}, a.measureServer)
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
	*Program
	o      *serveOptions
	dir    string // of the snapshot
	work   string
	keys   []string
	values bench.Values
	server *process
	report bench.Report
}

func (a *Program) measureServer(ctx context.Context, o *serveOptions, _ []string) (err error) {
	b := &benching{Program: a, o: o}
	if b.work, err = os.MkdirTemp("", "labour-bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.work)) }()
	p := a.Progress()
	defer p.End()
	for _, step := range []struct {
		name string
		do   func(context.Context) error
	}{{"mount", b.mount}, {"start the server", b.start}, {"call every shape", b.shapes}, {"walk pages", b.pages}, {"call the mix", b.mix},
		{"beside DuckDB on row-level Parquet", b.duckDB}, {"beside PostgreSQL on row-level tables", b.postgres}} {
		p.Step(step.name)
		if err := step.do(ctx); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", step.name, err), b.server.stop())
		}
	}
	b.report.PeakMB = b.server.peakMB()
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
	if b.values, err = bench.ReadValues(b.dir); err != nil {
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
	m, err := b.inProcess(ctx, "mount", "--dir", b.dir)
	if err == nil {
		b.report.MountIn, b.report.MountCPU = m.Stages[0].Seconds, m.Stages[0].CPU
	}
	return err
}

// start makes the keys and starts the real server.
func (b *benching) start(ctx context.Context) error {
	state := filepath.Join(b.work, "state.db")
	stores, err := serve.OpenStores(ctx, state, b.Now, b.Random, b.Log())
	if err != nil {
		return err
	}
	b.keys, err = makeKeys(ctx, stores.Keys)
	if err := errors.Join(err, stores.Close()); err != nil {
		return err
	}
	begun := b.Now()
	b.server, err = b.startProcess(ctx, "serve", "--data", b.o.Data, "--state", state, "--addr", "127.0.0.1:0")
	if err != nil {
		return err
	}
	_, err = b.load(1).Run(ctx, "first call", 1, b.call("identity", func(int) string { return "/v1/labour/sources" }))
	b.report.StartedIn = b.Now().Sub(begun).Seconds()
	return err
}

func (b *benching) load(clients int) bench.Load {
	return bench.Load{Base: b.server.base, Now: b.Now, Clients: clients, CPU: b.server.cpu, Own: processorUsed}
}

func (b *benching) call(encoding string, path func(int) string) func(int) bench.Call {
	return func(i int) bench.Call {
		return bench.Call{Path: path(i), Key: b.keys[i%len(b.keys)], Encoding: encoding}
	}
}

func (b *benching) run(ctx context.Context, name string, clients, n int, encoding string, path func(int) string) (bench.Result, error) {
	r, err := b.load(clients).Run(ctx, name, n, b.call(encoding, path))
	if err == nil {
		b.report.Results = append(b.report.Results, r)
	}
	return r, err
}

// shapes asks every shape of question alone, one client at a time.
func (b *benching) shapes(ctx context.Context) error {
	for _, s := range slices.Concat(b.values.SkillsUnmet(), b.values.Others()) {
		if _, err := b.load(1).Run(ctx, s.Name, 20, b.call("identity", s.Path)); err != nil { // warm
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
	path := bench.Mixed(append(b.values.SkillsUnmet(), b.values.Others()...))
	for _, encoding := range []string{"identity", "gzip", "zstd"} {
		if _, err := b.run(ctx, "mix, "+encoding, 4, 5*b.o.Calls, encoding, path); err != nil {
			return err
		}
	}
	load := b.load(manyCallers)
	load.For = time.Minute
	r, err := load.Run(ctx, "mix, gzip, for a minute", math.MaxInt, b.call("gzip", path))
	b.report.Results = append(b.report.Results, r)
	return err
}

// write prints the report and writes the files that were asked for.
func (b *benching) write() error {
	if err := b.report.Write(b.Stdout); err != nil {
		return err
	}
	return writeJSON(b.o.JSON, &b.report)
}
