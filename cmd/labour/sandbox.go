package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/pipeline/config"
	"labour/pipeline/decisions"
	"labour/serve"
	"labour/serve/partners/access"
	"labour/serve/partners/dashboard"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/sandbox"
)

// Names of files in the directory of a sandbox.
const (
	// configName is the name of the configuration file of a sandbox.
	configName = "labour.yaml"
	// correctionsName is the name of a sandbox's file of corrections of publishers' records.
	correctionsName = "corrections.yaml"
)

// sandboxSeed is the seed of the random numbers for the sandbox's data. It is fixed, so that the
// same date gives the same data.
const sandboxSeed = 20

type sandboxOptions struct {
	Addr           string `flag:"addr" default:"127.0.0.1:8080" usage:"address to serve on"`
	Dir            string `flag:"dir" usage:"directory for the made-up data (default: a temporary one, removed at the end)"`
	AsOf           string `flag:"as-of" usage:"date the data describes, YYYY-MM-DD (default: today, UTC)"`
	StopAfterRun   bool   `flag:"once" usage:"stop after the run"`
	OpenDatasets   bool   `flag:"open-datasets" usage:"serve the six embargoed datasets too, as if their conditions were met"`
	Small          bool   `flag:"small" usage:"make half the adverts and a thirtieth of the people, which is ready sooner; fewer figures of people are numbers"`
	OnlyPublishers bool   `flag:"publishers" usage:"serve the made-up publishers of --dir only, so that a labour run there finds them"`
	// numbers of made-up adverts, residents and applications; smaller in tests
	size sandbox.Size
}

func (a *app) sandbox(ctx context.Context, o *sandboxOptions, _ []string) error {
	if o.Small {
		o.size = sandbox.Size{Adverts: o.size.Adverts / 2, Residents: o.size.Residents / 30,
			Applications: o.size.Applications / 30}
	}
	if o.OnlyPublishers {
		return a.servePublishers(ctx, o)
	}
	return runSandbox(ctx, a, o)
}

func runSandbox(ctx context.Context, a *app, o *sandboxOptions) (err error) {
	asOf, err := parseDate(o.AsOf, sources.DateOf(a.now()))
	if err != nil {
		return err
	}
	if o.Dir == "" {
		if o.Dir, err = os.MkdirTemp("", "labour-sandbox-"); err != nil {
			return fmt.Errorf("directory for the sandbox: %w", err)
		}
		defer func() { err = errors.Join(err, os.RemoveAll(o.Dir)) }()
	}
	var listener net.Listener
	if !o.StopAfterRun { // listen before the work, so that an address in use is reported at once
		if listener, err = net.Listen("tcp", o.Addr); err != nil {
			return fmt.Errorf("%w; choose another address with --addr", err)
		}
		defer listener.Close() // in case nothing serves on it
	}
	// The configuration is in the directory itself and contains the path of the feed.
	if o.Dir, err = filepath.Abs(o.Dir); err != nil {
		return fmt.Errorf("directory for the sandbox: %w", err)
	}
	data := filepath.Join(o.Dir, "data")
	if err := a.runWorld(ctx, o, data, asOf); err != nil || o.StopAfterRun {
		return err
	}
	return a.serveSandbox(ctx, o, listener, data, asOf)
}

// serveSandbox serves the sandbox's data on listener until ctx ends. First it prints a new API key
// and instructions. A webhook receiver prints the messages that the server sends. data is the data
// directory, and asOf is the date that the data describes.
func (a *app) serveSandbox(ctx context.Context, o *sandboxOptions, listener net.Listener, data string,
	asOf sources.Date) error {
	key, err := a.printWelcome(ctx, data, listener.Addr().String())
	if err != nil {
		return err
	}
	r, err := a.newReceiver()
	if err != nil {
		return err
	}
	secured := &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{r.cert}}
	defer serveExtra(ctx, serve.Server{Handler: r, Log: a.log(), TLS: secured}, r.listener)()
	dir := o.Dir
	if o.Small {
		dir += " --small"
	}
	err = printText(a.stdout, "sandbox", map[string]any{"AsOf": asOf, "Self": self(),
		"Event":  filepath.Join(o.Dir, "feed", "events-try.ndjson"),
		"Config": filepath.Join(o.Dir, configName), "Data": data, "Dir": dir,
		"Key": sandbox.ApprenticeshipAPIKeyEnv + "=" + sandbox.ApprenticeshipAPIKey})
	if err != nil {
		return err
	}
	return a.serve(ctx, listener, serveOptions{keyOptions: keyOptions{DataFlag: cli.DataFlag{Data: data}},
		signatureCheck: verifier(nil), madeUp: true, AllowLoopbackWebhooks: true, roots: r.roots,
		beforeServing: func(ctx context.Context, s *service) error { return r.subscribe(ctx, s.hooks, key.PartnerID) }})
}

