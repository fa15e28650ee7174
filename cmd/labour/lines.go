package main

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

// The lines of a log that wait to be written: for at most lineDelay, and at most so
// many bytes of them.
const (
	lineDelay   = 100 * time.Millisecond
	linesWaking = 32 << 10
)

// lines writes a log's lines together, so that a busy server does not make a system
// call for each call that it answers. What a killed process has not written is lost:
// the lines of its last moment. It is safe for concurrent use.
type lines struct {
	out io.Writer

	mu      sync.Mutex
	waiting []byte
	planned bool // flush is about to be called
}

// Write takes whole lines. An error of the log itself has nobody to be told to.
func (l *lines) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = append(l.waiting, text...)
	if len(l.waiting) >= linesWaking {
		return len(text), l.write()
	}
	if !l.planned {
		l.planned = true
		time.AfterFunc(lineDelay, l.flush)
	}
	return len(text), nil
}

// flush writes what waits.
func (l *lines) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.planned = false
	_ = l.write()
}

// write writes what waits. The lock is held.
func (l *lines) write() error {
	if len(l.waiting) == 0 {
		return nil
	}
	_, err := l.out.Write(l.waiting)
	l.waiting = l.waiting[:0]
	return err
}

// promptly is a handler whose lines of slog.LevelWarn and above do not wait, and
// neither do those before them.
type promptly struct {
	slog.Handler
	lines *lines
}

// serverLog is the log of a server: JSON, one line for each call. end writes what
// still waits, when the server has stopped.
func (a *app) serverLog() (log *slog.Logger, end func()) {
	l := &lines{out: a.stderr}
	return slog.New(promptly{slog.NewJSONHandler(l, nil), l}), l.flush
}

// Handle is slog.Handler's.
func (p promptly) Handle(ctx context.Context, r slog.Record) error {
	err := p.Handler.Handle(ctx, r)
	if r.Level >= slog.LevelWarn {
		p.lines.flush()
	}
	return err
}

// WithAttrs is slog.Handler's.
func (p promptly) WithAttrs(attrs []slog.Attr) slog.Handler {
	return promptly{p.Handler.WithAttrs(attrs), p.lines}
}

// WithGroup is slog.Handler's.
func (p promptly) WithGroup(name string) slog.Handler {
	return promptly{p.Handler.WithGroup(name), p.lines}
}
