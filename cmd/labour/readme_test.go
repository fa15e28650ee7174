package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"labour/cmd/internal/cli"
)

// documents are those that show commands and configurations, from the top level.
func documents() []string {
	return []string{"README.md", "pipeline/README.md", "pipeline/coding/README.md", "serve/README.md",
		"snapshots/README.md", "cmd/README.md", "cmd/labour/deploy/README.md"}
}

func document(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestDocumentedConfigurationsPassSourceCheck checks each labour.yaml that a document
// shows as an operator would. Each block of YAML names its file in its first line.
func TestDocumentedConfigurationsPassSourceCheck(t *testing.T) {
	for _, name := range []string{"pipeline/README.md"} {
		dir := t.TempDir()
		blocks := regexp.MustCompile("(?s)\n```yaml\n# ([a-z.]+)\n(.*?)\n```").FindAllStringSubmatch(document(t, name),
			-1)
		for _, b := range blocks {
			text := strings.ReplaceAll(b[2], "https://…", "https://publisher.example/file.xlsx")
			if err := os.WriteFile(filepath.Join(dir, b[1]), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		f := &sourceOptions{Config: filepath.Join(dir, "labour.yaml"),
			listOptions: listOptions{DataFlag: cli.DataFlag{Data: dir}}}
		if err := (&app{stdout: io.Discard, stderr: io.Discard, now: newApp(os.Stdout, os.Stderr).now,
			getenv: os.LookupEnv}).checkSources(t.Context(), f, nil); err != nil {
			t.Errorf("labour.yaml of %s: %v", name, err)
		}
		if all := strings.Count(document(t, name), "```yaml"); all != len(blocks) {
			t.Errorf("%s: %d of %d blocks of YAML do not name their file", name, all-len(blocks), all)
		}
	}
}

// TestDocumentedCommandsExist finds every command of the documents, with its flags.
func TestDocumentedCommandsExist(t *testing.T) {
	inText := regexp.MustCompile("(?m)(?:^|`)(?:bin/)?labour ([a-z][^`\n]*)")
	for _, name := range documents() {
		for _, call := range inText.FindAllStringSubmatch(document(t, name), -1) {
			words := strings.Fields(call[1])
			command, _, err := newRoot(&app{}).Find(words)
			if err != nil || !command.HasParent() || command.HasSubCommands() {
				t.Errorf("%s: labour %s: there is no such command", name, call[1])
				continue
			}
			command.InitDefaultHelpFlag()
			for _, w := range words {
				flag, isFlag := strings.CutPrefix(w, "--")
				flag, _, _ = strings.Cut(flag, "=")
				if isFlag && command.Flags().Lookup(flag) == nil {
					t.Errorf("%s: labour %s: %s takes no --%s", name, call[1], command.CommandPath(), flag)
				}
			}
		}
	}
}

// TestServeFlagsAreDocumented holds the table of flags in serve/README.md against the
// command.
func TestServeFlagsAreDocumented(t *testing.T) {
	text := document(t, "serve/README.md")
	command, _, err := newRoot(&app{}).Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	command.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !strings.Contains(text, "`--"+f.Name+"`") && f.Name != "help" {
			t.Errorf("serve/README.md does not name --%s", f.Name)
		}
	})
	for _, flag := range regexp.MustCompile("(?m)^\\| `--([a-z-]+)`").FindAllStringSubmatch(text, -1) {
		if command.Flags().Lookup(flag[1]) == nil {
			t.Errorf("serve/README.md names --%s, which serve does not take", flag[1])
		}
	}
}
