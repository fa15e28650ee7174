// Package connecttest starts Spark Connect servers for tests: Sail, a small cluster of Apache Spark,
// or a fake server in this process. The script .ci/run installs the first two in bin/venv.
package connecttest

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Server is a Spark Connect server that was started for a test.
type Server struct {
	Address      string // address of the Spark Connect server, such as sc://127.0.0.1:15002
	WebUIAddress string // address of Apache Spark's web interface; empty for Sail
	Server       *ChildProcess
	Workers      []*ChildProcess // processes of a cluster's workers; none for other servers
}

// StartSail starts a Sail server with additional environment variables, each as "NAME=value". Sail
// implements Spark Connect without Apache Spark. StartSail skips the test if Sail is not installed.
func StartSail(t testing.TB, env ...string) *Server {
	t.Helper()
	program := findInstalled(t, "bin/sail")
	port := freePort(t)
	s := &Server{Address: "sc://127.0.0.1:" + port}
	s.Server = start(t, env, program, "spark", "server", "--port", port)
	WaitUntil(t, "Sail listens", func() bool { return listens(port) })
	return s
}

// StartSparkCluster starts an Apache Spark cluster with a Spark Connect server. Each setting has
// the form "key=value". Starting takes minutes, so it skips the test unless the environment
// variable LABOUR_SPARK is set.
func StartSparkCluster(t testing.TB, workers int, settings ...string) *Server {
	t.Helper()
	if os.Getenv("LABOUR_SPARK") == "" {
		t.Skip("set LABOUR_SPARK=1 to start a cluster of Apache Spark, which takes minutes")
	}
	home, master := spark(t), freePort(t)
	dir := t.TempDir()
	// the Connect server would use it for the driver
	env := append(environment(home, dir), "SPARK_DAEMON_MEMORY=256m")
	class := filepath.Join(home, "bin", "spark-class")
	start(t, env, class, "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", master,
		"--webui-port", "0")
	WaitUntil(t, "the master listens", func() bool { return listens(master) })
	var all []*ChildProcess
	for range workers {
		all = append(all, start(t, env, class, "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1",
			"--webui-port", "0",
			"--cores", "1", "--memory", "1g", "spark://127.0.0.1:"+master))
	}
	s := connect(t, home, "spark://127.0.0.1:"+master, append(settings, "spark.executor.memory=1g")...)
	WaitUntil(t, "Spark listens", func() bool { return listens(s.port()) })
	s.Workers = all
	return s
}

// StartSingleSpark starts an Apache Spark server in a single process. It skips the test if the
// server does not start.
func StartSingleSpark(t testing.TB) *Server {
	t.Helper()
	s := connect(t, spark(t), "local[2]", "spark.ui.enabled=false",
		"spark.driver.extraJavaOptions=-XX:+UseSerialGC -XX:TieredStopAtLevel=1")
	for end := time.Now().Add(4 * time.Minute); !listens(s.port()); time.Sleep(100 * time.Millisecond) {
		select {
		case <-s.Server.ended:
			t.Skip("Apache Spark does not start here: " + s.Server.lastLines())
		default:
		}
		if time.Now().After(end) {
			t.Skip("Apache Spark does not start within four minutes")
		}
	}
	return s
}

// spark returns the directory of the Spark installation. It skips the test if Spark or Java is
// missing.
func spark(t testing.TB) string {
	t.Helper()
	home := findInstalled(t, "lib/python3*/site-packages/pyspark")
	if _, err := exec.LookPath("java"); err != nil {
		t.Skip("no java, which Apache Spark needs")
	}
	return home
}

// environment returns environment variables for the Spark installation in the directory home. With
// them, Spark listens on loopback only and writes its files to dir.
func environment(home, dir string) []string {
	return []string{"SPARK_HOME=" + home, "SPARK_LOCAL_IP=127.0.0.1", "SPARK_LOCAL_HOSTNAME=127.0.0.1",
		"SPARK_LOCAL_DIRS=" + dir, "SPARK_WORKER_DIR=" + dir}
}

func connect(t testing.TB, home, master string, settings ...string) *Server {
	t.Helper()
	dir := t.TempDir()
	port := freePort(t)
	ui := freePort(t)
	s := &Server{Address: "sc://127.0.0.1:" + port, WebUIAddress: "http://127.0.0.1:" + ui}
	args := []string{"--master", master, "--driver-memory", "1g"}
	for _, setting := range append([]string{"spark.driver.host=127.0.0.1", "spark.ui.port=" + ui,
		"spark.sql.shuffle.partitions=2", "spark.sql.warehouse.dir=" + dir,
		"spark.connect.grpc.binding.address=127.0.0.1", "spark.connect.grpc.binding.port=" + port}, settings...) {
		args = append(args, "--conf", setting)
	}
	s.Server = start(t, environment(home, dir), filepath.Join(home, "bin", "spark-submit"),
		append(args, "--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal")...)
	return s
}

func (s *Server) port() string { return s.Address[strings.LastIndex(s.Address, ":")+1:] }

// WaitUntil waits until ok returns true. It fails the test after three minutes. description names
// the awaited state in the failure message.
func WaitUntil(t testing.TB, description string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(3 * time.Minute); !ok(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within three minutes", description)
		}
	}
}

// findInstalled returns the first file in a directory bin/venv whose path matches a pattern. It
// looks for bin/venv in the working directory and its parents. It skips the test if nothing
// matches.
func findInstalled(t testing.TB, name string) string {
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

func listens(port string) bool {
	c, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err == nil {
		c.Close()
	}
	return err == nil
}

// ChildProcess is a process that a test has started.
type ChildProcess struct {
	command *exec.Cmd
	log     bytes.Buffer
	ended   chan struct{}
}

// start starts a program. When the test ends, the program and its children are killed.
func start(t testing.TB, env []string, program string, args ...string) *ChildProcess {
	t.Helper()
	t.TempDir() // the program may write to the test's directories until it ends; they are removed afterwards
	p := &ChildProcess{command: exec.Command(program, args...), ended: make(chan struct{})}
	p.command.Env = append(os.Environ(), env...)
	p.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	p.command.Stdout, p.command.Stderr = &p.log, &p.log
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.command.Wait() // its log has the reason
		close(p.ended)
	}()
	t.Cleanup(func() {
		KillProcess(p)
		if t.Failed() {
			t.Logf("%s: %s", program, p.lastLines())
		}
	})
	return p
}

// lastLines returns the end of the program's output.
func (p *ChildProcess) lastLines() string {
	lines := strings.Split(p.log.String(), "\n")
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}

// KillProcess kills a program and its child processes.
func KillProcess(p *ChildProcess) {
	_ = syscall.Kill(-p.command.Process.Pid, syscall.SIGKILL)
	<-p.ended
}
