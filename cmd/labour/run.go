package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/snapshots"
	"labour/snapshots/signature"
	"labour/sources"
)

// runOptions are the flags that the steps of the pipeline share.
type runOptions struct {
	config, data, asOf string
	json, future       bool
	memoryMB           int
	only               string // the one source that a light run fetches; empty = all
	rebuildPeople      bool   // build the month's figures of people again
	reason             string // why
	signs              bool   // the command seals a snapshot, so it may sign one
	signKey            string // file of the secret key; empty = signKeyEnv
}

const (
	// signKeyEnv names the file of the secret key where no flag does.
	signKeyEnv = "LABOUR_SIGN_KEY_FILE"
	// signPasswordEnv is the password of an encrypted secret key; with _FILE, the
	// file that holds it.
	signPasswordEnv = "LABOUR_SIGN_KEY_PASSWORD"
)

func (o *runOptions) addFlags(c *cobra.Command) {
	c.Flags().StringVar(&o.config, "config", "labour.yaml", "configuration file")
	c.Flags().StringVar(&o.data, "data", "data", "data directory")
	c.Flags().StringVar(&o.asOf, "as-of", "", "date the data describes, YYYY-MM-DD (default: today, UTC)")
	c.Flags().BoolVar(&o.future, "as-of-future", false, "permit a date after tomorrow, for trials")
	c.Flags().BoolVar(&o.json, "json", false, "print the result as JSON")
	c.Flags().IntVar(&o.memoryMB, "memory", 0, "memory of the engine that counts cells, in MB (default 2048)")
}

// addSealFlags adds what only the commands that seal a snapshot take.
func (o *runOptions) addSealFlags(c *cobra.Command) {
	o.signs = true
	c.Flags().StringVar(&o.signKey, "sign-key", "", "file of the secret key that signs the snapshot (default: the environment's "+signKeyEnv+
		"; the password of an encrypted key comes from "+signPasswordEnv+")")
}

// sign gives the pipeline the operator's signature; nil where there is no key.
func (o *runOptions) sign(a *app) (func(id snapshots.ID, sums []byte) ([]byte, error), error) {
	file := o.signKey
	if file == "" {
		file, _ = a.getenv(signKeyEnv)
	}
	if !o.signs || file == "" {
		return nil, nil
	}
	password, _ := a.secret(signPasswordEnv)
	signer, err := signature.ReadSigner(file, password)
	if err != nil {
		return nil, err
	}
	return signer.Sign, nil
}

func (o *runOptions) pipeline(a *app, p cli.Progress) (pipeline.Options, error) {
	c, _, err := configured(o.config)
	if err != nil {
		return pipeline.Options{}, err
	}
	if o.only != "" && o.asOf != "" {
		return pipeline.Options{}, cli.Usage(errors.New("--only takes the date from the current snapshot; leave --as-of out"))
	}
	if o.rebuildPeople != (o.reason != "") {
		return pipeline.Options{}, cli.Usage(errors.New("--rebuild-people needs --reason, and --reason is for --rebuild-people only"))
	}
	asOf := sources.DateOf(a.now())
	if o.asOf != "" {
		if asOf, err = sources.ParseDate(o.asOf); err != nil {
			return pipeline.Options{}, cli.Usage(fmt.Errorf("--as-of: %w", err))
		}
	}
	if tomorrow := sources.DateOf(a.now()).AddDays(1); tomorrow.Before(asOf) && !o.future {
		return pipeline.Options{}, cli.Usage(fmt.Errorf("--as-of %s is in the future: once promoted, it would block every run until that day; --as-of-future permits it", asOf))
	}
	sign, err := o.sign(a)
	if err != nil {
		return pipeline.Options{}, err
	}
	a.forBatch()
	return pipeline.Options{Sign: sign, Config: c, Data: o.data, AsOf: asOf, Only: o.only, Now: a.now, Log: a.log(), Secrets: a.secret, RebuildPeople: o.reason,
		Progress: p.Step, Detail: p.Detail, ToolVersion: a.version, MemoryMB: o.memoryMB}, nil
}

