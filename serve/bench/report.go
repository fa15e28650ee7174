package bench

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
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

// Ratio is the throughput of the service by that of a handler that only writes the
// same bytes.
type Ratio struct {
	Name     string  `json:"name"`
	Encoding string  `json:"encoding"` // that was asked for, of both
	Clients  int     `json:"clients"`  // at once
	Bytes    int64   `json:"bytes_per_call"`
	Service  float64 `json:"service_per_second"`
	Bare     float64 `json:"bare_per_second"`
	// Processor time of the servers alone, in microseconds a call; 0 = not measured.
	ServiceCPU float64 `json:"service_cpu_us_per_call"`
	BareCPU    float64 `json:"bare_cpu_us_per_call"`
	Ratio      float64 `json:"ratio"`
	// RatioCPU is the ratio of the processor times of a call, the client's included: what
	// Ratio would be if nothing else, such as the disk or another program, were waited for.
	RatioCPU float64 `json:"ratio_cpu"`
}

// MedianRatio is the round in the middle by throughput, with the processor times and
// their ratio of the round in the middle by that.
func MedianRatio(rounds []Ratio) Ratio {
	by := func(of func(Ratio) float64) Ratio {
		sorted := slices.Clone(rounds)
		slices.SortFunc(sorted, func(a, b Ratio) int { return cmp.Compare(of(a), of(b)) })
		return sorted[len(sorted)/2]
	}
	r, cpu := by(func(r Ratio) float64 { return r.Ratio }), by(func(r Ratio) float64 { return r.RatioCPU })
	r.ServiceCPU, r.BareCPU, r.RatioCPU = cpu.ServiceCPU, cpu.BareCPU, cpu.RatioCPU
	return r
}

// Counting is what it costs to recognise the key of a call, count it durably and judge
// it by its limits, without anything else of the call.
type Counting struct {
	Callers   int     `json:"callers"`         // at once
	CPU       float64 `json:"cpu_us_per_call"` // microseconds of a processor
	PerSecond float64 `json:"calls_per_second"`
}

// Report is what one run measured.
type Report struct {
	Snapshot    string             `json:"snapshot"`
	Adverts     int64              `json:"adverts"`            // counted
	StartedIn   float64            `json:"started_in_seconds"` // from the start of the process to the first answer
	MountIn     float64            `json:"mounted_in_seconds"`
	MountCPU    float64            `json:"mounted_in_cpu_seconds"`
	PeakMB      int64              `json:"server_peak_memory_mb"`
	Allocations float64            `json:"allocations_per_call"`
	Allocated   float64            `json:"allocated_bytes_per_call"`
	Counting    []Counting         `json:"counting_and_limits"`
	Results     []Result           `json:"results"`
	Bare        []Ratio            `json:"beside_a_bare_handler"`
	Rows        []Beside           `json:"beside_row_level_tables"`
	Skipped     []string           `json:"skipped,omitempty"`
	Pages       map[string]float64 `json:"page_100_by_page_1"`
}

// Write prints the report as tables.
func (r *Report) Write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(out, "Snapshot %s: %d counted adverts. Mounted in %.1f s (%.1f s of a processor), verified and serving after %.1f s; the server's memory was %d MB at most.\n"+
		"A call of the mix allocates %.0f times, %.0f KB.\n", r.Snapshot, r.Adverts, r.MountIn, r.MountCPU, r.StartedIn, r.PeakMB, r.Allocations, r.Allocated/1024)
	for _, x := range r.Counting {
		fmt.Fprintf(out, "Counting and limits alone, with SQLite, %d at once: %.0f µs of a processor a call, %.0f calls/s.\n", x.Callers, x.CPU, x.PerSecond)
	}
	fmt.Fprintln(w, "\nmilliseconds a call\tp50\tp90\tp99\tp99.9\tclients\tcalls/s\tserver CPU µs\tbytes\t")
	for _, x := range r.Results {
		fmt.Fprintf(w, "%s\t%.2f\t%.2f\t%.2f\t%.2f\t%d\t%.0f\t%.0f\t%d\t\n", x.Name, x.P50, x.P90, x.P99, x.P999, x.Clients, x.PerSecond, x.CPU, x.Bytes)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nbeside a handler that only writes\tbytes\tclients\tservice, calls/s\tbare, calls/s\tratio\tby CPU\tCPU µs\tbare\t")
	for _, x := range r.Bare {
		fmt.Fprintf(w, "%s, %s\t%d\t%d\t%.0f\t%.0f\t%.2f\t%.2f\t%.0f\t%.0f\t\n", x.Name, x.Encoding, x.Bytes, x.Clients, x.Service, x.Bare, x.Ratio, x.RatioCPU, x.ServiceCPU, x.BareCPU)
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
	for _, name := range slices.Sorted(keys(r.Pages)) {
		fmt.Fprintf(out, "page 100 of a walk takes %.2f times page 1: %s\n", r.Pages[name], name)
	}
	return nil
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// The size of the drawing, and the room for its labels.
const (
	width, height = 760, 420
	left, bottom  = 70, 50
	right, top    = 230, 30
)

// Draw draws the median latency of each result against the number of adverts, as
// SVG: one line for each name that every report has. Both axes are logarithmic.
func Draw(out io.Writer, reports []*Report) error {
	reports = slices.Clone(reports)
	slices.SortFunc(reports, func(a, b *Report) int { return int(a.Adverts - b.Adverts) })
	lines := linesOf(reports)
	plane := planeOf(reports, lines)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/><text x="%d" y="18">median of a call, milliseconds, by counted adverts</text>`+"\n", width, height, left)
	plane.axes(&b, reports)
	for i, name := range slices.Sorted(keys(lines)) {
		colour := fmt.Sprintf("hsl(%d,65%%,40%%)", i*137%360)
		var points []string
		for k, y := range lines[name] {
			px, py := plane.at(float64(reports[k].Adverts), y)
			points = append(points, fmt.Sprintf("%.1f,%.1f", px, py))
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", px, py, colour)
		}
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s"/>`+"\n", strings.Join(points, " "), colour)
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", width-right+12, top+16*(i+1), colour, name)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(out, b.String())
	return err
}

// linesOf gives, by name, the medians of the reports that all have it.
func linesOf(reports []*Report) map[string][]float64 {
	lines := map[string][]float64{}
	for _, r := range reports {
		for _, x := range r.Rows {
			lines[x.Store+", "+x.Question] = append(lines[x.Store+", "+x.Question], x.Other.P50)
			if strings.HasPrefix(x.Store, "DuckDB") {
				lines["service, "+x.Question] = append(lines["service, "+x.Question], x.Service.P50)
			}
		}
	}
	for name, y := range lines {
		if len(y) != len(reports) {
			delete(lines, name)
		}
	}
	return lines
}
