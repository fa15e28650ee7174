package measure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/pipeline/bench"
	"labour/sources"
)

// newDuckDBCmd reads and groups the same feed with DuckDB alone, in a process
// of its own.
func newDuckDBCmd(a *Program) *cobra.Command {
	var dir string
	var memory int
	var people bool
	c := &cobra.Command{Use: "duckdb", Hidden: true, Short: "DuckDB alone on the same files, for bench run", Args: cli.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			m, err := a.measureDuckDB(cmd.Context(), dir, memory, people)
			if err != nil {
				return err
			}
			return cli.PrintJSON(a.Stdout, m)
		}}
	c.Flags().StringVar(&dir, "dir", "", "")
	c.Flags().IntVar(&memory, "memory", 0, "")
	c.Flags().BoolVar(&people, "people", false, "")
	return c
}

func (a *Program) measureDuckDB(ctx context.Context, dir string, memory int, people bool) (m measured, err error) {
	about, err := readMade(dir)
	if err != nil {
		return m, err
	}
	asOf, err := sources.ParseDate(about.AsOf)
	if err != nil {
		return m, err
	}
	out, err := os.MkdirTemp("", "labour-bench-")
	if err != nil {
		return m, err
	}
	defer os.RemoveAll(out)
	if memory == 0 {
		memory = 2048
	}
	p := a.Progress()
	defer p.End()
	watch := &stopwatch{now: a.Now, report: p.Step}
	alone := bench.Options{Feed: filepath.Join(dir, feedDir), Out: out, People: people, MemoryMB: memory, AsOf: asOf.Time(), Step: watch.step}
	if alone.Answers, alone.Members, err = sameInput(dir, out); err != nil {
		return m, err
	}
	err = bench.Run(ctx, alone)
	if err != nil {
		return m, err
	}
	watch.step("")
	m.Stages = watch.stages
	return m, m.used()
}

// sameInput is what the pipeline reads beside the feed: the answers of the boards and
// of the apprenticeship service, and the served areas.
func sameInput(dir, work string) (answers map[string][]string, members []bench.Member, err error) {
	answers = map[string][]string{}
	for name, beginning := range map[string]string{"greenhouse": "/greenhouse/", "vacancies": "/faa/"} {
		if answers[name], err = answersTo(filepath.Join(dir, answersDir), beginning); err != nil {
			return nil, nil, err
		}
	}
	c, err := configuration(dir, work, baseMark)
	if err != nil {
		return nil, nil, err
	}
	for _, area := range c.ServedAreas {
		for _, borough := range area.Boroughs {
			members = append(members, bench.Member{Area: area.Slug, Borough: borough})
		}
	}
	return answers, members, nil
}

// apart are the stages that only one of the two has: downloading, people, which the
// one counts for masking and masks and the other merely counts, and what comes after
// the snapshot is sealed.
func apart(stage string) bool {
	return strings.HasPrefix(stage, "fetch") || ofPeople(stage) || strings.HasPrefix(stage, "check") || strings.HasPrefix(stage, "promote") ||
		stage == "DuckDB alone: residents" || stage == "DuckDB alone: outcomes"
}

// ofPeople are the stages of the pipeline that count people and mask the counts.
func ofPeople(stage string) bool {
	return strings.HasSuffix(stage, " people") || stage == "round residents"
}

// round is one measurement of the pipeline, and of DuckDB alone right after it.
type round struct {
	Pipeline measured  `json:"pipeline"`
	DuckDB   *measured `json:"duckdb_alone,omitempty"` // nil where the pipeline was measured alone
	// Seconds and CPU are the pipeline's from the fetched files to the sealed snapshot,
	// without people; CPU of the processor.
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu_seconds"`
	// Ratio is Seconds by DuckDB's on the same files with the same groupings, RatioCPU
	// the same of processor time; 0 where the pipeline was measured alone.
	Ratio    float64 `json:"ratio,omitempty"`
	RatioCPU float64 `json:"ratio_cpu,omitempty"`
}

// compare sums the stages up that both have.
func (r *round) compare() {
	r.Seconds, r.CPU = r.Pipeline.compared()
	if r.DuckDB != nil {
		theirs, theirsCPU := r.DuckDB.compared()
		r.Ratio, r.RatioCPU = r.Seconds/max(theirs, 1e-9), r.CPU/max(theirsCPU, 1e-9)
	}
}

