package ingest

import (
	"context"
	"log/slog"
)

// warnings collects the message and the part of each record of a log.
type warnings struct {
	slog.Handler
	lines []string
}

func (w *warnings) logger() *slog.Logger { return slog.New(w) }

func (w *warnings) Enabled(context.Context, slog.Level) bool { return true }

func (w *warnings) Handle(_ context.Context, r slog.Record) error {
	line := r.Message
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "part" {
			line += " " + a.Value.String()
		}
		return true
	})
	w.lines = append(w.lines, line)
	return nil
}
