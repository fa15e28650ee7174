package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/pipeline/provenance"
	"labour/snapshots"
	"labour/snapshots/trace"
)

// traceOptions are the flags of `labour snapshot trace`.
type traceOptions struct {
	listOptions
	Archive string   `flag:"archive" usage:"directory of the archive (default: the one of the data directory)"`
	Table   string   `flag:"table" usage:"table or embargoed dataset (required)"`
	Key     []string `flag:"key" usage:"column=value of the table's key; once for each column, any of them"`
}

func (a *app) traceSnapshot(ctx context.Context, o *traceOptions, args []string) error {
	if o.Table == "" {
		return cli.Usage(errors.New("--table is missing"))
	}
	var key []trace.Condition
	for _, text := range o.Key {
		c, err := trace.ParseCondition(text)
		if err != nil {
			return cli.Usage(err)
		}
		key = append(key, c)
	}
	dir, err := snapshotDir(o.Data, args[0])
	if err != nil {
		return err
	}
	t, err := trace.Of(ctx, dir, o.Table, key)
	var unknown *snapshots.UnknownError
	if errors.As(err, &unknown) || errors.Is(err, trace.ErrKey) {
		return cli.Usage(err)
	}
	if err != nil {
		return err
	}
	o.Archive = cmp.Or(o.Archive, pipeline.ArchiveDir(o.Data))
	operator, err := pipeline.ManifestKey(o.Data, a.secret)
	if err != nil && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	if err := provenance.Join(t, o.Archive, operator); err != nil {
		return err
	}
	if o.JSON {
		return cli.PrintJSON(a.stdout, t)
	}
	return printTrace(a.stdout, t)
}

func printTrace(out io.Writer, t *trace.Trace) error {
	w := cli.Table(out, "")
	var key []string
	for _, c := range t.Key {
		key = append(key, c.Column+"="+c.Value)
	}
	fmt.Fprintf(w, "SNAPSHOT\t%s\nTABLE\t%s\nKEY\t%s\n", t.Snapshot, t.Table, dash(strings.Join(key, " ")))
	if t.Rows != nil {
		fmt.Fprintf(w, "ROWS\t%d\n", *t.Rows)
	}
	for i := range t.Sources {
		printTraced(w, &t.Sources[i])
	}
	printRules(w, "RULE FOR COUNTS OF PEOPLE", t.DisclosureRules)
	if err := w.Flush(); err != nil {
		return err
	}
	for _, note := range t.Notes {
		fmt.Fprintf(out, "\n%s", note)
	}
	_, err := fmt.Fprintln(out)
	return err
}

func printTraced(w io.Writer, s *trace.Source) {
	fmt.Fprintf(w, "\nSOURCE\t%s\nTITLE\t%s, %s\nLICENCE\t%s\nSTATEMENT\t%s\nLINK\t%s\n", s.Key, s.Publisher, s.Title, s.Licence, s.Statement, s.Link)
	if s.TakenOver {
		fmt.Fprintln(w, "TAKEN OVER\tnot read anew: these are the figures of the snapshot before")
	}
	if len(s.Carried) > 0 {
		fmt.Fprintf(w, "CARRIED\t%s\n", strings.Join(s.Carried, ", "))
	}
	if s.Adverts != nil {
		fmt.Fprintf(w, "\nADVERTS\tNUMBER\tRULE\ncounted\t%s\t-\n", s.Adverts.Counted)
		for _, e := range s.Adverts.Excluded {
			fmt.Fprintf(w, "excluded: %s\t%s\t%s\n", e.Name, e.Adverts, e.Sentence)
		}
	}
	if len(s.Faults) > 0 {
		fmt.Fprint(w, "\nFAULT\tRECORDS\n")
		for _, f := range s.Faults {
			fmt.Fprintf(w, "%s\t%s\n", f.Code, f.Records)
		}
	}
	printInputs(w, s.Inputs)
	if len(s.Corrections) > 0 {
		fmt.Fprint(w, "\nCORRECTION OF\tFIELD\tOLD\tNEW\tOUTCOME\tDECIDED\tREASON\n")
		for _, c := range s.Corrections {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s by %s\t%s\n", strings.TrimSpace(c.Kind+" "+orEmpty(c.Record)), c.Field, dash(orEmpty(c.Old)), dash(orEmpty(c.New)), c.Outcome, c.DecidedOn, c.DecidedBy, dash(c.Reason))
		}
	}
}

// printInputs prints the archived objects, with what the archive says of them.
func printInputs(w io.Writer, inputs []trace.Input) {
	if len(inputs) == 0 {
		return
	}
	fmt.Fprint(w, "\nINPUT\tSHA-256\tBYTES\tUSED\tFETCHED\tSTATUS\tANSWER\tKEPT\tFROM\n")
	for _, in := range inputs {
		used := in.LastUsed.Format(time.RFC3339)
		if !in.FirstUsed.Equal(in.LastUsed) {
			used = in.FirstUsed.Format(time.RFC3339) + " to " + used
		}
		size := "-" // the sizes of the platform's files are not said
		if in.Bytes > 0 {
			size = fmt.Sprint(in.Bytes)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s", in.Name, keyedOr(in.SHA256, in.HMACSHA256), size, used)
		r := in.Received
		if r == nil {
			fmt.Fprint(w, "\t-\t-\t-\t-\t-\n")
			continue
		}
		answer, status := r.Outcome, "-"
		if r.Carried {
			answer = "carried"
		}
		if r.Status != 0 { // a file has none
			status = fmt.Sprint(r.Status)
		}
		fmt.Fprintf(w, "\t%s\t%s\t%s\t%s\t%s\n", r.FetchedAt.Format(time.RFC3339), status, answer, yes(r.Kept), r.URL)
	}
}

// keyedOr is a hash, or a keyed one said to be such.
func keyedOr(plain, keyed string) string {
	if keyed != "" {
		return "keyed " + keyed
	}
	return plain
}

func printRules(w io.Writer, heading string, rules []trace.Rule) {
	if len(rules) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\tSENTENCE\n", heading)
	for _, r := range rules {
		fmt.Fprintf(w, "%s\t%s\n", r.Name, r.Sentence)
	}
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
