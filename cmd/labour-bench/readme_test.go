package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestDocumentedCommandsExist finds the commands in the table of cmd/README.md, with
// their flags.
func TestDocumentedCommandsExist(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| Command of `bin/labour-bench` |")
	rows := regexp.MustCompile("(?m)^\\| `([a-z]+) .*$").FindAllStringSubmatch(table, -1)
	if !found || len(rows) == 0 {
		t.Fatal("cmd/README.md has no table of commands")
	}
	for _, row := range rows {
		command, _, err := command().Find([]string{row[1]})
		if err != nil || !command.HasParent() {
			t.Errorf("there is no labour-bench %s", row[1])
			continue
		}
		for _, flag := range regexp.MustCompile("--([a-z-]+)").FindAllStringSubmatch(row[0], -1) {
			if command.Flags().Lookup(flag[1]) == nil {
				t.Errorf("labour-bench %s takes no --%s", row[1], flag[1])
			}
		}
	}
}
