package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"text/tabwriter"

	"labour/cmd/internal/cli"
	"labour/pipeline/protected"
	"labour/pipeline/secrets"
	"labour/pipeline/trace"
	"labour/snapshots"
	"labour/snapshots/diff"
)

type diffOptions struct {
	cli.DataFlag
	Tables []string `flag:"table" split:"," usage:"compare this table or embargoed dataset only; may be given several times"`
	Rows   bool     `flag:"rows" usage:"print every row that differs, before the totals"`
	JSON   bool     `flag:"json" usage:"print as JSON, one object per line"`
}

func (a *app) diffSnapshots(ctx context.Context, o *diffOptions, args []string) error {
	for _, name := range o.Tables {
		if _, _, err := snapshots.FindFile(name); err != nil {
			return cli.NewUsageError(err)
		}
		if snapshots.IsRankingTable(name) {
			return cli.NewUsageError(fmt.Errorf("--table %s: the table is not compared, because it follows from "+
				"adverts and adverts_total; compare those", name))
		}
	}
	before, err := a.snapshotSide(o.Data, args[0])
	if err != nil {
		return err
	}
	after, err := a.snapshotSide(o.Data, args[1])
	if err != nil {
		return err
	}
	out := &diffWriter{to: a.stdout, rows: o.Rows}
	if !o.JSON {
		out.table = cli.TableWriter(a.stdout)
	}
	totals, err := diff.Compare(ctx, before, after, diff.Options{Tables: o.Tables}, out.change)
	if err != nil {
		return err
	}
	return out.end(before.Manifest.ID, after.Manifest.ID, totals)
}

// snapshotSide returns one of the two snapshots to compare. name is a snapshot's ID or directory.
// If the snapshot was withdrawn, snapshotSide prints that to stderr.
func (a *app) snapshotSide(data, name string) (diff.ComparedSnapshot, error) {
	dir, err := snapshotDir(data, name)
	if err != nil {
		return diff.ComparedSnapshot{}, err
	}
	a.noteWithdrawal(dir)
	m, _, err := snapshots.ReadManifest(dir)
	return diff.ComparedSnapshot{Dir: dir, Manifest: m}, err
}

// diffWriter prints the differences between two snapshots one by one, during the comparison. It
// does not collect them first, because they may not fit into memory. At the end it prints the
// totals.
type diffWriter struct {
	to    io.Writer
	rows  bool
	table *tabwriter.Writer // writer that aligns columns; nil if JSON is printed
	n     int
}

// diffBlock is the number of lines in a block of the printed table. Each block repeats the header,
// and its columns are aligned separately.
const diffBlock = 500

// changeLine is one difference between two snapshots, for output as JSON. Its fields are the
// columns of changes.parquet. Key, Old and New hold the JSON of those columns.
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
	if !w.rows {
		return nil
	}
	if w.table == nil {
		return cli.PrintJSON(w.to, changeLine{r.Table, object(r.Key), r.Change, object(r.Old), object(r.New), r.Reason,
			r.SourceKeys, r.ArchiveSHA256, r.Keys})
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
	_, err := fmt.Fprintf(w.table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Table, r.Change, r.Reason, dash(r.SourceKeys), key,
		dash(object(r.Old)), dash(object(r.New)))
	return err
}

// object returns JSON text as raw JSON, so that it is not printed as a quoted string. For nil it
// returns nil, which is printed as null.
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

// end prints totals, which has the number of differences in each table between the snapshots from
// and to.
func (w *diffWriter) end(from, to snapshots.ID, totals []diff.TableTotals) error {
	all := map[string]any{"from": from, "to": to, "totals": totals}
	if w.table == nil {
		return cli.PrintJSON(w.to, all)
	}
	return errors.Join(w.table.Flush(), printText(w.to, "differences", all))
}

type traceOptions struct {
	listOptions
	Archive string `flag:"archive" usage:"directory of the archive (default: the one of the data directory)"`
	Table   string `flag:"table" required:"" usage:"table or embargoed dataset"`
}

func (a *app) traceSnapshot(ctx context.Context, o *traceOptions, args []string) error {
	dir, err := snapshotDir(o.Data, args[0])
	if err != nil {
		return err
	}
	a.noteWithdrawal(dir)
	t, err := trace.TraceTable(ctx, dir, o.Table)
	var unknown *snapshots.UnknownNameError
	if errors.As(err, &unknown) {
		return cli.NewUsageError(err)
	}
	if err != nil {
		return err
	}
	o.Archive = cmp.Or(o.Archive, protected.ArchiveDir(o.Data))
	operator, err := secrets.ManifestKey(o.Data, a.secret)
	if err != nil && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	if err := trace.AddFetchRecords(t, o.Archive, operator); err != nil {
		return err
	}
	return a.show(o.JSON, "trace", t)
}
