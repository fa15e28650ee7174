package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/pipeline/provenance"
	"labour/snapshots"
	"labour/snapshots/diff"
	"labour/snapshots/trace"
)

// diffOptions are the flags of `labour snapshot diff`.
type diffOptions struct {
	cli.DataFlag
	Tables []string `flag:"table" split:"," usage:"compare this table or embargoed dataset only; may be given several times"`
	JSON   bool     `flag:"json" usage:"print as JSON, one object per line"`
}

func (a *app) diffSnapshots(ctx context.Context, o *diffOptions, args []string) error {
	for _, name := range o.Tables {
		if _, _, err := snapshots.FileNamed(name); err != nil {
			return cli.Usage(err)
		}
	}
	before, err := snapshotSide(o.Data, args[0])
	if err != nil {
		return err
	}
	after, err := snapshotSide(o.Data, args[1])
	if err != nil {
		return err
	}
	out := newDiffWriter(a.stdout, o.JSON)
	totals, err := diff.Compare(ctx, before, after, diff.Options{Tables: o.Tables}, out.change)
	if err != nil {
		return err
	}
	return out.end(before.Manifest.ID, after.Manifest.ID, totals)
}

// snapshotSide is a snapshot that was named by its id or its directory.
func snapshotSide(data, name string) (diff.Side, error) {
	dir, err := snapshotDir(data, name)
	if err != nil {
		return diff.Side{}, err
	}
	m, _, err := snapshots.ReadManifest(dir)
	return diff.Side{Dir: dir, Manifest: m}, err
}

// diffWriter prints the changes as they come: the list may be longer than memory.
type diffWriter struct {
	lines *json.Encoder // nil when a table is printed
	table *tabwriter.Writer
	n     int
}

// diffBlock is how many lines of a table are lined up together.
const diffBlock = 500

func newDiffWriter(w io.Writer, asJSON bool) *diffWriter {
	if !asJSON {
		return &diffWriter{table: cli.Table(w, "")}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return &diffWriter{lines: e}
}

// changeLine is a change as a line of JSON: the columns of changes.parquet, of
// which those that hold a JSON object are one.
type changeLine struct {
	Table         string                 `json:"table"`
	Key           json.RawMessage        `json:"key"`
	Change        snapshots.ChangeKind   `json:"change"`
	Old           json.RawMessage        `json:"old"`
	New           json.RawMessage        `json:"new"`
	Reason        snapshots.ChangeReason `json:"reason"`
	SourceKeys    string                 `json:"source_keys"`
	ArchiveSHA256 string                 `json:"archive_sha256"`
	Keys          int64                  `json:"keys"`
}

func (w *diffWriter) change(r snapshots.ChangesRow) error {
	if w.lines != nil {
		return w.lines.Encode(changeLine{r.Table, object(r.Key), r.Change, object(r.Old), object(r.New), r.Reason, r.SourceKeys, r.ArchiveSHA256, r.Keys})
	}
	if w.n%diffBlock == 0 {
		if err := w.table.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w.table, "TABLE\tCHANGE\tREASON\tSOURCES\tKEY\tOLD\tNEW")
	}
	w.n++
	key := fmt.Sprintf("%d keys", r.Keys)
	if r.Key != nil {
		key = *r.Key
	}
	_, err := fmt.Fprintf(w.table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Table, r.Change, r.Reason, dash(r.SourceKeys), key, dash(object(r.Old)), dash(object(r.New)))
	return err
}

// object is the text of a JSON object; nil, which is printed as null, for none.
func object(text *string) json.RawMessage {
	if text == nil {
		return nil
	}
	return json.RawMessage(*text)
}

func dash[T ~string | ~[]byte](text T) string {
	if len(text) == 0 {
		return "-"
	}
	return string(text)
}

// end prints the totals of every table that was compared.
func (w *diffWriter) end(from, to snapshots.ID, totals []diff.Total) error {
	if w.lines != nil {
		return w.lines.Encode(map[string]any{"from": from, "to": to, "totals": totals})
	}
	if err := w.table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w.table, "\nFrom %s to %s:\n\nTABLE\tADDED\tREMOVED\tCHANGED\tIN BOTH\tREASONS\n", from, to)
	for _, t := range totals {
		var reasons []string
		for _, reason := range slices.Sorted(maps.Keys(t.Reasons)) {
			reasons = append(reasons, fmt.Sprintf("%s %d", reason, t.Reasons[reason]))
		}
		fmt.Fprintf(w.table, "%s\t%d\t%d\t%d\t%d\t%s\n", t.Table, t.Added, t.Removed, t.Changed, t.Shared, dash(strings.Join(reasons, ", ")))
	}
	return w.table.Flush()
}

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
