package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"labour/pipeline"
	"labour/pipeline/config"
	"labour/sources"
	"labour/sources/all"
	"labour/sources/archive"
)

// sourceFlags are the flags of the source commands.
type sourceFlags struct {
	config, data string
	json         bool
}

func newSourceCmd(a *app) *cobra.Command {
	return group("source", "Look at the configured sources", sourceCmd(a, "list", "Licence, terms, cadence and freshness of each source", listSources),
		sourceCmd(a, "check", "Is the configuration of the sources complete?", checkSources))
}

func sourceCmd(a *app, use, short string, do func(*app, sourceFlags) error) *cobra.Command {
	var f sourceFlags
	c := &cobra.Command{Use: use, Short: short, Args: exactly(0), RunE: func(*cobra.Command, []string) error { return do(a, f) }}
	c.Flags().StringVar(&f.config, "config", "labour.yaml", "configuration file")
	c.Flags().StringVar(&f.data, "data", "data", "data directory")
	c.Flags().BoolVar(&f.json, "json", false, "print as JSON")
	return c
}

// sourceLine is one source as the commands print it.
type sourceLine struct {
	Key         string          `json:"key"`
	Publisher   string          `json:"publisher"`
	Licence     string          `json:"licence"`
	Link        string          `json:"link"`
	Statement   string          `json:"attribution_statement"`
	Cadence     sources.Cadence `json:"cadence"`
	MayCount    bool            `json:"may_be_counted"`
	MayRepub    bool            `json:"may_be_republished"`
	MaySummary  bool            `json:"may_be_summarised"`
	LastSuccess *time.Time      `json:"last_success_at"`
	Stale       bool            `json:"stale"`
}

func configured(f sourceFlags) (*config.Config, []sources.Source, error) {
	c, err := config.Load(f.config)
	if err != nil {
		return nil, nil, err
	}
	list, err := all.List(c.Sources, all.Platform{Name: c.Platform.Name, Link: c.Platform.Link, Feed: c.Platform.Feed})
	return c, list, err
}

func listSources(a *app, f sourceFlags) (err error) {
	c, list, err := configured(f)
	if err != nil {
		return err
	}
	store, err := archive.Open(pipeline.ArchiveDir(f.data))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	lines := make([]sourceLine, 0, len(list))
	for _, s := range list {
		i := s.Info()
		l := sourceLine{Key: i.Key, Publisher: i.Publisher, Licence: i.Licence, Link: i.Link, Cadence: i.Cadence, Stale: true,
			Statement: i.Statement.For(c.Platform.Name, sources.DateOf(a.now())),
			MayCount:  i.Terms.Count, MayRepub: i.Terms.Republish, MaySummary: i.Terms.Summarise}
		if at, ok := store.LastWhole(i.Key); ok {
			l.LastSuccess, l.Stale = &at, a.now().Sub(at) > 2*i.Cadence.Period()
		}
		lines = append(lines, l)
	}
	if f.json {
		e := json.NewEncoder(a.stdout)
		e.SetEscapeHTML(false)
		return e.Encode(lines)
	}
	return printSources(a, lines)
}

func printSources(a *app, lines []sourceLine) error {
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "SOURCE\tCADENCE\tLAST SUCCESS\tSTALE\tCOUNTED\tREPUBLISHED\tSUMMARISED\tLICENCE")
	yes := map[bool]string{true: "yes", false: "no"}
	for _, l := range lines {
		last := "never"
		if l.LastSuccess != nil {
			last = l.LastSuccess.Format(time.RFC3339)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", l.Key, l.Cadence, last, yes[l.Stale], yes[l.MayCount], yes[l.MayRepub], yes[l.MaySummary], l.Licence)
	}
	return t.Flush()
}

func checkSources(a *app, f sourceFlags) error {
	_, list, err := configured(f)
	if err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	if len(list) == 0 {
		return fmt.Errorf("%w: no source is configured; add a block under sources, or platform.feed", errRefused)
	}
	fmt.Fprintf(a.stdout, "%d sources are complete\n", len(list))
	return nil
}
