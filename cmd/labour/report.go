package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/pipeline/cells/engine"
	"labour/snapshots"
	"labour/sources"
)

// listOptions are the flags of commands that print what is in a data directory.
type listOptions struct {
	cli.DataFlag
	cli.JSONFlag
}

func newReportCmd(a *app) *cobra.Command {
	return cli.Command("report [ID|DATE]", "Print the report of a run: records, adverts, faults with their reasons, tables", cli.Between(0, 1), listOptions{},
		func(ctx context.Context, o *listOptions, args []string) error {
			store, err := snapshots.Open(o.Data)
			if err != nil {
				return err
			}
			id, err := reported(ctx, store, args)
			if err != nil {
				return err
			}
			report, err := pipeline.ReadReport(store.Dir(id))
			if err != nil {
				return err
			}
			if o.JSON {
				return cli.PrintJSON(a.stdout, report)
			}
			return printReport(a.stdout, o.Data, id, report)
		})
}

// reported is the snapshot that was asked for, or the newest one of all or of a date.
func reported(ctx context.Context, store *snapshots.Store, args []string) (snapshots.ID, error) {
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	if id, err := snapshots.ParseID(name); err == nil {
		return id, nil
	}
	if _, err := sources.ParseDate(name); name != "" && err != nil {
		return "", cli.Usage(fmt.Errorf("%q is neither the ID of a snapshot nor a date like 2026-11-20", name))
	}
	entries, err := store.List(ctx)
	if err != nil {
		return "", err
	}
	for _, e := range slices.Backward(entries) { // newest first
		if e.Err == nil && (name == "" || e.ID.Date().Format(time.DateOnly) == name) {
			return e.ID, nil
		}
	}
	return "", errors.New(strings.TrimSpace("there is no snapshot " + name))
}

// printReport is the report of a snapshot of a data directory as a person reads it.
func printReport(w io.Writer, data string, id snapshots.ID, r *pipeline.Report) error {
	fmt.Fprintf(w, "Snapshot %s, as of %s\n\n", id, r.AsOf)
	t := cli.Table(w, "SOURCE\tRECORDS\tADVERTS\tCOUNTED\tIN UK\tPLACED\tSOC\tSECTOR\tSKILLS\tFAULTS")
	for _, s := range r.Sources {
		var faults int64
		for _, n := range s.Faults {
			faults += n
		}
		fmt.Fprintf(t, "%s\t%d\t", s.Source, s.Received())
		if d := s.Adverts; d != nil {
			fmt.Fprintf(t, "%d\t%d\t%d\t%s\t%s\t%s\t%s\t%d\n", d.Read, d.Counted, d.InUK,
				percent(d.Placed, d.InUK), percent(d.WithSOC, d.InUK), percent(d.WithSector, d.InUK), percent(d.WithSkill, d.InUK), faults)
		} else {
			fmt.Fprintf(t, "\t\t\t\t\t\t\t%d\n", faults)
		}
	}
	for _, s := range r.Sources {
		printExclusions(t, s)
	}
	fmt.Fprintln(t, "\nTABLE\tROWS")
	for _, table := range snapshots.Tables() {
		fmt.Fprintf(t, "%s\t%d\n", table.Name, r.Tables[table.Name])
	}
	fmt.Fprintln(t, "\nEMBARGOED DATASET\tROWS")
	for _, d := range snapshots.HeldDatasets() {
		fmt.Fprintf(t, "%s\t%d\n", d.Name, r.Held[d.Name])
	}
	printProtection(t, r)
	if err := t.Flush(); err != nil {
		return err
	}
	dir, err := snapshotDir(data, string(id))
	if err != nil {
		return err
	}
	return printFaults(w, snapshots.Within(dir, snapshots.ReportName), r)
}

// printProtection says, in the last lines of a run, how counts of people are protected and
// what that leaves to be worked out.
func printProtection(w io.Writer, r *pipeline.Report) {
	if r.Protection == nil {
		return
	}
	fmt.Fprintf(w, "\nCounts of people\t%s: %d numbers, %d \"<5\", %d withdrawn by the audit\n", r.Protection.Protection,
		r.People["number"], r.People["under_5"], r.Withheld["withdrawn_by_the_audit"])
	if r.Protection.WorkedOut > 0 {
		fmt.Fprintf(w, "WARNING\t%d groups of 1 to 4 people can be worked out from what is printed; people.protection: rounded prevents it\n", r.Protection.WorkedOut)
	}
}

func printExclusions(w io.Writer, s *pipeline.SourceReport) {
	if s.Adverts != nil {
		for _, reason := range slices.Sorted(maps.Keys(s.Adverts.Excluded)) {
			fmt.Fprintf(w, "\n%s excluded\t%s\t%d", s.Source, reason, s.Adverts.Excluded[reason])
		}
	}
	for _, code := range slices.Sorted(maps.Keys(s.Faults)) {
		fmt.Fprintf(w, "\n%s fault\t%s\t%d", s.Source, code, s.Faults[code])
	}
	for _, c := range s.Carried {
		fmt.Fprintf(w, "\n%s carried\t%s\t%s", s.Source, c.Part, c.Advice())
	}
	if len(s.Faults)+len(s.Carried) > 0 || s.Adverts != nil && len(s.Adverts.Excluded) > 0 {
		fmt.Fprintln(w)
	}
}

