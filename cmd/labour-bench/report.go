package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

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
