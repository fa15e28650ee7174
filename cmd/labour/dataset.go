package main

import (
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/pipeline/release"
	"labour/snapshots"
)

func newDatasetCmd(a *app) *cobra.Command {
	return cli.Group("dataset", "The six embargoed datasets: which is open, and on which evidence",
		newDatasetListCmd(a), newDatasetOpenCmd(a), newDatasetCloseCmd(a))
}

// datasetLine is one embargoed dataset as `labour dataset list` prints it.
type datasetLine struct {
	Dataset   string          `json:"dataset"`
	Content   string          `json:"content"`
	WaitsOn   string          `json:"waits_on"`
	Open      bool            `json:"open"` // as decided; takes effect with the next snapshot
	Evidence  string          `json:"evidence,omitempty"`
	DecidedOn *snapshots.Date `json:"decided_on,omitempty"`
	DecidedBy string          `json:"decided_by,omitempty"`
	Answered  bool            `json:"answered"` // by the current snapshot
	Rows      *int64          `json:"rows"`     // in the current snapshot; null when it holds none
}

func newDatasetListCmd(a *app) *cobra.Command {
	var data string
	var asJSON bool
	c := &cobra.Command{Use: "list", Short: "List the embargoed datasets with what they wait on, and what was decided", Args: cli.Exactly(0),
		RunE: func(*cobra.Command, []string) error { return listDatasets(a, data, asJSON) }}
	c.Flags().StringVar(&data, "data", "data", "data directory")
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return c
}

func listDatasets(a *app, data string, asJSON bool) error {
	journal, err := release.Read(data)
	if err != nil {
		return err
	}
	current, err := currentManifest(data)
	if err != nil {
		return err
	}
	var lines []datasetLine
	for _, s := range journal.States() {
		known, _ := snapshots.HeldNamed(s.Name)
		now := current.HeldNamed(s.Name)
		lines = append(lines, datasetLine{Dataset: s.Name, Content: known.Content, WaitsOn: s.Condition, Open: s.Open, Evidence: s.Evidence,
			DecidedOn: s.DecidedOn, DecidedBy: s.DecidedBy, Answered: now.Answered(), Rows: now.Rows})
	}
	if asJSON {
		return cli.PrintJSON(a.stdout, lines)
	}
	return printDatasets(a, lines)
}

// currentManifest is that of the promoted snapshot; empty when there is none yet.
func currentManifest(data string) (snapshots.Manifest, error) {
	store, err := snapshots.Open(data)
	if err != nil {
		return snapshots.Manifest{}, err
	}
	id, err := store.Current()
	if errors.Is(err, snapshots.ErrNoCurrent) {
		return snapshots.Manifest{}, nil
	}
	if err != nil {
		return snapshots.Manifest{}, err
	}
	return store.Manifest(id)
}

func printDatasets(a *app, lines []datasetLine) error {
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "DATASET\tDECIDED\tON\tBY\tANSWERED\tROWS\tWAITS ON\tEVIDENCE")
	decided := map[bool]string{true: "open", false: "closed"}
	answered := map[bool]string{true: "yes", false: "no"}
	for _, l := range lines {
		on, rows := "-", "-"
		if l.DecidedOn != nil {
			on = l.DecidedOn.String()
		}
		if l.Rows != nil {
			rows = fmt.Sprint(*l.Rows)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.Dataset, decided[l.Open], on, l.DecidedBy, answered[l.Answered], rows, l.WaitsOn, l.Evidence)
	}
	return t.Flush()
}

func newDatasetOpenCmd(a *app) *cobra.Command {
	var data, evidence, by string
	c := &cobra.Command{Use: "open NAME --evidence URL", Short: "Record that the condition of an embargoed dataset is met", Args: cli.Exactly(1),
		Long: "Record that the condition of an embargoed dataset is met, and where that can be read.\nThe next snapshot answers the dataset and shows the evidence to auditors.\n\n" + cli.ExitHelp,
		RunE: func(_ *cobra.Command, args []string) error {
			return decide(a, data, args[0], func(j *release.Journal) error { return j.Open(a.now(), args[0], evidence, by) })
		}}
	c.Flags().StringVar(&data, "data", "data", "data directory")
	c.Flags().StringVar(&evidence, "evidence", "", "http(s) address where it is recorded that the condition is met (required)")
	c.Flags().StringVar(&by, "by", "", "who decided: a role or a board, shown to auditors")
	return c
}

func newDatasetCloseCmd(a *app) *cobra.Command {
	var data, by string
	c := &cobra.Command{Use: "close NAME", Short: "Stop answering an embargoed dataset", Args: cli.Exactly(1),
		Long: "Record that an embargoed dataset shall not be answered any more. The next snapshot\nanswers 403 again; snapshots that are kept stay as they were sealed.\n\n" + cli.ExitHelp,
		RunE: func(_ *cobra.Command, args []string) error {
			return decide(a, data, args[0], func(j *release.Journal) error { return j.Close(a.now(), args[0], by) })
		}}
	c.Flags().StringVar(&data, "data", "data", "data directory")
	c.Flags().StringVar(&by, "by", "", "who decided: a role or a board, shown to auditors")
	return c
}

// decide records a decision and says what it means.
func decide(a *app, data, name string, record func(*release.Journal) error) error {
	journal, err := release.Read(data)
	if err != nil {
		return err
	}
	if err := record(journal); errors.Is(err, release.ErrUnfit) {
		return cli.Usage(err)
	} else if err != nil {
		return err
	}
	decision, _ := journal.Latest(name)
	is := "closed"
	if decision.Open {
		is = "open"
	}
	_, err = fmt.Fprintf(a.stdout, "%s is recorded as %s; the next snapshot that is promoted will say so.\n", name, is)
	return err
}
