package bench

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// Beside is a question as the service and as another store answered it.
type Beside struct {
	Question string  `json:"question"`
	Store    string  `json:"store"`
	Service  Latency `json:"service"`
	Other    Latency `json:"other"`
	Times    float64 `json:"times_faster"` // median of the store by that of the service
	Same     bool    `json:"same_shares"`
}

// Report is what one run measured.
type Report struct {
	Snapshot  string             `json:"snapshot"`
	Adverts   int64              `json:"adverts"`            // counted
	StartedIn float64            `json:"started_in_seconds"` // from the start of the process to the first answer
	MountIn   float64            `json:"mounted_in_seconds"`
	MountCPU  float64            `json:"mounted_in_cpu_seconds"`
	PeakMB    int64              `json:"server_peak_memory_mb"`
	Results   []Result           `json:"results"`
	Rows      []Beside           `json:"beside_row_level_tables"`
	Skipped   []string           `json:"skipped,omitempty"`
	Pages     map[string]float64 `json:"page_100_by_page_1"`
}

// Write prints the report as tables.
func (r *Report) Write(out io.Writer) error {
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
		fmt.Fprintf(w, "%s: %s\t%.2f\t%.1f\t%.0f\t%t\t\n", x.Store, x.Question, x.Service.P50, x.Other.P50, x.Times, x.Same)
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
