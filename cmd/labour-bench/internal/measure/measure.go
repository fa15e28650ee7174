// Package measure is the commands of labour-bench: it makes data of a chosen size, and measures the
// pipeline and the server on it, each in a process of its own.
package measure

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"labour/cmd/internal/cli"

	"github.com/spf13/cobra"
)

// Program is what measuring takes of the program that is measured.
type Program struct {
	Stdout, Stderr io.Writer
	Now            func() time.Time
	Random         io.Reader
	Version        string
	Log            func() *slog.Logger
	Progress       func() cli.Progress
	// Secret finds the secrets that simulated publishers ask for.
	Secret func(name string) (string, bool)
	// ForBatch suits the process to a batch, as every run of the pipeline is.
	ForBatch func()
	// Labour is the path of the program that is measured.
	Labour string
}

// Command is labour-bench.
func Command(p *Program) *cobra.Command {
	return cli.Group("labour-bench", "Make data of a chosen size and measure", newDataCmd(p), newRunCmd(p), newServeCmd(p),
		newPipelineCmd(p), newMountCmd(p))
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
