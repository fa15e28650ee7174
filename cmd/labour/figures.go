package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"labour/cmd/labour/internal/cli"
	"labour/pipeline"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
)

func newSnapshotReportCmd(a *app) *cobra.Command {
	var data string
	var asJSON, reasons bool
	c := &cobra.Command{Use: "report [ID]", Short: "Count the figures of people by what is printed, per endpoint and place",
		Long: "Count the figures of people of a snapshot (default: the current one) by what is\nprinted of them: numbers, \"<5\", and withheld, per endpoint and place, with the totals\nby rule that the snapshot itself publishes.\n\n" +
			"--reasons adds the rules by place. They come from the protected zone of the data\ndirectory that the snapshot was made in: which rule withheld a figure of one place\nsays something of the people behind it, so keep that part to yourself.\n\n" + cli.ExitHelp,
		Args: cli.Between(0, 1),
		RunE: func(_ *cobra.Command, args []string) error { return reportFigures(a, data, args, asJSON, reasons) }}
	c.Flags().StringVar(&data, "data", "data", "data directory")
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	c.Flags().BoolVar(&reasons, "reasons", false, "add the rules by place, from the protected zone; not for publication")
	return c
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
	Snapshot   snapshots.ID         `json:"snapshot"`
	PeopleAsOf *snapshots.Date      `json:"people_as_of"`
	Figures    []figuresLine        `json:"figures"`
	Withheld   map[string]int64     `json:"withheld"` // people_turned_down by rule, in all places
	Audit      pipeline.AuditReport `json:"audit"`
	// Reasons are for the operator alone.
	Reasons []pipeline.WithheldAt `json:"reasons_not_for_publication,omitempty"`
}

func reportFigures(a *app, data string, args []string, asJSON, reasons bool) error {
	store, err := snapshots.Open(data)
	if err != nil {
		return err
	}
	id, err := store.Current()
	if len(args) == 1 {
		if id, err = snapshots.ParseID(args[0]); err != nil {
			return cli.Usage(err)
		}
	}
	if err != nil {
		return err
	}
	manifest, err := store.Manifest(id)
	if err != nil {
		return err
	}
	r := figuresReport{Snapshot: id, PeopleAsOf: manifest.PeopleAsOf}
	if r.Figures, err = countFigures(store.Dir(id)); err != nil {
		return err
	}
	var published struct {
		Withheld map[string]int64     `json:"people_withheld"`
		Audit    pipeline.AuditReport `json:"people_audit"`
	}
	if err := readJSON(snapshots.Within(store.Dir(id), snapshots.ReportName), &published); err != nil {
		return err
	}
	r.Withheld, r.Audit = published.Withheld, published.Audit
	if reasons && manifest.PeopleAsOf != nil {
		file := pipeline.ReasonsFile(data, manifest.PeopleAsOf.String())
		if err := readJSON(file, &r.Reasons); errors.Is(err, fs.ErrNotExist) {
			return cli.Usage(fmt.Errorf("%s is not there: run this in the data directory that the snapshot was made in", filepath.Base(file)))
		} else if err != nil {
			return err
		}
	}
	if asJSON {
		return cli.PrintJSON(a.stdout, r)
	}
	return printFigures(a.stdout, r)
}

func readJSON(file string, into any) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, into); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	return nil
}

// figuresKey names a line.
type figuresKey struct{ endpoint, field, place string }

// figuresCount is the lines while they are counted.
type figuresCount map[figuresKey]*figuresLine

func (f figuresCount) add(endpoint, field, place string, s figure.Status) {
	k := figuresKey{endpoint, field, place}
	if f[k] == nil {
		f[k] = &figuresLine{Endpoint: endpoint, Field: field, Place: place}
	}
	switch s {
	case figure.Number:
		f[k].Numbers++
	case figure.Small:
		f[k].Under5++
	default:
		f[k].NotPublished++
	}
}

func (f figuresCount) share(endpoint, field, place string, printed bool) {
	s := figure.NotPublished
	if printed {
		s = figure.Number
	}
	f.add(endpoint, field, place, s)
}

// countFigures counts the released tables of people.
func countFigures(dir string) ([]figuresLine, error) {
	const unmet = "skills-unmet"
	f := figuresCount{}
	err := errors.Join(
		eachRow(dir, "people", func(r snapshots.PeopleRow) {
			f.add(unmet, "people_turned_down", r.Place, r.PeopleTurnedDownStatus)
			f.share(unmet, "hired_with_skill_pct", r.Place, r.HiredWithSkillPct != nil)
			f.share(unmet, "turned_down_with_skill_pct", r.Place, r.TurnedDownWithSkillPct != nil)
		}),
		eachRow(dir, "residents", func(r snapshots.ResidentsRow) {
			f.share(unmet, "people_below_share_pct", r.Place, r.PeopleBelowSharePct != nil)
		}),
		eachRow(dir, "candidates", func(r snapshots.CandidatesRow) {
			place := ""
			if r.Dimension == snapshots.CandidatesBorough {
				place = r.Value
			}
			f.add("candidates", "residents", place, r.ResidentsStatus)
		}),
		eachRow(dir, "s106", func(r snapshots.S106Row) {
			f.add("s106", "local_people_employed", r.Place, r.LocalPeopleEmployedStatus)
		}),
		eachRow(dir, "course_demand", func(r snapshots.CourseDemandRow) {
			f.add("course-demand", "value", r.RegionCode, r.ValueStatus)
		}))
	lines := make([]figuresLine, 0, len(f))
	for _, l := range f {
		lines = append(lines, *l)
	}
	slices.SortFunc(lines, func(a, b figuresLine) int {
		return cmp.Or(cmp.Compare(a.Endpoint, b.Endpoint), cmp.Compare(a.Field, b.Field), cmp.Compare(a.Place, b.Place))
	})
	return lines, err
}

func eachRow[T any](dir, table string, row func(T)) error {
	return parquetio.Read(snapshots.Within(dir, snapshots.TableFileName(table)), func(r T) error { row(r); return nil })
}

func printFigures(w io.Writer, r figuresReport) error {
	asOf := "no figures of people"
	if r.PeopleAsOf != nil {
		asOf = "figures of people as of " + r.PeopleAsOf.String()
	}
	fmt.Fprintf(w, "Snapshot %s, %s\n\n", r.Snapshot, asOf)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ENDPOINT\tFIELD\tPLACE\tNUMBERS\t<5\tNOT PUBLISHED")
	for _, l := range r.Figures {
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%d\t%d\n", l.Endpoint, l.Field, cmp.Or(l.Place, "(all)"), l.Numbers, l.Under5, l.NotPublished)
	}
	fmt.Fprintln(t, "\npeople_turned_down withheld by\tFIGURES")
	for _, reason := range sortedKeys(r.Withheld) {
		fmt.Fprintf(t, "%s\t%d\n", reason, r.Withheld[reason])
	}
	fmt.Fprintf(t, "\naudit\tsystems %d, not audited %d, withdrawn on account of %d cells (%d of them unproven), errors %d\n",
		r.Audit.Systems, r.Audit.NotAudited, r.Audit.Withdrawn, r.Audit.Unproven, r.Audit.Errors)
	if len(r.Reasons) > 0 {
		fmt.Fprintln(t, "\nNOT FOR PUBLICATION: people_turned_down withheld\tPLACE\tFIGURES")
		for _, x := range r.Reasons {
			fmt.Fprintf(t, "%s\t%s\t%d\n", x.Reason, cmp.Or(x.Place, "(all)"), x.Figures)
		}
	}
	return t.Flush()
}
