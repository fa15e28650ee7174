package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"labour/snapshots/snaptest"
)

// walkStep is a block of commands of the walk-through and the lines of its output.
type walkStep struct {
	commands string
	output   []string
}

// walkSteps reads the walk-through for auditors: each block of commands and the
// block of text after it.
func walkSteps(t *testing.T) []walkStep {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "snapshots", "FORMAT.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(b), "## A walk through a snapshot, for auditors\n")
	if !found {
		t.Fatal("FORMAT.md has no walk-through")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```\n\n```text\n(.*?)```\n").FindAllStringSubmatch(section, -1)
	if n := strings.Count(section, "```sh\n"); n != len(blocks) || n == 0 {
		t.Fatalf("%d of %d blocks of commands have their output under them", len(blocks), n)
	}
	var steps []walkStep
	for _, m := range blocks {
		steps = append(steps, walkStep{m[1], strings.Split(strings.TrimSpace(m[2]), "\n")})
	}
	return steps
}

// walkWorld is a directory with a store of one signed snapshot and the public key.
func walkWorld(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	key := filepath.Join(dir, "labour")
	var said strings.Builder
	a := &app{stdout: &said, stderr: &said, now: time.Now, random: rand.Reader,
		getenv: func(string) (string, bool) { return "", false }}
	if err := a.keygen(t.Context(), &keygenOptions{Key: key}, nil); err != nil {
		t.Fatal(err)
	}
	snaptest.BuildSnapshot(t, filepath.Join(dir, "data"), "2026-11-20", signedContent(t, key))
	return dir
}

// missingTool returns the external tool that a step needs and this machine lacks.
func missingTool(ctx context.Context, commands string) string {
	for _, tool := range []string{"sha256sum", "minisign", "python3"} {
		if !regexp.MustCompile(`(?m)^` + tool + `\b`).MatchString(commands) {
			continue
		}
		if _, err := exec.LookPath(tool); err != nil {
			return tool
		}
	}
	if strings.Contains(commands, "import duckdb") && exec.CommandContext(ctx, "python3", "-c",
		"import duckdb").Run() != nil {
		return "DuckDB for Python (.ci/run installs it into bin/venv)"
	}
	return ""
}

// TestWalkThroughForAuditors runs the commands of FORMAT.md as they stand there.
func TestWalkThroughForAuditors(t *testing.T) {
	venv, err := filepath.Abs(filepath.Join("..", "..", "bin", "venv", "bin"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", venv+string(os.PathListSeparator)+os.Getenv("PATH"))
	dir := walkWorld(t)
	for i, step := range walkSteps(t) {
		t.Run(fmt.Sprint("step ", i+1), func(t *testing.T) {
			if tool := missingTool(t.Context(), step.commands); tool != "" {
				t.Skipf("%s is not there", tool)
			}
			c := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", step.commands)
			c.Dir = dir
			out, err := c.CombinedOutput()
			if err != nil {
				t.Fatalf("%v in\n%s\n%s", err, step.commands, out)
			}
			for _, line := range step.output {
				if !strings.Contains(string(out), line) {
					t.Errorf("the output has no %q:\n%s", line, out)
				}
			}
		})
	}
}
