package main

import (
	"crypto/rand"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"labour/pipeline"
	"labour/pipeline/cells/engine"
	"labour/pipeline/cells/engine/sparkconnect/connecttest"
	"labour/pipeline/config"
	"labour/snapshots/store"
	"labour/sources"
	"labour/sources/sandbox"
)

// TestClusterMakesTheSameSnapshot builds the sandbox's snapshot with DuckDB and again with
// clusters: every table has the same bytes, and nothing is left on the cluster.
func TestClusterMakesTheSameSnapshot(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	a := &app{stdout: io.Discard, stderr: io.Discard, now: time.Now, random: rand.Reader,
		getenv: func(string) (string, bool) { return "", false }, version: "test"}
	asOf := sources.Date{Year: 2026, Month: 11, Day: 20}
	if err := a.runWorld(t.Context(),
		&sandboxOptions{Dir: dir, size: sandbox.Size{Adverts: 600, Residents: 1500, Applications: 4000}}, data,
		asOf); err != nil {
		t.Fatal(err)
	}
	store, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	id, err := store.Current()
	if err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(filepath.Join(dir, "labour.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	rebuilt := func(t *testing.T, server *connecttest.Server, during func(step string)) {
		work := filepath.Join(t.TempDir(), "work")
		if err := os.Mkdir(work, 0o700); err != nil {
			t.Fatal(err)
		}
		c.Engine = &engine.Cluster{Address: server.Address, WorkFolder: work}
		tables, err := pipeline.Rebuild(t.Context(), pipeline.Options{Config: c, DataDir: data, Now: a.now,
			Log:          slog.New(slog.DiscardHandler),
			LookupSecret: a.sandboxSecret, OnStep: during, ToolVersion: a.version}, id)
		if err != nil || len(tables) < 30 {
			t.Fatalf("%d tables, %v", len(tables), err)
		}
		for _, table := range tables {
			if !table.Equal() {
				t.Errorf("%s differs", table.Table)
			}
		}
		if left, err := os.ReadDir(work); err != nil || len(left) > 0 {
			t.Errorf("left %v, %v", left, err)
		}
	}
	nothing := func(string) {}
	t.Run("Sail", func(t *testing.T) { rebuilt(t, connecttest.StartSail(t), nothing) })
	t.Run("Spark alone", func(t *testing.T) {
		longOnly(t)
		rebuilt(t, connecttest.StartSingleSpark(t), nothing)
	})
	t.Run("Spark", func(t *testing.T) { rebuilt(t, connecttest.StartSparkCluster(t, 2), nothing) })
	t.Run("Spark loses a worker", func(t *testing.T) {
		server := connecttest.StartSparkCluster(t, 2)
		rebuilt(t, server, func(step string) {
			if step == "count adverts_total" {
				connecttest.KillProcess(server.Workers[0])
			}
		})
	})
}
