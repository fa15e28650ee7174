package pipeline

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"labour/pipeline/config"
	"labour/sources"
	"labour/sources/publishers/recorded"
)

// TestRecordedData runs the pipeline on the recorded answers of real publishers,
// served on loopback in their own formats.
func TestRecordedData(t *testing.T) {
	dir, err := recorded.Dir()
	if err != nil {
		t.Skip(err)
	}
	world, err := recorded.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(world)
	defer server.Close()
	c, err := config.Parse(world.Config(server.URL))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 8, 22, 6, 0, 0, 0, time.UTC)
	o := Options{Config: c, Data: t.TempDir(), AsOf: sources.DateOf(now), Now: func() time.Time { return now },
		Log: slog.New(slog.DiscardHandler), ToolVersion: "test"}
	result, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	b, err := result.Report.Encode()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("failed: %v\n%s", result.Failed, b)
}
