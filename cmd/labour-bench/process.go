package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is labour in a process of its own, serving on base.
type process struct {
	command *exec.Cmd
	base    string
}

// servingOn finds the address that a server says it answers on.
var servingOn = regexp.MustCompile(`^Serving .* on (http://\S+)$`)

// startProcess starts a server, with the program labour next to this one, and waits until it says its address.
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
			go func() { _, _ = io.Copy(io.Discard, said) }() // its log, until it ends
			return &process{c, m[1]}, nil
		}
	}
	return nil, fmt.Errorf("%s ended without serving: %w", strings.Join(args, " "), c.Wait())
}

// stop ends the process as an operator would. A nil process has ended already.
func (p *process) stop() error {
	if p == nil {
		return nil
	}
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return p.command.Wait()
}

// cpu is the processor time that the process has used, as the scheduler of Linux tells
// it for each thread, to the nanosecond; 0 elsewhere.
func (p *process) cpu() time.Duration {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.command.Process.Pid))
	if err != nil {
		return 0 // the pattern is a good one
	}
	var used time.Duration
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if err != nil {
			continue // it has ended
		}
		running, _, _ := strings.Cut(string(text), " ")
		ns, _ := strconv.ParseInt(running, 10, 64)
		used += time.Duration(ns)
	}
	return used
}

// peakMB is the largest resident size of the process so far.
func (p *process) peakMB() int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kb, _ := strconv.ParseInt(fields[0], 10, 64)
	return kb >> 10
}
