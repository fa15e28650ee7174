package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strings"
	"time"

	"labour/cmd/internal/cli"
	"labour/pipeline/config"
	"labour/pipeline/corrections"
	"labour/pipeline/lists"
	"labour/pipeline/protected"
	"labour/pipeline/report"
	"labour/snapshots"
	"labour/snapshots/store"
	"labour/sources"
	"labour/sources/all"
	"labour/sources/archive"
	"labour/sources/findanapprenticeship"
	"labour/sources/platform"
)

type sourceOptions struct {
	listOptions
	Config string `flag:"config" default:"labour.yaml" usage:"configuration file"`
}

// sourceTerms describes a configured source in the output of commands: its publisher, licence and
// terms of use.
type sourceTerms struct {
	Key        string          `json:"key"`
	Publisher  string          `json:"publisher"`
	Title      string          `json:"title"`
	Kind       sources.Kind    `json:"kind"`
	Licence    string          `json:"licence"`
	Link       string          `json:"link"`
	Statement  string          `json:"attribution_statement"`
	Cadence    sources.Cadence `json:"cadence"`
	MayFetch   bool            `json:"may_be_fetched"`
	MayCount   bool            `json:"may_be_counted"`
	MayRepub   bool            `json:"may_be_republished"`
	MaySummary bool            `json:"may_be_summarised"`
}

// sourceLine is one line in the output of `labour source list`: a source and its freshness. Rows,
// Counted and Coded come from the current snapshot. They are null if there is no current snapshot
// or if it has no data of the source.
type sourceLine struct {
	sourceTerms
	// time of the last successful fetch of any part of the source
	LastSuccess *time.Time `json:"last_success_at"`
	// true if at least half of the source's parts are stale
	Stale      bool         `json:"stale"`
	Parts      int          `json:"parts"`
	PartsStale int          `json:"parts_stale"`
	Rows       *int64       `json:"rows"`
	Counted    *int64       `json:"adverts_counted"`
	Coded      *codedShares `json:"coded_pct"`
	// Carried lists the parts of the source whose last fetch failed. An older fetch is used for
	// them.
	Carried []report.CarriedForwardPart `json:"carried"`
}

// codedShares holds percentages of a source's UK adverts, 0 to 100: those with a place, an
// occupation, a sector or a skill. A percentage is null if there are no adverts.
type codedShares struct {
	Place  *float64 `json:"place"`
	SOC    *float64 `json:"soc"`
	Sector *float64 `json:"sector"`
	Skill  *float64 `json:"skill"`
}

// loadSources reads the configuration file and returns its sources. Faults in the file are usage
// errors.
func loadSources(file string) (c *config.Config, list []sources.Source, err error) {
	if c, err = config.Load(file); err == nil {
		list, err = all.ConfiguredSources(c.Sources, c.Platform)
	}
	if err != nil {
		return nil, nil, cli.NewUsageError(err)
	}
	return c, list, nil
}

// checkDecided returns a usage error if a correction was decided in the future: after today and
// after asOf, the date that the data describe.
func (a *app) checkDecided(c *config.Config, asOf sources.Date) error {
	last := sources.DateOf(a.now())
	if last.Before(asOf) {
		last = asOf
	}
	if err := corrections.CheckNotDecidedAfter(c.Corrections, last); err != nil {
		return cli.NewUsageError(fmt.Errorf("corrections %s: %w", c.CorrectionsFile, err))
	}
	return nil
}

func (a *app) listSources(_ context.Context, o *sourceOptions, _ []string) (err error) {
	c, list, err := loadSources(o.Config)
	if err != nil {
		return err
	}
	delivered, err := currentReport(o.Data)
	if err != nil {
		return err
	}
	archived, err := archive.Open(protected.ArchiveDir(o.Data))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, archived.Close()) }()
	lines := make([]sourceLine, 0, len(list))
	for _, s := range list {
		l := sourceLine{sourceTerms: termsOf(s.Info(), c.Platform.Name, a.now()), Carried: []report.CarriedForwardPart{}}
		parts, err := lists.FreshnessRows(archived, s, archive.AllExtracts)
		if err != nil {
			return err
		}
		fresh := snapshots.FreshnessOf(string(l.Cadence), parts, a.now())
		l.LastSuccess = fresh.LastSuccessAt
		l.Stale = fresh.IsStale()
		l.Parts = fresh.Parts
		l.PartsStale = fresh.Stale
		l.deliver(delivered[l.Key])
		lines = append(lines, l)
	}
	return a.show(o.JSON, "sources", lines)
}

