package measure

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// ofPeople reports whether a stage of the pipeline counts people or rounds the counts.
func ofPeople(stage string) bool {
	return strings.HasSuffix(stage, " people") || stage == "round residents"
}

// outside reports whether a stage is not counted into the time of a run: fetching, people,
// and what follows when the snapshot is sealed.
func outside(stage string) bool {
	return strings.HasPrefix(stage, "fetch") || ofPeople(stage) || strings.HasPrefix(stage, "check") || strings.HasPrefix(stage, "promote")
}

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
