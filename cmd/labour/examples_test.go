package main

import (
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestEveryCommandHasAnExample: the help of each command shows a call of it, and each call
// is one of a command that exists, with flags that it takes.
func TestEveryCommandHasAnExample(t *testing.T) {
	for line := range strings.Lines(examples) {
		wantCommand(t, "examples.txt", strings.Fields(line)[1:])
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			walk(sub)
		}
		if !c.HasSubCommands() && !strings.Contains(c.Example, c.CommandPath()) {
			t.Errorf("%s has no example in its help", c.CommandPath())
		}
	}
	walk(newRoot(&app{}))
}

// TestStepsAreLoggedOnRequest: without --verbose, only warnings and errors are logged.
func TestStepsAreLoggedOnRequest(t *testing.T) {
	a := newApp(os.Stdout, os.Stderr)
	if newRoot(a); a.verbose {
		t.Error("every step is logged without --verbose")
	}
}
