package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/snapshots"
	"labour/snapshots/diff"
)

// diffFlags are what `labour snapshot diff` can be told.
type diffFlags struct {
	data   string
	tables []string
	json   bool
}

func newSnapshotDiffCmd(a *app) *cobra.Command {
	var f diffFlags
	c := &cobra.Command{Use: "diff A B", Short: "Say what differs from snapshot A to snapshot B, key by key", Args: cli.Exactly(2),
		Long: "Say what differs from snapshot A to snapshot B, each an id or any copied snapshot\ndirectory: every key that was added, removed or changed, with the printed values\nand the reason, then how many of each reason in each table. Nothing is shown that\n" +
			"the two snapshots do not print. The files are not verified; see snapshot verify.\n\nWith --json each line is one JSON object: a change, with the columns of\nchanges.parquet, and at the end one with from, to and totals. Without that last\nline a list is not whole.\n\n" + cli.ExitHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			return diffSnapshots(cmd.Context(), a, f, args[0], args[1])
		}}
	c.Flags().StringVar(&f.data, "data", "data", "data directory")
	c.Flags().StringSliceVar(&f.tables, "table", nil, "compare this table or embargoed dataset only; may be given several times")
	c.Flags().BoolVar(&f.json, "json", false, "print as JSON, one object per line")
	return c
}

func diffSnapshots(ctx context.Context, a *app, f diffFlags, from, to string) error {
	for _, name := range f.tables {
		if _, _, err := snapshots.FileNamed(name); err != nil {
			return cli.Usage(err)
		}
	}
	before, err := snapshotSide(f.data, from)
	if err != nil {
		return err
	}
	after, err := snapshotSide(f.data, to)
	if err != nil {
		return err
	}
	out := newDiffWriter(a.stdout, f.json)
	totals, err := diff.Compare(ctx, before, after, diff.Options{Tables: f.tables}, out.change)
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
		return &diffWriter{table: tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)}
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