// runWorld makes a made-up world of adverts, people and publishers. It serves the publishers on
// loopback and runs the pipeline on them. data is the data directory, and asOf is the date that the
// made-up data describes.
func (a *app) runWorld(ctx context.Context, o *sandboxOptions, data string, asOf sources.Date) error {
	p := a.newProgress()
	defer p.End()
	p.Step(fmt.Sprintf("make a world: %d adverts, %d residents, %d applications", o.size.Adverts, o.size.Residents,
		o.size.Applications))
	world, err := sandbox.New(sandboxSeed, asOf, o.size)
	if err != nil {
		return err
	}
	feed := filepath.Join(o.Dir, "feed")
	if err := world.WriteFeed(feed); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(o.Dir, correctionsName), world.CorrectionsFile(), 0o644); err != nil {
		return fmt.Errorf("write configuration: %w", err)
	}
	c, stop, err := cli.ServeSimulatedPublishers(world, o.Dir, configName, feed, correctionsName)
	if err != nil {
		return err
	}
	defer stop()
	if o.OpenDatasets {
		if err := a.openAll(data); err != nil {
			return err
		}
	}
	result, err := pipeline.Run(ctx, pipeline.Options{Config: c, DataDir: data, AsOf: asOf, Now: a.now, Log: a.log(),
		LookupSecret: a.sandboxSecret, OnStep: p.Step, OnDetail: p.Detail, ToolVersion: a.version})
	p.End()
	if err != nil {
		return err
	}
	return printReport(a.stdout, data, result.ID, result.Report)
}

// openAll opens all embargoed datasets. A sandbox may do this because all its data are made up.
func (a *app) openAll(data string) error {
	journal, err := decisions.ReadDatasetJournal(data)
	if err != nil {
		return err
	}
	for _, d := range snapshots.EmbargoedDatasets() {
		if err := journal.OpenDataset(a.now(), d.Name, "https://londonworks.example/",
			"labour sandbox --open-datasets"); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) sandboxSecret(name string) (string, bool) {
	if name == sandbox.ApprenticeshipAPIKeyEnv {
		return sandbox.ApprenticeshipAPIKey, true
	}
	return a.secret(name)
}

// printWelcome creates an API key and a sign-in link, and prints them with example calls. It
// returns the key. addr is the host and port of the server.
func (a *app) printWelcome(ctx context.Context, data, addr string) (key access.Key, err error) {
	s, err := a.openState(ctx, &keyOptions{DataFlag: cli.DataFlag{Data: data}})
	if err != nil {
		return key, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	key, secret, err := s.Keys.CreateKey(ctx, access.KeyRequest{Partner: sandbox.PartnerName, Label: "sandbox",
		Mode: access.ModeTest,
		Plan: access.PlanPartner, Scopes: access.Scopes()})
	if err != nil {
		return key, err
	}
	token, _, err := s.Signin.CreateInvitation(ctx, key.PartnerID)
	if err == nil {
		err = s.Keys.SetGrant(ctx, key.PartnerID, access.Grant{Plan: access.PlanPartner, Scopes: access.Scopes(), Keys: 20})
	}
	if err != nil {
		return key, err
	}
	base := "http://" + addr
	return key, printText(a.stdout, "welcome", map[string]any{"Base": base, "Secret": secret,
		"Link": dashboard.SignInLink(base, token)})
}

// servePublishers serves the made-up publishers of a sandbox until ctx ends. It takes their address
// from the sandbox's configuration, and their date from the flag --as-of or the current snapshot.
func (a *app) servePublishers(ctx context.Context, o *sandboxOptions) error {
	if o.Dir == "" {
		return cli.NewUsageError(errors.New("--publishers needs --dir: the directory of the sandbox"))
	}
	dir, err := filepath.Abs(o.Dir) // the printed command must work in any directory
	if err != nil {
		return err
	}
	file, data := filepath.Join(dir, configName), filepath.Join(dir, "data")
	asOf, err := madeOn(data, o.AsOf)
	if err != nil {
		return err
	}
	address, err := publishersOf(file)
	if err != nil {
		return err
	}
	world, err := sandbox.New(sandboxSeed, asOf, o.size)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("serve the publishers where %s looks for them: %w", file, err)
	}
	fmt.Fprintf(a.stdout,
		"The publishers answer on http://%s. In another terminal:\n\n  %s=%s %s run --config %s --data %s\n\n"+
			"Stop with Ctrl-C.\n",
		address, sandbox.ApprenticeshipAPIKeyEnv, sandbox.ApprenticeshipAPIKey, self(), file, data)
	return serve.Server{Handler: world.PublishersHandler(), Log: a.log()}.Run(ctx, listener)
}

// madeOn returns the date of the data in a sandbox. It parses flag, the value of --as-of. If flag
// is empty, madeOn returns the date of the sandbox's current snapshot.
func madeOn(data, flag string) (sources.Date, error) {
	_, id, err := openSnapshot(data, nil)
	if flag == "" && err != nil {
		return sources.Date{}, err
	}
	return parseDate(flag, sources.DateOf(id.Date()))
}

// parseDate parses flag, the value of --as-of. If flag is empty, it returns defaultDate.
func parseDate(flag string, defaultDate sources.Date) (sources.Date, error) {
	if flag == "" {
		return defaultDate, nil
	}
	asOf, err := sources.ParseDate(flag)
	if err != nil {
		err = cli.NewUsageError(fmt.Errorf("--as-of: %w", err))
	}
	return asOf, err
}

// publishersOf returns the host and port of a sandbox's made-up publishers, as in "127.0.0.1:9000".
// It reads them from the sandbox's configuration file.
func publishersOf(file string) (string, error) {
	c, err := config.Load(file)
	if err != nil {
		return "", fmt.Errorf("--dir is no directory of a sandbox: %w", err)
	}
	if c.Sources.ONSGeography != nil {
		if u, err := url.Parse(c.Sources.ONSGeography.BaseURL); err == nil && net.ParseIP(u.Hostname()).IsLoopback() {
			return u.Host, nil
		}
	}
	return "", fmt.Errorf("%s is not the configuration of a sandbox: its publishers are not on this machine", file)
}
