package measure

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
	"labour/pipeline/config"
	"labour/sources"
	"labour/sources/sandbox"
)

type worldSize struct {
	name string
	sandbox.Size
}

// worldSizes are the sizes that are measured, the smallest first.
func worldSizes() []worldSize {
	return []worldSize{
		{"city", sandbox.Size{Adverts: 50_000, Residents: 100_000, Applications: 300_000}},
		{"nation", sandbox.Size{Adverts: 1_000_000, Residents: 1_000_000, Applications: 5_000_000}},
		{"continent", sandbox.Size{Adverts: 10_000_000, Residents: 10_000_000, Applications: 50_000_000}},
	}
}

// worldSizeNamed is a size by its name, or by its three numbers with commas between.
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
	return worldSize{}, cli.Usage(fmt.Errorf("no size %q: there are %s, or three numbers such as 2000,5000,20000", name, strings.Join(names, ", ")))
}

// The files of a directory of made-up data.
const (
	feedDir    = "feed"        // the platform's feed, see sources/platform/FEED.md
	answersDir = "answers"     // what the other publishers answer, byte for byte
	configFile = "labour.yaml" // with baseMark for the address of the publishers
	aboutFile  = "about.json"
)

// baseMark stands for the address of the simulated publishers in the written
// configuration, since the port is not known before they run. No such host exists.
const baseMark = "http://publishers.invalid"

// madeWorld is about.json: what the data was made from, and how much it is.
type madeWorld struct {
	Size         string `json:"size"`
	Seed         uint64 `json:"seed"`
	AsOf         string `json:"as_of"`
	Adverts      int    `json:"adverts"` // in all sources
	Residents    int    `json:"residents"`
	Applications int    `json:"applications"`
	FeedBytes    int64  `json:"feed_bytes"`
	AnswerBytes  int64  `json:"answer_bytes"`
}

// dataOptions are the flags of bench data. The date is fixed, so that the same data can be
// made again on another day.
type dataOptions struct {
	Dir  string `flag:"dir" usage:"directory to write to; it must not hold data yet"`
	Size string `flag:"size" default:"city" usage:"city, nation, continent, or adverts,residents,applications"`
	AsOf string `flag:"as-of" default:"2026-11-20" usage:"date of the made-up world, YYYY-MM-DD"`
	Seed uint64 `flag:"seed" default:"7" usage:"seed of the made-up world"`
}

func newDataCmd(a *Program) *cobra.Command {
	c := cli.Command("data", "Write a platform feed and publishers' answers of a chosen size", cli.Exactly(0), dataOptions{},
		func(ctx context.Context, o *dataOptions, _ []string) error {
			made, err := a.makeSized(ctx, *o)
			if err == nil {
				fmt.Fprintf(a.Stdout, "%s: %d adverts, %d residents, %d applications; feed %d MB, answers %d MB, in %s\n", made.Size,
					made.Adverts, made.Residents, made.Applications, made.FeedBytes>>20, made.AnswerBytes>>20, o.Dir)
			}
			return err
		})
	c.Long = "Write made-up data to measure with: the platform's feed and what the other\npublishers answer, in the real formats. The same seed, size and date give the same\nbytes. Sizes: city (50 thousand adverts, 100 thousand residents, 300 thousand\napplications), nation (1 million, 1 million, 5 million), continent (10 million,\n10 million, 50 million). Records are made one by one: memory stays bounded.\n\n" + cli.ExitHelp
	cli.Required(c, "dir")
	return c
}

// makeSized makes the world and writes it. about.json comes last: data without it
// is not whole.
func (a *Program) makeSized(ctx context.Context, o dataOptions) (made madeWorld, err error) {
	size, err := worldSizeNamed(o.Size)
	if err != nil {
		return made, err
	}
	asOf, err := sources.ParseDate(o.AsOf)
	if err != nil {
		return made, cli.Usage(fmt.Errorf("--as-of: %w", err))
	}
	if _, err := os.Stat(filepath.Join(o.Dir, aboutFile)); !errors.Is(err, fs.ErrNotExist) {
		return made, cli.Usage(fmt.Errorf("%s holds data already; choose another directory", o.Dir))
	}
	return a.makeData(ctx, o, size, asOf)
}

func (a *Program) makeData(ctx context.Context, o dataOptions, size worldSize, asOf sources.Date) (made madeWorld, err error) {
	p := a.Progress()
	defer p.End()
	p.Step("make a world")
	world, err := sandbox.New(o.Seed, asOf, size.Size)
	if err != nil {
		return made, err
	}
	p.Step("write the feed")
	if err := world.WriteFeed(filepath.Join(o.Dir, feedDir)); err != nil {
		return made, err
	}
	p.Step("write the publishers' answers")
	if err := a.recordAnswers(ctx, world, o.Dir, asOf); err != nil {
		return made, err
	}
	made = madeWorld{Size: size.name, Seed: o.Seed, AsOf: o.AsOf, Adverts: size.Adverts, Residents: size.Residents, Applications: size.Applications}
	if made.FeedBytes, err = bytesUnder(filepath.Join(o.Dir, feedDir)); err != nil {
		return made, err
	}
	if made.AnswerBytes, err = bytesUnder(filepath.Join(o.Dir, answersDir)); err != nil {
		return made, err
	}
	return made, writeJSON(filepath.Join(o.Dir, aboutFile), made)
}

// recordAnswers lets the real connectors ask the simulated publishers once and
// keeps every answer, so that measuring needs no world. The feed is not asked: an
// empty directory stands in for it.
func (a *Program) recordAnswers(ctx context.Context, world *sandbox.World, dir string, asOf sources.Date) (err error) {
	work, err := os.MkdirTemp(dir, ".recording-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	live, err := world.Handler()
	if err != nil {
		return err
	}
	recorder, err := newRecorder(live, filepath.Join(dir, answersDir))
	if err != nil {
		return err
	}
	base, stop, err := cli.Loopback(recorder)
	if err != nil {
		return err
	}
	defer stop()
	text, err := world.Config("./"+feedDir, baseMark, "")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, configFile), text, 0o644); err != nil {
		return err
	}
	c, err := configuration(dir, work, base)
	if err != nil {
		return err
	}
	c.Platform.Feed = work
	fetched, err := pipeline.Fetch(ctx, pipeline.Options{Config: c, Data: filepath.Join(work, "data"), AsOf: asOf, Now: a.Now, Log: a.Log(),
		Secrets: a.Secret, ToolVersion: a.Version})
	if err != nil {
		return err
	}
	for _, f := range fetched {
		if f.Source != "platform" && (f.Err != "" || len(f.Faults) > 0) {
			return fmt.Errorf("record the answers for %s: %s %v", f.Source, f.Err, f.Faults)
		}
	}
	return recorder.close()
}

// configuration reads the configuration of made-up data with the publishers
// at base. The changed file is kept in work.
func configuration(dir, work, base string) (*config.Config, error) {
	text, err := os.ReadFile(filepath.Join(dir, configFile))
	if err != nil {
		return nil, fmt.Errorf("%w; make the data with `labour-bench data --dir %s`", err, dir)
	}
	file := filepath.Join(work, configFile)
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(text), baseMark, base)), 0o644); err != nil {
		return nil, err
	}
	c, err := config.Load(file)
	if err != nil {
		return nil, err
	}
	c.Platform.Feed = filepath.Join(dir, feedDir)
	return c, nil
}

// bytesUnder is the size of all files under dir.
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
