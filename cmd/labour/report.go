package main

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"text/template"
	"time"

	"labour/cmd/internal/cli"
	"labour/pipeline/cells/engine"
	"labour/pipeline/cells/engine/duckdb"
	"labour/pipeline/coding"
	"labour/pipeline/coding/occupation"
	"labour/pipeline/report"
	"labour/serve/web/words"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/store"
	"labour/sources"
)

// listOptions holds the flags of commands that print information about a data directory.
type listOptions struct {
	cli.DataFlag
	cli.JSONFlag
}

func (a *app) report(ctx context.Context, o *listOptions, args []string) error {
	store, err := openData(o.Data)
	if err != nil {
		return err
	}
	id, err := findReport(ctx, store, o.Data, strings.Join(args, ""))
	if err != nil {
		return err
	}
	a.noteWithdrawal(store.SnapshotDir(id))
	read, err := report.Read(store.SnapshotDir(id))
	if err != nil {
		return err
	}
	if o.JSON {
		return cli.PrintJSON(a.stdout, read)
	}
	return printReport(a.stdout, o.Data, id, read)
}

// findReport returns the ID of a snapshot. If name is an ID, it returns that ID. If name is a date,
// it returns the newest snapshot of that date. If name is empty, it returns the newest snapshot.
func findReport(ctx context.Context, store *store.Store, data, name string) (snapshots.ID, error) {
	if id, err := snapshots.ParseID(name); err == nil {
		_, err = snapshotDir(data, name)
		return id, err
	}
	if _, err := sources.ParseDate(name); name != "" && err != nil {
		return "", cli.NewUsageError(fmt.Errorf("%q is neither the ID of a snapshot nor a date like 2026-11-20", name))
	}
	entries, err := store.List(ctx)
	if err != nil {
		return "", err
	}
	for _, e := range slices.Backward(entries) { // newest first
		if name == "" || e.ID.Date().Format(time.DateOnly) == name {
			return e.ID, e.ManifestErr
		}
	}
	of := ""
	if name != "" {
		of = " of " + name
	}
	return "", fmt.Errorf(
		"there is no snapshot%s in %s; labour snapshot list shows all, and labour run makes one", of,
		data)
}

// printReport prints r, the report of the snapshot id, as text. data is the data directory.
func printReport(w io.Writer, data string, id snapshots.ID, r *report.Report) error {
	dir, err := snapshotDir(data, string(id))
	if err != nil {
		return err
	}
	var faults int64
	for _, f := range r.Fetched {
		for _, fault := range f.Faults {
			if fault.Code != sources.FaultIncomplete { // incomplete lists are in the report of their source
				faults++
			}
		}
	}
	for _, s := range r.Sources {
		faults += sum(s.Faults)
	}
	return printText(w, "run", map[string]any{"ID": id, "Report": r, "Tables": snapshots.Tables(),
		"Embargoed": snapshots.EmbargoedDatasets(),
		"Faults":    int(faults), "File": snapshots.JoinPath(dir, snapshots.ReportFileName)})
}

// reports holds the templates with which commands print their results as text.
//
//go:embed reports
var reports embed.FS

// show prints data as JSON if asJSON is true, or as text with the template reports/NAME.txt.
func (a *app) show(asJSON bool, name string, data any) error {
	if asJSON {
		return cli.PrintJSON(a.stdout, data)
	}
	return printText(a.stdout, name, data)
}

