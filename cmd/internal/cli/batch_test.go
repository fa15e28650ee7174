package cli

import (
	"net/http"
	"path/filepath"
	"runtime/debug"
	"testing"
	"time"

	"labour/sources"
	"labour/sources/sandbox"
)

func TestTheEnvironmentGoesBeforeTheSettingsOfABatchJob(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(1<<40)
	defer func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}()
	for variable, want := range map[string][2]int64{
		"":           {200, 2 << 30},
		"GOGC":       {100, 2 << 30},
		"GOMEMLIMIT": {200, 1 << 40},
	} {
		debug.SetGCPercent(100)
		debug.SetMemoryLimit(1 << 40)
		SetBatchGC(func(name string) (string, bool) { return "", name == variable })
		if got := [2]int64{int64(debug.SetGCPercent(100)), debug.SetMemoryLimit(-1)}; got != want {
			t.Errorf("with %q set: percent and limit %d, want %d", variable, got, want)
		}
	}
}

func TestPublishersAreServedUntilStopped(t *testing.T) {
	day := sources.DateOf(time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC))
	world, err := sandbox.New(1, day, sandbox.Size{Adverts: 300, Residents: 500})
	if err != nil {
		t.Fatal(err)
	}
	c, stop, err := ServeSimulatedPublishers(world, t.TempDir(), "labour.yaml", "feed", "")
	if err != nil {
		t.Fatal(err)
	}
	address := c.Sources.LabourMarketNews.Feeds[0].URL
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	stop()
	if answer, err := http.Get(address); err == nil {
		answer.Body.Close()
		t.Error("the publishers are served after stop")
	}
	none := filepath.Join(t.TempDir(), "none")
	if c, _, err := ServeSimulatedPublishers(world, none, "labour.yaml", "feed", ""); err == nil {
		t.Errorf("no error for a missing directory, but %+v", c)
	}
}
