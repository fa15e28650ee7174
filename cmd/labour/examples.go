package main

import (
	_ "embed"
	"strings"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
)

// examples are calls of every command, one a line, and helps the help of most, each after
// a line with == and its name.
//
//go:embed examples.txt
var examples string

//go:embed help.txt
var helps string

func addHelp(root *cobra.Command) {
	for line := range strings.Lines(examples) {
		line = strings.TrimSpace(line)
		c := named(root, line)
		c.Example = strings.TrimPrefix(c.Example+"\n  "+line, "\n")
	}
	for text := range strings.SplitSeq(strings.TrimPrefix(helps, "== "), "\n== ") {
		name, help, _ := strings.Cut(text, "\n")
		named(root, name).Long = strings.TrimSpace(help) + "\n\n" + cli.ExitHelp
	}
}

// named returns the command that a call names.
func named(c *cobra.Command, call string) *cobra.Command {
	for _, word := range strings.Fields(call) {
		for _, sub := range c.Commands() {
			if sub.Name() == word {
				c = sub
				break
			}
		}
	}
	return c
}
