package engine_test

import (
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"labour/pipeline/cells/engine"
	"labour/pipeline/cells/engine/duckdb"
	"labour/pipeline/cells/engine/sparkconnect/connecttest"
	"labour/snapshots/objects"
	"labour/snapshots/objects/objectstest"
)

// A cluster reads what is staged in a bucket and writes its answers there, and nothing is
// left in it.
func TestClusterWithABucket(t *testing.T) {
	address := objectstest.StartS3Server(t)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	server := connecttest.StartSail(t, "AWS_ENDPOINT="+u.Query().Get("endpoint"), "AWS_ALLOW_HTTP=true",
		"AWS_REGION=us-east-1")
	s, err := engine.ConnectCluster(t.Context(), engine.Cluster{
		Address:     server.Address,
		WorkFolder:  strings.Replace(address, "?", "/a/prefix?", 1),
		SessionFile: filepath.Join(t.TempDir(), "cluster.json"),
	})
	if err != nil {
		t.Fatal(err)
	}
	local, err := duckdb.Open(t.Context(), engine.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer local.Close()
	staged := filepath.Join(t.TempDir(), "staged.parquet")
	if err := local.Write(t.Context(), "SELECT unnest(range(10)) AS n", staged); err != nil {
		t.Fatal(err)
	}
	answer := filepath.Join(t.TempDir(), "answer")
	for _, err := range []error{
		s.Read(t.Context(), "staged", staged),
		s.Materialise(t.Context(), "kept", "SELECT n FROM staged WHERE n > 3"),
		s.Write(t.Context(), "SELECT n FROM kept WHERE n % 2 = 1", answer),
		s.Write(t.Context(), "SELECT sum(n) AS n FROM kept", answer+"2"),
		local.Read(t.Context(), "odd", filepath.Join(answer, "*.parquet")),
		local.Read(t.Context(), "sum", filepath.Join(answer+"2", "*.parquet")),
		s.Close(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var odd, sum int
	err = local.QueryRow(t.Context(), "SELECT (SELECT sum(n) FROM odd), (SELECT n FROM sum)", &odd, &sum)
	if err != nil || odd != 5+7+9 || sum != 4+5+6+7+8+9 {
		t.Errorf("%d, %d, %v", odd, sum, err)
	}
	b, err := objects.OpenBucket(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	if left, err := b.List(nil).Next(t.Context()); err != io.EOF {
		t.Errorf("left %+v, %v", left, err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}
