package main

import (
	"bytes"
	"context"
	crand "crypto/rand"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/pipeline/config"
	"labour/pipeline/secrets"
	"labour/serve/partners/access"
	"labour/sources"
	"labour/sources/sandbox"
)

// published is a made-up world that was run through the pipeline and is served.
type published struct {
	t       *testing.T
	app     *app
	options pipeline.Options
	data    string
	server  *httptest.Server
	service *service
	secret  string
	clock   *time.Time
}

var testDay = time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)

// worldSize is large enough that every table and embargoed dataset has rows.
var worldSize = sandbox.Size{Adverts: 1600, Residents: 1500, Applications: 4000}

// worldRun is the world that most tests share.
var worldRun = sync.OnceValues(func() (string, error) { return runOnWorld(worldSize) })

// worldDirs are the directories of worlds, which TestMain removes.
var worldDirs []string

// runOnWorld runs the pipeline on a made-up world, in a directory of its own. Its
// publishers answer until the process ends.
func runOnWorld(size sandbox.Size) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "labour-world-"); err != nil {
		return dir, err
	}
	worldDirs = append(worldDirs, dir)
	world, err := sandbox.New(7, sources.DateOf(testDay), size)
	if err == nil {
		err = world.WriteFeed(filepath.Join(dir, "feed"))
	}
	if err != nil {
		return dir, err
	}
	text := world.ConfigFile(filepath.Join(dir, "feed"), httptest.NewServer(world.PublishersHandler()).URL, "")
	if err := os.WriteFile(filepath.Join(dir, "labour.yaml"), text, 0o600); err != nil {
		return dir, err
	}
	p, err := publishedIn(dir)
	if err != nil {
		return dir, err
	}
	result, err := pipeline.Run(context.Background(), p.options)
	if err == nil && len(result.FailedSources) > 0 {
		err = fmt.Errorf("failed sources %v", result.FailedSources)
	}
	return dir, err
}

// fixedSecret is an environment with a secret of people, so that two runs print the same.
func fixedSecret(name string) (string, bool) {
	return strings.Repeat("5ec4e7a1", 8), name == secrets.RoundingSecretName
}

// publishedIn is what runs the pipeline of a directory.
func publishedIn(dir string) (*published, error) {
	c, err := config.Load(filepath.Join(dir, "labour.yaml"))
	clock := testDay
	a := &app{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}, now: func() time.Time { return clock },
		random: crand.Reader,
		getenv: fixedSecret, version: "test"}
	p := &published{app: a, data: filepath.Join(dir, "data"), clock: &clock}
	p.options = pipeline.Options{Config: c, DataDir: p.data, AsOf: sources.DateOf(clock), Now: a.now,
		Log: slog.New(slog.DiscardHandler), LookupSecret: a.sandboxSecret, ToolVersion: "test"}
	return p, err
}

// publish serves a copy of the data of the world that tests share.
func publish(t *testing.T) *published {
	t.Helper()
	return publishCopy(t, worldRun)
}

// publishCopy serves a copy of the data of a world, which the test may change.
func publishCopy(t *testing.T, world func() (string, error)) *published {
	t.Helper()
	dir, err := world()
	if err != nil {
		t.Fatal(err)
	}
	p, err := publishedIn(dir)
	if err != nil {
		t.Fatal(err)
	}
	p.t, p.data = t, filepath.Join(t.TempDir(), "data")
	p.options.DataDir = p.data
	if output, err := exec.Command("cp", "-a", filepath.Join(dir, "data"), p.data).CombinedOutput(); err != nil {
		t.Fatalf("copy the data: %v %s", err, output)
	}
	p.serve()
	return p
}

func (p *published) serve() {
	p.t.Helper()
	p.serveVerified(verifier(nil))
}

// serveVerified serves what the check lets through; nil lets everything.
func (p *published) serveVerified(verified check) {
	p.t.Helper()
	ctx := context.Background()
	service, err := p.app.newService(ctx, serveOptions{keyOptions: keyOptions{DataFlag: cli.DataFlag{Data: p.data}},
		signatureCheck: verified}, slog.New(slog.DiscardHandler))
	if err != nil {
		p.t.Fatal(err)
	}
	p.service, p.server = service, httptest.NewServer(service.handler)
	p.t.Cleanup(func() {
		p.server.Close()
		if err := service.close(); err != nil {
			p.t.Error(err)
		}
	})
	hourly := int64(1 << 40)
	key, secret, err := service.stores.Keys.CreateKey(ctx, access.KeyRequest{Partner: "Test", Plan: access.PlanPartner,
		Scopes: access.Scopes()})
	if err != nil {
		p.t.Fatal(err)
	}
	if err := service.stores.Keys.SetKeyLimits(ctx, key.ID, &hourly, nil); err != nil {
		p.t.Fatal(err)
	}
	p.secret = secret
}

// reload lets the server take up what was promoted.
func (p *published) reload() {
	p.t.Helper()
	if err := p.service.live.Reload(context.Background()); err != nil {
		p.t.Fatal(err)
	}
}