// printText prints data as text in aligned columns, with the template reports/NAME.txt.
func printText(w io.Writer, name string, data any) error {
	return cli.PrintTemplate(cli.TableWriter(w), reports, "reports/"+name+".txt", template.FuncMap{
		"percent": percent, "sum": sum[sources.FaultCode], "yes": yes, "join": strings.Join,
		"reason": occupation.ExplainMatch, "words": wordsFor, "count": count,
		"time": func(t time.Time) string { return t.Format(time.RFC3339) },
		"fault": func(f sources.Fault) string {
			return fmt.Sprintf("  %s: %s", strings.TrimSpace(f.Object+" "+f.Where), f.Detail)
		},
		"dash": func(text *string) string {
			if text == nil {
				return "-"
			}
			return dash(*text)
		},
		"first": func(n int, list any) any {
			v := reflect.ValueOf(list)
			return v.Slice(0, min(n, v.Len())).Interface()
		},
		"skillsIn100": func(s coding.SectorCounts) int { return 100 * s.Skills / max(1, s.Adverts-s.NoText) },
	}, data)
}

// wordsFor returns the display text for a code. list is the name of a list in words.tsv. If the
// list lacks the code, wordsFor returns the code with spaces instead of underscores.
func wordsFor(list string, code any) string {
	text := fmt.Sprint(code)
	return cmp.Or(words.DisplayName(list, text), strings.ReplaceAll(text, "_", " "))
}

// count returns n with a noun in the singular or plural, such as "1 fault" or "2 faults".
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

func sum[K comparable](counts map[K]int64) (n int64) {
	for _, of := range counts {
		n += of
	}
	return n
}

// percent returns part as a share of whole in whole per cent, such as "12%", or "-" if whole is 0.
func percent(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%d%%", figure.WholePercent(part, whole))
}

// figuresLine describes one field of an API endpoint, for one place. It counts the field's figures
// about people: those shown as a number, those shown as "<5" and those not published.
type figuresLine struct {
	Endpoint     string `json:"endpoint"`
	Field        string `json:"field"`
	Place        string `json:"place"` // slug of the place; "" = all places
	Numbers      int64  `json:"numbers"`
	Under5       int64  `json:"under_5"`
	NotPublished int64  `json:"not_published"`
}

type figuresReport struct {
	Snapshot   snapshots.ID    `json:"snapshot"`
	PeopleAsOf *snapshots.Date `json:"people_as_of"`
	Figures    []figuresLine   `json:"figures"`
	// number of figures of people_turned_down that a rule withholds, by the rule's name
	Withheld   map[string]int64  `json:"withheld"`
	Protection *snapshots.People `json:"protection"`
}

func (a *app) reportFigures(ctx context.Context, o *listOptions, args []string) error {
	store, id, err := openSnapshot(o.Data, args)
	if err != nil {
		return err
	}
	manifest, err := store.Manifest(id)
	if err != nil {
		return err
	}
	r := figuresReport{Snapshot: id, PeopleAsOf: manifest.PeopleAsOf}
	if r.Figures, err = countFigures(ctx, store.SnapshotDir(id)); err != nil {
		return err
	}
	read, err := report.Read(store.SnapshotDir(id))
	if err != nil {
		return err
	}
	r.Withheld, r.Protection = read.Withheld, manifest.People
	return a.show(o.JSON, "figures", r)
}

// figuresSQL is the query that counts the published and unpublished figures about people.
//
//go:embed sql/figures.sql
var figuresSQL string

func countFigures(ctx context.Context, dir string) (lines []figuresLine, err error) {
	db, err := duckdb.Open(ctx, engine.Limits{TempDir: os.TempDir()})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, table := range []string{"people", "residents", "candidates", "s106_people", "course_demand"} {
		if err := db.ReadWithRowNumbers(ctx, table, snapshots.JoinPath(dir, snapshots.TableFileName(table)),
			false); err != nil {
			return nil, err
		}
	}
	lines = []figuresLine{}
	rows, err := db.Query(ctx, figuresSQL)
	if err != nil {
		return nil, err
	}
	defer rows.Close() // Err returns the error of Close
	for rows.Next() {
		var l figuresLine
		if err := rows.Scan(&l.Endpoint, &l.Field, &l.Place, &l.Numbers, &l.Under5, &l.NotPublished); err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	return lines, rows.Err()
}
