package main

import (
	_ "embed"
	"strings"

	"github.com/spf13/cobra"
)

// examples are calls of every command, one a line, which its help shows.
//
//go:embed examples.txt
var examples string

func addExamples(root *cobra.Command) {
	for line := range strings.Lines(examples) {
		line = strings.TrimSpace(line)
		c := root
		for _, word := range strings.Fields(line) {
			for _, sub := range c.Commands() {
				if sub.Name() == word {
					c = sub
					break
				}
			}
		}
		c.Example = strings.TrimPrefix(c.Example+"\n  "+line, "\n")
	}
}
