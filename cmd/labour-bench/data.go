package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/sources"
	"labour/sources/sandbox"
)

type worldSize struct {
	name string
	sandbox.Size
}

func worldSizes() []worldSize {
	return []worldSize{
		{"city", sandbox.Size{Adverts: 50_000, Residents: 100_000, Applications: 300_000}},
		{"nation", sandbox.Size{Adverts: 1_000_000, Residents: 1_000_000, Applications: 5_000_000}},
		{"continent", sandbox.Size{Adverts: 10_000_000, Residents: 10_000_000, Applications: 50_000_000}},
	}
}

// worldSizeNamed returns the size of a generated data set. name is "city", "nation" or "continent",
// or the numbers of adverts, residents and applications, such as "2000,5000,20000".
func worldSizeNamed(name string) (worldSize, error) {
	var names []string
	own := worldSize{name: name}
	if n, _ := fmt.Sscanf(name, "%d,%d,%d", &own.Adverts, &own.Residents, &own.Applications); n == 3 {
		return own, nil
	}
	for _, s := range worldSizes() {
		if s.name == name {
			return s, nil
		}
		names = append(names, s.name)
	}
	return worldSize{}, cli.NewUsageError(fmt.Errorf("no size %q: there are %s, or three numbers such as 2000,5000,20000",
		name,
		strings.Join(names, ", ")))
}

// configFile and the other constants name the files in a directory of made-up data for
// measurements.
const (
	// fetchedDir is the name of the data directory with the archive of fetched made-up data.
	fetchedDir = "fetched"
	// configFile is the configuration of the made-up publishers, which no longer respond.
	configFile = "labour.yaml"
	// aboutFile states how the made-up data was made. Its content is a madeWorld.
	aboutFile = "about.json"
)

// madeWorld is the content of about.json. It states how a set of made-up data was made, and how
// many records it has.
type madeWorld struct {
	Size         string `json:"size"`
	Seed         uint64 `json:"seed"`
	AsOf         string `json:"as_of"`
	Adverts      int    `json:"adverts"` // number of adverts in all sources together
	Residents    int    `json:"residents"`
	Applications int    `json:"applications"`
	FeedBytes    int64  `json:"feed_bytes"`
}

// dataOptions holds the flags of `labour-bench data`. The date has a fixed default, so that the
// same flags always give the same data.
type dataOptions struct {
	Dir  string `flag:"dir" required:"" usage:"directory to write to; it must not hold data yet"`
	Size string `flag:"size" default:"city" usage:"city, nation, continent, or adverts,residents,applications"`
	AsOf string `flag:"as-of" default:"2026-11-20" usage:"date of the made-up world, YYYY-MM-DD"`
	Seed uint64 `flag:"seed" default:"7" usage:"seed of the made-up world"`
}

func newDataCmd() *cobra.Command {
	c := cli.NewCommand("data", "Make a world of a chosen size, and fetch its sources into an archive", cli.ExactArgs(0),
		dataOptions{},
		func(ctx context.Context, o *dataOptions, _ []string) error {
			made, err := makeData(ctx, *o)
			if err == nil {
				fmt.Printf("%s: %d adverts, %d residents, %d applications; feed %d MB, in %s\n", made.Size,
					made.Adverts, made.Residents, made.Applications, made.FeedBytes>>20, o.Dir)
			}
			return err
		})
	c.Long = "Make data to measure with: the connectors fetch the platform's feed and what the\n" +
		"other publishers answer, in the real formats, into an archive. The same seed, size and\n" +
		"date give the same bodies. Sizes: city (50 thousand adverts, 100 thousand residents,\n" +
		"300 thousand applications), nation (1 million, 1 million, 5 million), continent (10\n" +
		"million, 10 million, 50 million). Records are made one by one: memory stays bounded.\n\n" + cli.ExitHelp
	return c
}

// makeData makes a feed of made-up data, fetches it into an archive and removes the feed. It writes
// about.json last. A directory without that file is incomplete.
func makeData(ctx context.Context, o dataOptions) (made madeWorld, err error) {
	size, err := worldSizeNamed(o.Size)
	if err != nil {
		return made, err
	}
	asOf, err := sources.ParseDate(o.AsOf)
	if err != nil {
		return made, cli.NewUsageError(fmt.Errorf("--as-of: %w", err))
	}
	if _, err := os.Stat(filepath.Join(o.Dir, aboutFile)); !errors.Is(err, fs.ErrNotExist) {
		return made, cli.NewUsageError(fmt.Errorf("%s holds data already; choose another directory", o.Dir))
	}
	p := newProgress()
	defer p.End()
	p.Step("make a world")
	world, err := sandbox.New(o.Seed, asOf, size.Size)
	if err != nil {
		return made, err
	}
	p.Step("write the feed")
	feed := filepath.Join(o.Dir, "feed")
	defer func() { err = errors.Join(err, os.RemoveAll(feed)) }()
	if err := world.WriteFeed(feed); err != nil {
		return made, err
	}
	made = madeWorld{Size: size.name, Seed: o.Seed, AsOf: o.AsOf, Adverts: size.Adverts, Residents: size.Residents,
		Applications: size.Applications}
	if made.FeedBytes, err = bytesUnder(feed); err != nil {
		return made, err
	}
	p.Step("fetch it")
	if err := fetchWorld(ctx, world, o.Dir, asOf); err != nil {
		return made, err
	}
	return made, writeJSON(filepath.Join(o.Dir, aboutFile), made)
}

// fetchWorld starts the simulated publishers of a made-up world and fetches their data into the
// archive in dir. asOf is the date that the data describes.
func fetchWorld(ctx context.Context, world *sandbox.World, dir string, asOf sources.Date) error {
	c, stop, err := cli.ServeSimulatedPublishers(world, dir, configFile, "feed", "")
	if err != nil {
		return err
	}
	defer stop()
	fetched, err := pipeline.Fetch(ctx, pipeline.Options{Config: c, DataDir: filepath.Join(dir, fetchedDir), AsOf: asOf,
		Now: now, Log: logger(), LookupSecret: secret, ToolVersion: "bench"})
	for _, f := range fetched {
		if f.Err != "" || len(f.Faults) > 0 {
			err = errors.Join(err, fmt.Errorf("fetch %s: %s %v", f.Source, f.Err, f.Faults))
		}
	}
	return err
}

// secret returns the secret with the given name, and whether it is set. It has a built-in API key
// for the simulated apprenticeship service, and reads other secrets from the environment.
func secret(name string) (string, bool) {
	if name == sandbox.ApprenticeshipAPIKeyEnv {
		return sandbox.ApprenticeshipAPIKey, true
	}
	return os.LookupEnv(name)
}

func bytesUnder(dir string) (n int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			n += info.Size()
		}
		return err
	})
	return n, err
}
