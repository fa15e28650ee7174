package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
)

// Contents that take a file away, or put a directory in its place.
const (
	gone      = "(gone)"
	directory = "(directory)"
)

// brokenCall is a call of the program in a directory with broken files. It ends with a status other
// than 0 and a sentence.
type brokenCall struct {
	call   string
	files  map[string]string // by path
	status int
	said   string
}

// theSnapshot is the only snapshot of the directory.
const (
	theSnapshot = "2026-11-20.1"
	inSnapshot  = "data/snapshots/" + theSnapshot + "/"
)

// TestBrokenInputsEndEveryCommand calls every command on inputs that are missing, unreadable or
// damaged. An error that a command passes over would end in another status or another sentence.
func TestBrokenInputsEndEveryCommand(t *testing.T) {
	whole := wholeSite(t)
	tried := map[string]bool{}
	for _, c := range slices.Concat(brokenSteps, brokenSnapshots, brokenStates, brokenOthers) {
		t.Run(fmt.Sprintf("%.60s", c.call), func(t *testing.T) {
			args := strings.Fields(c.call)
			command, _, err := newRoot(&app{}).Find(args)
			if err != nil {
				t.Fatal(err)
			}
			tried[command.CommandPath()] = true
			c.try(t, whole, args)
		})
	}
	for _, command := range leaves(newRoot(&app{})) {
		if !tried[command] {
			t.Errorf("%s is called on no broken input", command)
		}
	}
}

// leaves returns the paths of the commands that do something.
func leaves(of *cobra.Command) (paths []string) {
	if !of.HasSubCommands() {
		return []string{of.CommandPath()}
	}
	for _, c := range of.Commands() {
		paths = append(paths, leaves(c)...)
	}
	return paths
}

func (c brokenCall) try(t *testing.T, whole string, args []string) {
	dir := whole
	if c.files != nil {
		dir = brokenSite(t, whole, c.files)
	}
	t.Chdir(dir)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "DIR", dir)
	}
	var env []string
	for len(args) > 0 && strings.Contains(args[len(args)-1], "_") && strings.Contains(args[len(args)-1], "=") {
		env, args = append(env, args[len(args)-1]), args[:len(args)-1]
	}
	var out, said shared
	status := here(&out, &said, func(name string) (string, bool) {
		for _, e := range env {
			if value, ok := strings.CutPrefix(e, name+"="); ok {
				return value, true
			}
		}
		return "", false
	}, args)
	if status != c.status || !strings.Contains(said.String(), c.said) {
		t.Errorf("status %d, want %d and %q:\n%s%s", status, c.status, c.said, said.String(), out.String())
	}
}

// brokenSite returns a copy of the whole site with other files. Tables, which no command changes, are
// links.
func brokenSite(t *testing.T, whole string, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	err := filepath.WalkDir(whole, func(from string, e fs.DirEntry, err error) error {
		to := filepath.Join(dir, strings.TrimPrefix(from, whole))
		switch {
		case err != nil:
			return err
		case e.IsDir():
			return os.MkdirAll(to, 0o755)
		case strings.HasSuffix(from, ".parquet"):
			return os.Link(from, to)
		}
		b, err := os.ReadFile(from)
		return errors.Join(err, os.WriteFile(to, b, 0o600))
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unlock(t, dir) })
	for path, text := range files {
		breakFile(t, filepath.Join(dir, path), text)
	}
	return dir
}

// breakFile replaces a file or a directory.
func breakFile(t *testing.T, path, text string) {
	t.Helper()
	err := os.RemoveAll(path)
	switch text {
	case gone:
	case directory:
		err = errors.Join(err, os.MkdirAll(path, 0o755))
	default:
		err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// wholeSite makes a directory with a configuration, a feed, a snapshot that is current, a state
// databases, key pairs, object storage with
// the snapshot and a copy that was pulled from there.
func wholeSite(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"labour.yaml":              siteConfig,
		"feed/boroughs.ndjson":     `{"slug":"camden","name":"Camden","code":"E09000007"}`,
		"feed/residents.ndjson":    `{"id":"r-1","borough":"camden","seeking_work":true}`,
		"feed/applications.ndjson": "",
		"feed/adverts.ndjson": `{"id":"a-1","imported_from":"platform","employer":"One","title":"Care assistant",` +
			`"kind":"job","posted_on":"2026-10-01","boroughs":["camden"],"text":"Good communication skills."}`,
		"garbage": "\x00garbage\n",
	} {
		breakFile(t, filepath.Join(dir, name), text)
	}
	t.Chdir(dir)
	for _, call := range []string{"snapshot keygen --key release.key", "snapshot keygen --key other.key",
		"run --as-of 2026-11-20 --sign-key release.key", "key create --partner Example",
		"key create --partner Other --state other.db",
		"snapshot publish --to file://" + filepath.Join(dir, "bucket"),
		"snapshot pull --data copy --from file://" + filepath.Join(dir, "bucket")} {
		var out, said shared
		if status := here(&out, &said, func(string) (string, bool) { return "", false },
			strings.Fields(call)); status != cli.ExitDone {
			t.Fatalf("labour %s ended with %d:\n%s", call, status, said.String())
		}
	}
	unlock(t, dir)
	return dir
}

const siteConfig = `platform: {name: Script Works, link: "https://works.example", feed: feed}
contact: data@works.example
`
