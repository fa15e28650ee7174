package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

func newBenchCmd(a *app) *cobra.Command {
	return group("bench", "Make data of a chosen size and measure", newBenchDataCmd(a), newBenchRunCmd(a), newBenchServeCmd(a),
		newBenchPipelineCmd(a), newBenchDuckDBCmd(a), newBenchMountCmd(a), newBenchBareCmd(a), newBenchCountCmd(a))
}

// writeJSON writes what was measured to a file, for people and programs; an empty name
// writes nothing.
func writeJSON(file string, v any) error {
	if file == "" {
		return nil
	}
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", file, err)
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}
