package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
)

// runOptions are the flags of bench run.
type runOptions struct {
	dir, data, json, profile string
	memory, rounds           int
	people                   bool
	alone                    bool
}

func newRunCmd(a *Program) *cobra.Command {
	var o runOptions
	c := &cobra.Command{Use: "run", Short: "Measure the pipeline, beside DuckDB alone on the same files", Args: cli.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.rounds < 1 {
				return cli.Usage(fmt.Errorf("--rounds is %d; measure 1 round at least", o.rounds))
			}
			return a.measureRun(cmd.Context(), o)
		}}
	c.Flags().StringVar(&o.dir, "dir", "", "made-up data, see bench data")
	c.Flags().StringVar(&o.data, "data", "", "data directory to publish into, kept (default: a temporary one, removed)")
	c.Flags().StringVar(&o.json, "json", "", "file for the figures as JSON")
	c.Flags().IntVar(&o.memory, "memory", 0, "memory of the engine that counts cells, in MB (default 2048)")
	c.Flags().IntVar(&o.rounds, "rounds", 1, "measure the two so many times in turn, and tell the medians; --data and --profile are of the first")
	c.Flags().BoolVar(&o.people, "people", false, "count people too")
	c.Flags().BoolVar(&o.alone, "alone", false, "measure the pipeline alone, without DuckDB beside it, which spills more than the feed's size")
	c.Flags().StringVar(&o.profile, "profile", "", "directory for profiles of the pipeline's processor time and memory, for go tool pprof")
	cli.Required(c, "dir")
	return c
}

// measureRun measures every round and reports.
func (a *Program) measureRun(ctx context.Context, o runOptions) error {
	about, err := readMade(o.dir)
	if err != nil {
		return err
	}
	played, err := replay(filepath.Join(o.dir, answersDir))
	if err != nil {
		return err
	}
	base, stop, err := cli.Loopback(played)
	if err != nil {
		return err
	}
	defer stop()
	var rounds []round
	for range o.rounds {
		one, err := a.measureRound(ctx, o, base)
		if err != nil {
			return err
		}
		rounds = append(rounds, one)
		o.data, o.profile = "", ""
	}
	r := newRunReport(about, rounds)
	return errors.Join(writeJSON(o.json, r), r.write(a.Stdout))
}

// measureRound measures the pipeline with the publishers at base, and DuckDB after it.
func (a *Program) measureRound(ctx context.Context, o runOptions, base string) (r round, err error) {
	if o.data == "" {
		if o.data, err = os.MkdirTemp("", "labour-bench-"); err != nil {
			return r, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(o.data)) }()
	} else if err := os.MkdirAll(o.data, 0o755); err != nil {
		return r, err
	}
	memory, people := strconv.Itoa(o.memory), fmt.Sprintf("--people=%t", o.people)
	if r.Pipeline, err = a.inProcess(ctx, "pipeline", "--dir", o.dir, "--base", base, "--data", o.data, "--memory", memory,
		"--profile", o.profile, people); err != nil {
		return r, err
	}
	if !o.alone {
		theirs, err := a.inProcess(ctx, "duckdb", "--dir", o.dir, "--memory", memory, people)
		if err != nil {
			return r, err
		}
		r.DuckDB = &theirs
	}
	r.compare()
	return r, nil
}
