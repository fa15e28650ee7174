// Command labour-bench measures how fast labour builds snapshots and serves calls. Before that, it
// makes data of a chosen size. It is a tool for developers.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime/pprof"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/procfs"
	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "labour-bench:", err)
		stop()
		os.Exit(cli.ExitFailed)
	}
}

func command() *cobra.Command {
	return cli.NewCommandGroup("labour-bench", "Make data of a chosen size and measure", newDataCmd(),
		cli.NewCommand("run", "Measure the pipeline", cli.ExactArgs(0), runOptions{}, measureRun), newServeCmd())
}

func now() time.Time { return time.Now().UTC() }

func logger() *slog.Logger { return slog.New(slog.NewTextHandler(os.Stderr, nil)) }

func newProgress() cli.Progress { return cli.NewProgress(os.Stderr, now, false) }

// writeJSON writes v to a file as JSON. It does nothing if the file name is empty.
func writeJSON(file string, v any) error {
	if file == "" {
		return nil
	}
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", file, err)
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

// startProfile starts a CPU profile of this process. The returned function stops the profile and
// writes cpu.pprof and allocs.pprof into dir. If dir is empty, neither function does anything.
func startProfile(dir string) (stop func() error, err error) {
	if dir == "" {
		return func() error { return nil }, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	cpu, badCPU := os.Create(filepath.Join(dir, "cpu.pprof"))
	allocs, badAllocs := os.Create(filepath.Join(dir, "allocs.pprof"))
	if err := errors.Join(badCPU, badAllocs); err != nil {
		return nil, err
	}
	return func() error {
		pprof.StopCPUProfile()
		return errors.Join(cpu.Close(), pprof.Lookup("allocs").WriteTo(allocs, 0), allocs.Close())
	}, pprof.StartCPUProfile(cpu)
}

// process is a labour server that runs as a child process. base is its URL.
type process struct {
	command *exec.Cmd
	base    string
}

// servingOn matches the line of output in which a labour server prints its URL.
var servingOn = regexp.MustCompile(`^Serving .* on (http://\S+)$`)

// startProcess starts a labour server with args and waits until it prints its URL. The program
// labour must be in the directory of labour-bench.
func startProcess(ctx context.Context, args ...string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, filepath.Join(filepath.Dir(self), "labour"), args...)
	said, err := c.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if m := servingOn.FindStringSubmatch(lines.Text()); m != nil {
			go func() { _, _ = io.Copy(io.Discard, said) }() // reads the log until the process ends
			return &process{c, m[1]}, nil
		}
	}
	return nil, fmt.Errorf("%s ended without serving: %w", strings.Join(args, " "), c.Wait())
}

// stop sends SIGTERM to the server and waits until it exits. It does nothing if p is nil.
func (p *process) stop() error {
	if p == nil {
		return nil
	}
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return p.command.Wait()
}

// cpu returns the CPU time that the server has used so far. It returns 0 on systems other than
// Linux.
func (p *process) cpu() (cpuTime time.Duration) {
	threads, err := procfs.AllThreads(p.command.Process.Pid)
	if err != nil {
		return 0
	}
	for _, thread := range threads {
		if s, err := thread.Schedstat(); err == nil { // on an error the thread has ended
			cpuTime += time.Duration(s.RunningNanoseconds)
		}
	}
	return cpuTime
}

// peakMB returns the peak resident memory of the process with the ID pid, in MB. It returns 0 on
// systems other than Linux.
func peakMB(pid int) int64 {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return 0
	}
	status, _ := p.NewStatus()
	return int64(status.VmHWM >> 20)
}
