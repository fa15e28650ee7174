package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"labour/pipeline/cells/engine/sparkconnect/connecttest"
)

// clusterRun is a run of the program that counts on a cluster behind a proxy, and what
// happens to it.
type clusterRun struct {
	*crash
	work    string
	proxy   *connecttest.Proxy
	server  *connecttest.Server
	program *exec.Cmd
}

// clusterFaults are what can happen to a run on a cluster, and what the program says of it.
// Each may prepare the run, and do something once it is under way.
var clusterFaults = []struct {
	name, says string
	before     func(r *clusterRun, t *testing.T)
	during     func(r *clusterRun)
}{
	{"token refused", "the variable that engine.token_env names",
		func(r *clusterRun, _ *testing.T) { r.program.Env = append(r.program.Env, "CLUSTER_TOKEN=wrong") }, nil},
	{"work directory full", "no space left", (*clusterRun).fill, nil},
	{"stopped with Ctrl-C", "context canceled", nil,
		func(r *clusterRun) { _ = r.program.Process.Signal(os.Interrupt) }},
	{"program killed", "", nil, func(r *clusterRun) { _ = r.program.Process.Kill() }},
	{"server killed", "was lost", nil, func(r *clusterRun) {
		connecttest.KillProcess(r.server.Server)
		r.proxy.Stop()
	}},
}

// TestFaultyClusterLeavesTheOldSnapshot: whatever happens on a cluster to a run, the
// snapshot before it stands, and after the next run, without the cluster, nothing is left.
func TestFaultyClusterLeavesTheOldSnapshot(t *testing.T) {
	c := newCrash(t)
	c.must("snapshot", "keygen", "--key", c.key)
	c.feed(0)
	c.must(c.runArgs(0)...)
	alone, err := os.ReadFile(c.config)
	if err != nil {
		t.Fatal(err)
	}
	for i, fault := range clusterFaults {
		t.Run(fault.name, func(t *testing.T) {
			if fault.name != "program killed" {
				longOnly(t) // that one fault leaves the most behind
			}
			r := c.onCluster(t, string(alone), i+1)
			before := c.inspect()
			if fault.before != nil {
				fault.before(r, t)
			}
			if fault.during != nil {
				r.proxy.DelayStatements()
			}
			said := r.run(fault.during)
			if !strings.Contains(said, fault.says) || strings.Contains(said, "wrong") {
				t.Errorf("it said:\n%s\nwant %q", said, fault.says)
			}
			if now := c.inspect(); now != before {
				t.Errorf("%s is current, not %s", now, before)
			}
			if left := r.left(); fault.name != "program killed" && len(left) > 0 {
				t.Errorf("left %v", left)
			}
			c.write("labour.yaml", string(alone))
			c.must(c.runArgs(i + 1)...)
			if left := r.left(); len(left) > 0 || c.inspect() == before {
				t.Errorf("after the next run, %v are left, and %s is current", left, c.inspect())
			}
		})
	}
	t.Run("cluster back", func(t *testing.T) {
		r := c.onCluster(t, string(alone), 20)
		before := c.inspect()
		if out, err := r.program.CombinedOutput(); err != nil || c.inspect() == before || len(r.left()) > 0 {
			t.Errorf("%v, left %v\n%s", err, r.left(), out)
		}
	})
}

// onCluster makes the i-th run one that counts on a cluster.
func (c *crash) onCluster(t *testing.T, alone string, i int) *clusterRun {
	t.Helper()
	r := &clusterRun{crash: c, server: connecttest.StartSail(t), work: filepath.Join(c.dir, "work")}
	r.proxy = connecttest.NewProxy(t, r.server, "secret")
	trusted := filepath.Join(t.TempDir(), "proxy.pem")
	if err := errors.Join(os.MkdirAll(r.work, 0o700), os.WriteFile(trusted, r.proxy.CertificatePEM, 0o600)); err != nil {
		t.Fatal(err)
	}
	c.feed(i)
	c.write("labour.yaml", alone+fmt.Sprintf("engine: {connect: %q, work: %q, token_env: CLUSTER_TOKEN}\n",
		r.proxy.Address, r.work))
	r.program = exec.Command("labour", c.runArgs(i)...)
	r.program.Env = append(os.Environ(), "SSL_CERT_FILE="+trusted, "CLUSTER_TOKEN=secret")
	return r
}

// run runs the program, which must fail, and gives what it said. Once a statement waits on
// the cluster, during is called.
func (r *clusterRun) run(during func(r *clusterRun)) string {
	r.t.Helper()
	var said bytes.Buffer
	r.program.Stdout, r.program.Stderr = &said, &said
	if err := r.program.Start(); err != nil {
		r.t.Fatal(err)
	}
	if during != nil {
		connecttest.WaitUntil(r.t, "a statement waits", func() bool { return r.proxy.CallCount("ExecutePlan") > 0 })
		during(r)
	}
	if err := r.program.Wait(); err == nil {
		r.t.Error("the run succeeded")
	}
	return said.String()
}

// fill puts a file system that is too small where the work directory is.
func (r *clusterRun) fill(t *testing.T) {
	if err := unix.Mount("tmpfs", r.work, "tmpfs", 0, "size=16k,mode=700"); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(r.work, unix.MNT_DETACH) })
}

// left is what a run left on the cluster and of true counts in the protected zone.
func (r *clusterRun) left() []string {
	var left []string
	for _, pattern := range []string{"work/*", "data/protected/staging", "data/protected/truth",
		"data/protected/cluster.json"} {
		found, err := filepath.Glob(filepath.Join(r.dir, pattern))
		if err != nil {
			r.t.Fatal(err)
		}
		left = append(left, found...)
	}
	return left
}
