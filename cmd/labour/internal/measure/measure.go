// Package measure is `labour bench`: it makes data of a chosen size, and measures the
// pipeline and the server on it, each in a process of its own.
package measure

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"time"

	"labour/cmd/labour/internal/cli"
	"labour/serve/access"

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
	// Keys opens the keys of a data directory with its state in a file.
	Keys func(ctx context.Context, data, state string, do func(*access.Store) error) error
	// Service is the handler of the server, in this process, until close.
	Service func(ctx context.Context, data, state string) (handler http.Handler, close func() error, err error)
}

// Command is `labour bench`.
func Command(p *Program) *cobra.Command {
	return cli.Group("bench", "Make data of a chosen size and measure", newDataCmd(p), newRunCmd(p), newServeCmd(p),
		newPipelineCmd(p), newDuckDBCmd(p), newMountCmd(p), newBareCmd(p), newCountCmd(p))
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