// compared is the time, and the processor time, of the stages that both have.
func (m *measured) compared() (seconds, cpu float64) {
	for _, s := range m.Stages {
		if !apart(s.Name) {
			seconds, cpu = seconds+s.Seconds, cpu+s.CPU
		}
	}
	return seconds, cpu
}

// runReport is what bench run measured.
type runReport struct {
	Data   madeWorld `json:"data"`
	Rounds []round   `json:"rounds"` // in the order in which they were measured
	// What follows are the medians of the rounds, each on its own.
	Seconds  float64 `json:"seconds"`
	CPU      float64 `json:"cpu_seconds"`
	Ratio    float64 `json:"ratio,omitempty"`
	RatioCPU float64 `json:"ratio_cpu,omitempty"`
}

func newRunReport(about madeWorld, rounds []round) *runReport {
	return &runReport{Data: about, Rounds: rounds,
		Seconds:  median(rounds, func(r round) float64 { return r.Seconds }),
		CPU:      median(rounds, func(r round) float64 { return r.CPU }),
		Ratio:    median(rounds, func(r round) float64 { return r.Ratio }),
		RatioCPU: median(rounds, func(r round) float64 { return r.RatioCPU })}
}

// median is the figure in the middle; of an even number of rounds the larger of the two.
func median(rounds []round, of func(round) float64) float64 {
	all := make([]float64, len(rounds))
	for i, r := range rounds {
		all[i] = of(r)
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// write prints the report: the stages of each round, and the medians.
func (r *runReport) write(out io.Writer) error {
	fmt.Fprintf(out, "%s: %d adverts, %d residents, %d applications; feed %d MB\n", r.Data.Size, r.Data.Adverts, r.Data.Residents,
		r.Data.Applications, r.Data.FeedBytes>>20)
	for i, x := range r.Rounds {
		if len(r.Rounds) > 1 {
			fmt.Fprintf(out, "\nround %d of %d\n", i+1, len(r.Rounds))
		}
		fmt.Fprintln(out)
		if err := errors.Join(x.writeStages(out), x.Pipeline.writePeople(out)); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "\nFrom the fetched files to the sealed snapshot, without people, the pipeline takes %.1f s, %.1f s of CPU time", r.Seconds, r.CPU)
	if r.Ratio > 0 {
		fmt.Fprintf(out, ": %.2f times the time of DuckDB alone, %.2f times its CPU time", r.Ratio, r.RatioCPU)
	}
	if len(r.Rounds) > 1 {
		fmt.Fprintf(out, " (medians of %d rounds)", len(r.Rounds))
	}
	_, err := fmt.Fprintln(out, ".")
	return err
}

// writeStages prints what each stage took, and each of the two in all.
func (r *round) writeStages(out io.Writer) error {
	both := []struct {
		who string
		*measured
	}{{"pipeline", &r.Pipeline}}
	if r.DuckDB != nil {
		both = append(both, struct {
			who string
			*measured
		}{"DuckDB alone", r.DuckDB})
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "stage\tseconds\tCPU seconds\trows\trows/s\t")
	for _, x := range both {
		for _, s := range x.Stages {
			rows, perSecond := "", ""
			if n := x.Rows[s.Name] + x.Rows["table "+strings.TrimPrefix(s.Name, "count ")]; n > 0 {
				rows, perSecond = fmt.Sprint(n), fmt.Sprintf("%.0f", float64(n)/s.Seconds)
			}
			fmt.Fprintf(w, "%s\t%.1f\t%.1f\t%s\t%s\t\n", s.Name, s.Seconds, s.CPU, rows, perSecond)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, x := range both {
		fmt.Fprintf(w, "%s\tpeak memory %d MB\tread %d MB\twritten %d MB\t\n", x.who, x.PeakMB, x.Read>>20, x.Written>>20)
	}
	return w.Flush()
}

// writePeople prints what counting and masking people took and what came of it;
// nothing when they were left out.
func (m *measured) writePeople(out io.Writer) error {
	if len(m.People) == 0 {
		return nil
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
	_, err := fmt.Fprintf(out, "\nPeople: %.1f s, %.0f %% of the run. Of %d printed figures, %d are a number and %d \"<5\".\n",
		people, 100*people/max(all, 1e-9), figures, m.People["number"], m.People["under_5"])
	return err
}