func termsOf(i sources.Info, platform string, now time.Time) sourceTerms {
	return sourceTerms{Key: i.Key, Publisher: i.Publisher, Title: i.Title, Kind: i.Kind, Licence: i.Licence,
		Link: i.Link, Cadence: i.Cadence,
		Statement: i.Statement.FillPlaceholders(platform, sources.DateOf(now)),
		MayFetch:  i.Terms.MayFetch, MayCount: i.Terms.MayCount, MayRepub: i.Terms.MayRepublish,
		MaySummary: i.Terms.MaySummarise}
}

// currentReport reads the report of the current snapshot. It returns the report's entries by source
// key, or nil if there is no current snapshot.
func currentReport(data string) (map[string]*report.SourceEntry, error) {
	folder, err := store.Open(data) // works before the first run, too
	if err != nil {
		return nil, err
	}
	var r *report.Report
	id, err := folder.Current()
	if errors.Is(err, store.ErrNoCurrent) {
		return nil, nil
	}
	if err == nil {
		r, err = report.Read(folder.SnapshotDir(id))
	}
	if err != nil {
		return nil, err
	}
	by := map[string]*report.SourceEntry{}
	for _, s := range r.Sources {
		by[s.Source] = s
	}
	return by, nil
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

func (l *sourceLine) deliver(r *report.SourceEntry) {
	if r == nil {
		return
	}
	l.Rows = &r.Records
	if len(r.Carried) > 0 {
		l.Carried = r.Carried
	}
	if a := r.Adverts; a != nil {
		share := func(n, of int64) *float64 {
			if of == 0 {
				return nil
			}
			pct := math.Round(1000*float64(n)/float64(of)) / 10
			return &pct
		}
		l.Counted = &a.Counted
		l.Coded = &codedShares{Place: share(a.Placed, a.InUK), SOC: share(a.WithSOC, a.InUK),
			Sector: share(a.WithSector, a.InUK), Skill: share(a.WithSkill, a.Readable())}
	}
}

// checkSources checks the configuration and prints the terms of use of each source.
func (a *app) checkSources(_ context.Context, o *sourceOptions, _ []string) error {
	c, list, err := loadSources(o.Config)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return cli.NewUsageError(errors.New("no source is configured; add a block under sources, or platform.feed"))
	}
	if err := a.checkDecided(c, sources.DateOf(a.now())); err != nil {
		return err
	}
	lines := make([]sourceTerms, 0, len(list))
	for _, s := range list {
		lines = append(lines, termsOf(s.Info(), c.Platform.Name, a.now()))
	}
	err = a.show(o.JSON, "terms", lines)
	if err != nil || o.JSON {
		return err
	}
	fmt.Fprintf(a.stdout, "complete sources: %d\n", len(list))
	a.printMissing(c, sources.InfosOf(list))
	return nil
}

// printMissing prints a line for each part of the configuration that has no effect yet: a
// correction of a source that is not configured, or a source that cannot be fetched. infos
// describes the configured sources.
func (a *app) printMissing(c *config.Config, infos []sources.Info) {
	_, remarks := corrections.SplitBySource(c.Corrections, infos)
	for _, text := range remarks {
		fmt.Fprintf(a.stdout, "but %s\n", text)
	}
	if feed := c.Platform.FeedAddress; feed != "" && !strings.Contains(feed, "://") {
		if _, err := os.Stat(feed); errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(a.stdout, "but %s cannot be fetched yet: there is no directory %s\n", platform.Key, feed)
		}
	}
	a.printMissingSecret(platform.Key, c.Platform.FeedKeyEnv)
	if s := c.Sources.FindAnApprenticeship; s != nil {
		a.printMissingSecret(findanapprenticeship.Key, cmp.Or(s.KeyEnv, findanapprenticeship.DefaultKeyEnv))
	}
}

// printMissingSecret prints a line if a source cannot be fetched, because the environment does not
// have the secret with the given name. It prints nothing if name is "".
func (a *app) printMissingSecret(source, name string) {
	if name == "" {
		return
	}
	if _, ok := a.secret(name); !ok {
		fmt.Fprintf(a.stdout, "but %s cannot be fetched yet: the environment has no %s\n", source, name)
	}
}