func faultLine(f sources.Fault) string {
	return fmt.Sprintf("  %s: %s", strings.TrimSpace(f.Object+" "+f.Where), f.Detail)
}

// faultSamples is how many faults of a source are written out.
const faultSamples = 5

// printFaults writes out the first faults of each source, and says where all are.
func printFaults(w io.Writer, file string, r *pipeline.Report) error {
	var all int64
	lines := func(source string, faults []sources.Fault) {
		for i, f := range faults[:min(len(faults), faultSamples)] {
			if i == 0 {
				fmt.Fprintf(w, "\nFaults of %s\n", source)
			}
			fmt.Fprintln(w, faultLine(f))
		}
	}
	for _, f := range r.Fetched {
		all += int64(len(f.Faults))
		if f.Err != "" { // of which its faults are the parts
			fmt.Fprintf(w, "\nNot fetched: %s: %s\n", f.Source, f.Err)
			continue
		}
		lines(f.Source, f.Faults)
	}
	for _, s := range r.Sources {
		for _, n := range s.Faults {
			all += n
		}
		lines(s.Source, s.Samples)
	}
	if all == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "\nFaults in all: %d, counted in %s with samples of each kind\n", all, file)
	return err
}

// figuresLine counts the figures of one field of one endpoint in one place.
type figuresLine struct {
	Endpoint     string `json:"endpoint"`
	Field        string `json:"field"`
	Place        string `json:"place"` // "" = all places
	Numbers      int64  `json:"numbers"`
	Under5       int64  `json:"under_5"`
	NotPublished int64  `json:"not_published"`
}

// figuresReport is what `labour snapshot report` prints.
type figuresReport struct {
	Snapshot   snapshots.ID      `json:"snapshot"`
	PeopleAsOf *snapshots.Date   `json:"people_as_of"`
	Figures    []figuresLine     `json:"figures"`
	Withheld   map[string]int64  `json:"withheld"` // people_turned_down by rule, in all places
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
	if r.Figures, err = countFigures(ctx, store.Dir(id)); err != nil {
		return err
	}
	report, err := pipeline.ReadReport(store.Dir(id))
	if err != nil {
		return err
	}
	r.Withheld, r.Protection = report.Withheld, manifest.People
	if o.JSON {
		return cli.PrintJSON(a.stdout, r)
	}
	return printFigures(a.stdout, r)
}

//go:embed sql/figures.sql
var figuresSQL string

// countFigures counts the released tables of people.
func countFigures(ctx context.Context, dir string) (lines []figuresLine, err error) {
	duckdb, err := engine.OpenDuckDB(ctx, engine.Limits{TempDir: os.TempDir()})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, duckdb.Close()) }()
	for _, table := range []string{"people", "residents", "candidates", "s106", "course_demand"} {
		if err := duckdb.Number(ctx, table, snapshots.Within(dir, snapshots.TableFileName(table)), false); err != nil {
			return nil, err
		}
	}
	lines = []figuresLine{}
	rows, err := duckdb.Ask(ctx, figuresSQL)
	if err != nil {
		return nil, err
	}
	defer rows.Close() // Err says what went wrong
	for rows.Next() {
		var l figuresLine
		if err := rows.Scan(&l.Endpoint, &l.Field, &l.Place, &l.Numbers, &l.Under5, &l.NotPublished); err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	return lines, rows.Err()
}

func printFigures(w io.Writer, r figuresReport) error {
	asOf := "no figures of people"
	if r.PeopleAsOf != nil {
		asOf = "figures of people as of " + r.PeopleAsOf.String()
	}
	fmt.Fprintf(w, "Snapshot %s, %s\n\n", r.Snapshot, asOf)
	t := cli.Table(w, "ENDPOINT\tFIELD\tPLACE\tNUMBERS\t<5\tNOT PUBLISHED")
	for _, l := range r.Figures {
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%d\t%d\n", l.Endpoint, l.Field, cmp.Or(l.Place, "(all)"), l.Numbers, l.Under5, l.NotPublished)
	}
	fmt.Fprintln(t, "\npeople_turned_down withheld by\tFIGURES")
	for _, reason := range slices.Sorted(maps.Keys(r.Withheld)) {
		fmt.Fprintf(t, "%s\t%d\n", reason, r.Withheld[reason])
	}
	if r.Protection != nil {
		fmt.Fprintf(t, "\nprotection\t%s\ngroups of 1 to 4 that can be worked out\t%d\n", r.Protection.Protection, r.Protection.WorkedOut)
	}
	return t.Flush()
}
