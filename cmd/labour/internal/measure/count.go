package measure

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"labour/cmd/labour/internal/cli"
	"labour/serve"
	"labour/serve/bench"
	"labour/serve/usage"
)

// newCountCmd counts calls in a state database and judges them by their limits,
// and does nothing else, in a process of its own.
func newCountCmd(a *Program) *cobra.Command {
	var dir string
	var calls int
	c := &cobra.Command{Use: "count", Hidden: true, Short: "Counting and limits alone, for bench serve", Args: cli.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			counted, err := a.measureCounting(cmd.Context(), dir, calls)
			if err != nil {
				return err
			}
			return cli.PrintJSON(a.Stdout, counted)
		}}
	c.Flags().StringVar(&dir, "dir", "", "")
	c.Flags().IntVar(&calls, "calls", 0, "")
	return c
}

// countingCalls is how many calls each number of callers counts.
const countingCalls = 5000

// counting measures counting and limits alone.
func (b *benching) counting(ctx context.Context) error {
	return b.ask(ctx, &b.report.Counting, "bench", "count", "--dir", b.work, "--calls", strconv.Itoa(countingCalls))
}

// measureCounting recognises keys, counts calls and judges them, on a new SQLite file
// in dir, by one caller and by as many as a busy server has.
func (a *Program) measureCounting(ctx context.Context, dir string, calls int) (all []bench.Counting, err error) {
	memory, err := serve.OpenMemory(ctx, filepath.Join(dir, "counting.db"), a.Now, a.Random, a.Log())
	if err != nil {
		return nil, err
	}
	running, stop := context.WithCancel(ctx)
	var counter sync.WaitGroup
	counter.Go(func() { memory.Run(running) })
	defer func() {
		stop()
		counter.Wait()
		err = errors.Join(err, memory.Close())
	}()
	secrets, err := makeKeys(ctx, memory.Keys)
	if err != nil {
		return nil, err
	}
	for _, callers := range []int{1, manyCallers} {
		one, err := a.countBy(ctx, memory, secrets, callers, calls)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// countBy counts calls by so many callers at once, each with one of the secrets.
func (a *Program) countBy(ctx context.Context, memory *serve.Memory, secrets []string, callers, calls int) (bench.Counting, error) {
	var next atomic.Int64
	var running sync.WaitGroup
	errs := make([]error, callers)
	begun, cpu := a.Now(), processorUsed()
	for i := range callers {
		running.Go(func() {
			for next.Add(1) <= int64(calls) && errs[i] == nil {
				errs[i] = a.countOne(ctx, memory, secrets[i%len(secrets)])
			}
		})
	}
	running.Wait()
	took, used := a.Now().Sub(begun), processorUsed()-cpu
	return bench.Counting{Callers: callers, CPU: float64(used.Microseconds()) / float64(calls), PerSecond: float64(calls) / took.Seconds()}, errors.Join(errs...)
}

// countOne is what a call does before its route is looked for.
func (a *Program) countOne(ctx context.Context, memory *serve.Memory, secret string) error {
	at := a.Now()
	key, version, err := memory.Keys.Recognise(ctx, secret, at)
	if err != nil {
		return err
	}
	counts, err := memory.Calls.Count(ctx, key.ID, version, at)
	if err == nil && usage.Judge(key.Allowance(), counts, at).Reason != usage.Allowed {
		err = fmt.Errorf("key %s was refused", key.ID)
	}
	return err
}
