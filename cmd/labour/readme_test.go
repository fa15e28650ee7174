package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"labour/pipeline/config"
)

func readme(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestReadmeConfigurationIsSound reads the labour.yaml that README.md shows, with the
// pieces that it shows further down.
func TestReadmeConfigurationIsSound(t *testing.T) {
	blocks := regexp.MustCompile("(?s)\n( *)```yaml\n(.*?)\n *```").FindAllStringSubmatch(readme(t), -1)
	if len(blocks) < 3 {
		t.Fatalf("README.md has %d pieces of labour.yaml", len(blocks))
	}
	var whole strings.Builder
	for _, b := range blocks {
		indent, text := b[1], b[2]
		whole.WriteString(strings.ReplaceAll("\n"+text, "\n"+indent, "\n") + "\n")
	}
	text := strings.ReplaceAll(whole.String(), "https://…", "https://publisher.example/file.xlsx")
	if _, err := config.Parse([]byte(text)); err != nil {
		t.Errorf("%v in\n%s", err, text)
	}
}

// TestReadmeCommandsExist finds every command of README.md, with its flags.
func TestReadmeCommandsExist(t *testing.T) {
	calls := regexp.MustCompile("(?:bin/)?labour ([a-z][^`\n]*)").FindAllStringSubmatch(readme(t), -1)
	if len(calls) < 20 {
		t.Fatalf("README.md has %d calls", len(calls))
	}
	for _, call := range calls {
		words := strings.Fields(call[1])
		command, _, err := newRoot(&app{}).Find(words)
		if err != nil || !command.HasParent() {
			t.Errorf("labour %s: there is no such command", call[1])
			continue
		}
		command.InitDefaultHelpFlag()
		for _, w := range words {
			name, isFlag := strings.CutPrefix(w, "--")
			name, _, _ = strings.Cut(name, "=")
			if isFlag && command.Flags().Lookup(name) == nil {
				t.Errorf("labour %s: %s takes no --%s", call[1], command.CommandPath(), name)
			}
		}
	}
}
