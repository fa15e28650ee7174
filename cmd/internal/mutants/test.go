package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// outcome is the result of testing a mutation: which tests detected it, if any.
type outcome string

const (
	killed   outcome = "killed"   // tests of the mutated package detected the mutation
	further  outcome = "further"  // only tests of other packages detected the mutation
	survived outcome = "survived" // no test detected the mutation
	invalid  outcome = "invalid"  // the mutated code does not compile
)

// tester runs go test on mutated code, to see whether tests detect the mutation.
type tester struct {
	run, skip string
	timeout   time.Duration
	// other packages; their tests run if the tests of the mutated package detect nothing
	further []string
	at      []string // lines to mutate, such as grant.go:78; none = all lines
}

// sitesInLines returns the mutations in the lines that the flag -at lists. Without the flag it
// returns all of them.
func (t *tester) sitesInLines(sites []site) []site {
	if len(t.at) == 0 {
		return sites
	}
	return slices.DeleteFunc(sites, func(s site) bool {
		line := fmt.Sprintf("%s:%d", filepath.Base(s.file), s.line)
		return !slices.Contains(t.at, line)
	})
}

// testWith tests package p with the mutation s. It returns the outcome, and in by the name of the
// test that detected the mutation. by is "" if no test did.
func (t *tester) testWith(ctx context.Context, p string, s site) (what outcome, by string, err error) {
	dir, err := os.MkdirTemp("", "mutant-")
	if err != nil {
		return "", "", err
	}
	defer os.RemoveAll(dir) // removes temporary files
	overlay, err := writeOverlay(dir, s)
	if err != nil {
		return "", "", err
	}
	out, what := t.runTests(ctx, p, overlay)
	if what != survived {
		return what, firstFailure(out), ctx.Err()
	}
	for _, other := range t.further {
		if out, of := t.runTests(ctx, other, overlay); of == killed {
			return further, firstFailure(out), ctx.Err()
		}
	}
	return survived, "", ctx.Err()
}

// writeOverlay writes the mutated file and an overlay file for go test into dir. It returns the
// path of the overlay file.
func writeOverlay(dir string, s site) (string, error) {
	changed, err := s.mutatedSource()
	if err != nil {
		return "", err
	}
	path, err := filepath.Abs(s.file)
	if err != nil {
		return "", err
	}
	file, list := filepath.Join(dir, "changed"), filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]map[string]string{"Replace": {path: file}})
	return list, errors.Join(err, os.WriteFile(file, changed, 0o600), os.WriteFile(list, text, 0o600))
}

// runTests runs the tests of package p and returns their output and the outcome. overlay is the
// path of an overlay file that replaces source files; "" means none.
func (t *tester) runTests(ctx context.Context, p, overlay string) (string, outcome) {
	args := []string{"test", "-vet=off", "-ldflags=-s -w", "-failfast", "-timeout", t.timeout.String(),
		"-run", t.run, "-skip", t.skip, "-overlay", overlay, p}
	out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput()
	text := string(out)
	switch {
	case err == nil:
		return text, survived
	case strings.Contains(text, "[build failed]") || strings.Contains(text, "[setup failed]"):
		return text, invalid
	}
	return text, killed
}

// firstFailure finds the first failed test or panic in the output of go test. It returns text such
// as " by TestName", or "" if nothing failed.
func firstFailure(out string) string {
	for line := range strings.Lines(out) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "--- FAIL: "); ok {
			name, _, _ = strings.Cut(name, " ")
			return " by " + name
		}
		if strings.HasPrefix(line, "panic: ") {
			return fmt.Sprintf(" by a panic: %.60s", strings.TrimSpace(strings.TrimPrefix(line, "panic: ")))
		}
	}
	return ""
}
