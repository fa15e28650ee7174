// Package connecttest starts servers of Spark Connect on loopback, for tests: Sail and a
// small cluster of Apache Spark, both of which .ci/run installs into bin/venv.
package connecttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Server is a running Connect server.
type Server struct {
	Address string // sc://127.0.0.1:port
	UI      string // of Apache Spark; empty for Sail
	Server  *exec.Cmd
	Workers []*exec.Cmd
}

// Sail starts a Sail server. The test is skipped where it is not installed.
func Sail(t testing.TB) *Server {
	t.Helper()
	program := installed(t, "bin/sail")
	port := freePort(t)
	s := &Server{Address: "sc://127.0.0.1:" + port}
	s.Server = start(t, nil, program, "spark", "server", "--port", port)
	listens(t, port)
	return s
}

// Spark starts a master, workers of one core and a Connect server. The test is skipped
// unless LABOUR_SPARK is set, since that takes minutes, and where Spark is not installed.
// Settings are key=value.
func Spark(t testing.TB, workers int, settings ...string) *Server {
	t.Helper()
	if os.Getenv("LABOUR_SPARK") == "" {
		t.Skip("set LABOUR_SPARK=1 to start Apache Spark, which takes minutes")
	}
	home := installed(t, "lib/python3*/site-packages/pyspark")
	if _, err := exec.LookPath("java"); err != nil {
		t.Skip("no java, which Apache Spark needs")
	}
	dir, master, port, ui := t.TempDir(), freePort(t), freePort(t), freePort(t)
	env := []string{"SPARK_HOME=" + home, "SPARK_LOCAL_IP=127.0.0.1", "SPARK_LOCAL_DIRS=" + dir, "SPARK_WORKER_DIR=" + dir}
	daemon := append([]string{"SPARK_DAEMON_MEMORY=256m"}, env...) // the Connect server would take it for the driver's
	class := filepath.Join(home, "bin", "spark-class")
	start(t, daemon, class, "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", master, "--webui-port", "0")
	listens(t, master)
	s := &Server{Address: "sc://127.0.0.1:" + port, UI: "http://127.0.0.1:" + ui}
	for range workers {
		s.Workers = append(s.Workers, start(t, daemon, class, "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--webui-port", "0",
			"--cores", "1", "--memory", "1g", "spark://127.0.0.1:"+master))
	}
	args := []string{"--master", "spark://127.0.0.1:" + master, "--driver-memory", "1g"}
	for _, setting := range append([]string{"spark.executor.memory=1g", "spark.driver.host=127.0.0.1", "spark.ui.port=" + ui,
		"spark.sql.shuffle.partitions=2", "spark.sql.warehouse.dir=" + dir,
		"spark.connect.grpc.binding.address=127.0.0.1", "spark.connect.grpc.binding.port=" + port}, settings...) {
		args = append(args, "--conf", setting)
	}
	s.Server = start(t, env, filepath.Join(home, "bin", "spark-submit"), append(args, "--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal")...)
	listens(t, port)
	return s
}

// Running is how many jobs of Apache Spark run.
func (s *Server) Running(t testing.TB) int {
	t.Helper()
	var apps []struct{ ID string }
	get(t, s.UI+"/api/v1/applications", &apps)
	if len(apps) != 1 {
		t.Fatalf("%d applications run", len(apps))
	}
	var jobs []struct{}
	get(t, s.UI+"/api/v1/applications/"+apps[0].ID+"/jobs?status=running", &jobs)
	return len(jobs)
}

func get(t testing.TB, url string, into any) {
	t.Helper()
	answer, err := http.Get(url)
	if err == nil {
		defer answer.Body.Close()
		err = json.NewDecoder(answer.Body).Decode(into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Eventually fails the test unless ok becomes true.
func Eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(3 * time.Minute); !ok(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within three minutes", what)
		}
	}
}

// installed finds a file of bin/venv, in this folder or one above.
func installed(t testing.TB, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if found, err := filepath.Glob(filepath.Join(dir, "bin", "venv", name)); err == nil && len(found) > 0 {
			return found[0]
		}
	}
	t.Skipf("no bin/venv/%s; .ci/run installs it", name)
	return ""
}

func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
}

func listens(t testing.TB, port string) {
	t.Helper()
	Eventually(t, "listening on port "+port, func() bool {
		c, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
}

// start starts a program that ends with the test, and all that it has started.
func start(t testing.TB, env []string, program string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(program, args...)
	c.Env = append(os.Environ(), env...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	var log bytes.Buffer
	c.Stdout, c.Stderr = &log, &log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		Kill(c)
		_ = c.Wait()
		if t.Failed() {
			lines := strings.Split(log.String(), "\n")
			t.Logf("%s: %s", program, strings.Join(lines[max(0, len(lines)-20):], "\n"))
		}
	})
	return c
}

// Kill ends a program and all that it has started, at once.
func Kill(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