// batchGC is how much garbage a batch may leave, in per cent of what it uses, before
// it is collected: twice Go's default, since a batch ends and its machine has memory.
const batchGC = 200

// batchMemory is what the collector keeps a batch under, in bytes, as long as what it
// uses permits: garbage of a large run is then collected sooner than batchGC says. The
// engine that counts cells has a bound of its own beside it.
const batchMemory = 2 << 30

// forBatch suits the process to a batch, where the environment's GOGC and GOMEMLIMIT
// say nothing.
func (a *app) forBatch() {
	if _, set := a.getenv("GOGC"); !set {
		debug.SetGCPercent(batchGC)
	}
	if _, set := a.getenv("GOMEMLIMIT"); !set {
		debug.SetMemoryLimit(batchMemory)
	}
}

// secret finds a secret that the configuration names: an environment variable, or
// the file that NAME_FILE names.
func (a *app) secret(name string) (string, bool) {
	if v, ok := a.getenv(name); ok && v != "" {
		return v, true
	}
	file, ok := a.getenv(name + "_FILE")
	if !ok {
		return "", false
	}
	b, err := os.ReadFile(file)
	if err != nil {
		a.log().Warn("secret file cannot be read", "name", name, "error", err)
		return "", false
	}
	return strings.TrimSpace(string(b)), true
}

// readSecret is secret for what must not be left out unseen: a file that is named and
// cannot be read, or is empty, is an error.
func (a *app) readSecret(name string) (string, error) {
	if v, _ := a.getenv(name); v != "" {
		return v, nil
	}
	file, _ := a.getenv(name + "_FILE")
	if file == "" {
		return "", nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return "", cli.Usage(fmt.Errorf("%s_FILE: %w", name, err))
	}
	text := strings.TrimSpace(string(b))
	if text == "" {
		return "", cli.Usage(fmt.Errorf("%s_FILE: %s is empty", name, file))
	}
	return text, nil
}

func newRunCmd(a *app) *cobra.Command {
	var o runOptions
	var notify bool
	c := &cobra.Command{
		Use: "run", Short: "Fetch, build, check and promote a snapshot", Args: cli.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			run := func() error { return runPipeline(cmd.Context(), a, &o) }
			if !notify {
				return run()
			}
			return a.notified(cmd.Context(), cmd.CommandPath(), run)
		},
	}
	o.addFlags(c)
	c.Flags().BoolVar(&notify, "notify", false, "tell the address in "+notifyEnv+" (https:// or mailto:) when the run does not end with status 0")
	o.addSealFlags(c)
	c.Flags().StringVar(&o.only, "only", "", "platform: fetch the platform's feed alone, and take over from the current snapshot what does not rest on it; for a run every minute")
	c.Flags().BoolVar(&o.rebuildPeople, "rebuild-people", false, "build the figures of people of this month again, although they were published: for a correction")
	c.Flags().StringVar(&o.reason, "reason", "", "why the figures of people are built again; auditors read it in the manifest")
	return c
}

func runPipeline(ctx context.Context, a *app, o *runOptions) error {
	p := a.newProgress()
	defer p.End()
	options, err := o.pipeline(a, p)
	if err != nil {
		return err
	}
	result, err := pipeline.Run(ctx, options)
	p.End()
	if result.Report != nil {
		if err := printResult(a.stdout, o, result); err != nil {
			return err
		}
	}
	if err == nil && len(result.Failed) > 0 {
		return fmt.Errorf("%w: %s; see %s report %s --data %s", errSource, strings.Join(result.Failed, ", "), self(), result.ID, o.data)
	}
	return err
}

func printResult(w io.Writer, o *runOptions, r pipeline.Result) error {
	if o.json {
		return cli.PrintJSON(w, map[string]any{"snapshot": r.ID, "failed_sources": r.Failed, "report": r.Report})
	}
	return printReport(w, o.data, r.ID, r.Report)
}

func percent(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%d%%", (200*part+whole)/(2*whole))
}
