package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"gocloud.dev/blob/memblob"

	"labour/pipeline/cells/engine/sparkconnect/connecttest"
)

func TestPlainlyOpenClustersAreRefused(t *testing.T) {
	for fault, c := range map[string]Cluster{
		"use_ssl=true":       {Address: "sc://spark.example", WorkFolder: "/work"},
		"over TLS only":      {Address: "sc://spark.example", WorkFolder: "/work", AllowPlaintext: true, Token: "secret"},
		"absolute directory": {Address: "sc://spark.example/;use_ssl=true", WorkFolder: "work"},
		"s3://bucket/prefix": {Address: "sc://spark.example/;use_ssl=true", WorkFolder: "s3://"},
		"it must be sc://":   {Address: "https://spark.example", WorkFolder: "/work"},
	} {
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), fault) ||
			strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v, want %q", c, err, fault)
		}
	}
	for _, c := range []Cluster{
		{Address: "sc://127.0.0.1:15002", WorkFolder: "/work", Token: "secret"},
		{Address: "sc://spark.example/;use_ssl=true", WorkFolder: "s3://bucket/prefix", Token: "secret"},
		{Address: "sc://spark.example", WorkFolder: "s3://bucket", AllowPlaintext: true},
	} {
		if err := c.Validate(); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// cluster is one with a work directory of its own.
func cluster(t *testing.T, address string) Cluster {
	t.Helper()
	work := filepath.Join(t.TempDir(), "work")
	if err := os.Mkdir(work, 0o700); err != nil {
		t.Fatal(err)
	}
	return Cluster{Address: address, WorkFolder: work, SessionFile: filepath.Join(t.TempDir(), "cluster.json")}
}

func (c *Cluster) connect(t *testing.T) *Spark {
	t.Helper()
	s, err := ConnectCluster(t.Context(), *c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// nothingLeft fails where the work directory or the note has anything of a run.
func (c *Cluster) nothingLeft(t *testing.T) {
	t.Helper()
	left, err := os.ReadDir(c.WorkFolder)
	if err != nil || len(left) > 0 {
		t.Errorf("the work directory has %v, %v", left, err)
	}
	if _, err := os.Stat(c.SessionFile); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the note is there: %v", err)
	}
}

func TestOpenWorkDirectoryIsRefused(t *testing.T) {
	c := cluster(t, connecttest.StartSail(t).Address)
	if err := os.Chmod(c.WorkFolder, 0o755); err != nil {
		t.Fatal(err)
	}
	if s, err := ConnectCluster(t.Context(), c); err == nil || !strings.Contains(err.Error(), "allow_open_work") {
		t.Errorf("%v, %v", s, err)
	}
	c.nothingLeft(t)
	c.AllowReadableWorkFolder = true
	if err := c.connect(t).Close(); err != nil {
		t.Error(err)
	}
	c.nothingLeft(t)
}

// The next run removes the files of a killed one and ends its session.
func TestNextRunClearsTheLast(t *testing.T) {
	p := connecttest.NewProxy(t, connecttest.StartSail(t), "secret")
	c := cluster(t, p.Address)
	c.RootCAs, c.Token = p.RootCAs, "secret"
	killed := c.connect(t)
	if err := killed.Materialise(t.Context(), "kept", "SELECT id FROM range(10)"); err != nil {
		t.Fatal(err)
	}
	next := c.connect(t)
	if left, err := filepath.Glob(c.WorkFolder + "/*"); err != nil ||
		!slices.Equal(left, []string{string(next.folder.(directory))}) || p.CallCount("ReleaseSession") != 1 {
		t.Errorf("%v, %v, %d sessions released", left, err, p.CallCount("ReleaseSession"))
	}
	if err := next.Close(); err != nil {
		t.Error(err)
	}
	c.nothingLeft(t)
}

// long is a query that takes minutes.
const long = "SELECT sum(a.id % 7 + b.id) AS n FROM range(3000000) a CROSS JOIN range(3000000) b WHERE a.id % 3 < b.id"

// Whatever happens to a statement, the run ends with an error and leaves nothing.
func TestFaultsLeaveNothing(t *testing.T) {
	for name, fault := range map[string]struct {
		happens func(server *connecttest.Server, cancel func())
		held    bool // the statement waits, and the server stays free to answer
		says    string
	}{
		"server killed": {func(s *connecttest.Server, _ func()) { connecttest.KillProcess(s.Server) }, false, "was lost"},
		"cancelled":     {func(_ *connecttest.Server, cancel func()) { cancel() }, true, "context canceled"},
	} {
		server := connecttest.StartSail(t)
		p := connecttest.NewProxy(t, server, "")
		c := cluster(t, p.Address)
		c.RootCAs, c.ReconnectTimeout = p.RootCAs, time.Second // the killed server does not come back
		s := c.connect(t)
		if fault.held {
			p.DelayStatements()
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Write(ctx, long, filepath.Join(t.TempDir(), "answer")) }()
		time.Sleep(200 * time.Millisecond) // it may be under way or not
		fault.happens(server, cancel)
		if err := <-ended; err == nil || !strings.Contains(err.Error(), fault.says) {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		c.nothingLeft(t)
	}
}

func TestFullWorkDirectory(t *testing.T) {
	c := cluster(t, connecttest.StartSail(t).Address)
	if err := syscall.Mount("tmpfs", c.WorkFolder, "tmpfs", 0, "size=200k,mode=700"); err != nil {
		t.Skipf("no small file system without root: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(c.WorkFolder, syscall.MNT_DETACH) })
	s := c.connect(t)
	large := filepath.Join(t.TempDir(), "large.parquet")
	if err := os.WriteFile(large, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Read(t.Context(), "large", large); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("copied: %v", err)
	}
	if err := s.folder.remove(t.Context(), "staged"); err != nil {
		t.Fatal(err)
	}
	if err := s.Materialise(t.Context(), "many", "SELECT id, id * 7919 % 1000003 AS n FROM range(1000000)"); err == nil ||
		!strings.Contains(strings.ToLower(err.Error()), "no space left") {
		t.Errorf("kept: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	c.nothingLeft(t)
}

// A bucket gives back the files of an answer that hold rows, and forgets no other session's.
func TestBucket(t *testing.T) {
	ctx, b := t.Context(), bucket{Bucket: memblob.OpenBucket(nil), host: "bucket", key: "prefix/labour-1/"}
	for _, key := range []string{"answers/1/part=0/a.parquet", "answers/1/_SUCCESS", "answers/11/b.parquet"} {
		file := filepath.Join(t.TempDir(), "file")
		if err := errors.Join(os.WriteFile(file, []byte(key), 0o600), b.put(ctx, key, file)); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Bucket.WriteAll(ctx, "prefix/labour-11/c.parquet", nil, nil); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "to")
	if err := b.get(ctx, "answers/1", to); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(to, "part=0", "a.parquet")); err != nil ||
		string(text) != "answers/1/part=0/a.parquet" {
		t.Errorf("%q, %v", text, err)
	}
	if all, err := filepath.Glob(to + "/*"); err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
	if b.url("answers/1") != "s3a://bucket/prefix/labour-1/answers/1" {
		t.Error(b.url("answers/1"))
	}
	if err := b.remove(ctx, ""); err != nil {
		t.Fatal(err)
	}
	var left []string
	all := bucket{Bucket: b.Bucket}
	if err := all.each(ctx, "", func(key, _ string) error { left = append(left, key); return nil }); err != nil ||
		!slices.Equal(left, []string{"prefix/labour-11/c.parquet"}) {
		t.Errorf("left %v, %v", left, err)
	}
	if err := b.close(); err != nil {
		t.Error(err)
	}
}
