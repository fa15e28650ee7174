package serve

import (
	"context"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"labour/serve/partners/usage"
	"labour/snapshots"
)

// fixed is a counter that has always counted so many calls.
type fixed struct {
	counts usage.Counts
	err    error
}

func (f fixed) Count(context.Context, string, time.Time) (usage.Counts, error) {
	return f.counts, f.err
}

// provocation makes a call that gives a certain status.
type provocation func(*testing.T, *world) result

// provokers make an operation answer with each status that is documented; more than
// one where a status has several causes.
func provokers(op operation) map[int][]provocation {
	plain := func(t *testing.T, w *world) result { return w.call(t, op, nil) }
	with := func(name string, change func(*Options)) provocation {
		return func(t *testing.T, w *world) result { w.vary(t, name, change); return plain(t, w) }
	}
	asking := func(change func(*world, *request)) provocation {
		return func(t *testing.T, w *world) result { return w.call(t, op, func(r *request) { change(w, r) }) }
	}
	counting := func(name string, f fixed) provocation { return with(name, func(o *Options) { o.RequestCounter = f }) }
	all := map[int][]provocation{
		200: {plain}, 201: {plain}, 202: {plain}, 204: {plain},
		304: {asking(func(_ *world, r *request) { r.headers["If-None-Match"] = "*" })},
		400: {asking(func(_ *world, r *request) {
			r.target += map[bool]string{true: "&", false: "?"}[strings.Contains(r.target, "?")] + "zzz=1"
		})},
		401: {asking(func(_ *world, r *request) { delete(r.headers, "Authorization") })},
		403: {with("no scope", func(o *Options) { o.Authenticator = withoutScopes{o.Authenticator} })},
		404: {asking(func(w *world, r *request) { r.target = strings.Replace(r.target, w.endpoint, "whe_none", 1) })},
		413: {asking(func(_ *world, r *request) { r.body += strings.Repeat(" ", maxBody) })},
		415: {asking(func(_ *world, r *request) { r.body += " "; r.headers["Content-Type"] = "text/plain" })},
		429: {counting("hour", fixed{counts: usage.Counts{Hour: 1 << 40}}),
			counting("month", fixed{counts: usage.Counts{Month: 1 << 40}}), unknown(op)},
		500: {with("no randomness", func(o *Options) { o.RandomSource = broken{} })},
		503: {counting("late", fixed{err: context.DeadlineExceeded})},
		504: {},
	}
	late := func(t *testing.T, w *world) result {
		w.hurry(t)
		w.live.now().hook = waits
		return plain(t, w)
	}
	hooked := func(hook func(context.Context) error) provocation {
		return func(t *testing.T, w *world) result {
			w.live.now().hook = hook
			return plain(t, w)
		}
	}
	empty := func(t *testing.T, w *world) result {
		w.live.now().hook, w.live.current = nil, "none"
		defer func() { w.live.current = "2026-11-20.1" }()
		return plain(t, w)
	}
	if op.id == "health" || op.id == "readiness" { // they take no key
		all[429] = []provocation{unknown(op)}
	}
	switch {
	case strings.HasPrefix(op.path, endpointsPath):
		all[409] = []provocation{clashing(op)}
		all[504] = []provocation{with("late webhooks", func(o *Options) { o.QueryTimeout = time.Nanosecond })}
	case op.id == "compliance-export":
		all[504] = []provocation{func(t *testing.T, w *world) result {
			w.hurry(t)
			return w.sendFrom(t, op.method, op.path, slow{}, "Authorization", "Bearer "+w.secret, "Content-Type",
				typeJSON)
		}}
	case isEmbargoed(op.id):
		closed := func(t *testing.T, w *world) result { w.live.now().open = nil; return plain(t, w) }
		all[403], all[500], all[504] = append(all[403], closed), append(all[500], hooked(fails)),
			append(all[504], late)
	case op.id == "readiness":
		all[500], all[503], all[504] = []provocation{hooked(fails)}, []provocation{empty}, []provocation{late}
	case op.keyed && op.id != "compliance-export":
		all[500], all[503], all[504] = append(all[500], hooked(fails)), append(all[503], empty),
			append(all[504], late)
	}
	return all
}

// hurry gives the calls that follow little time. All others have a minute, so that a busy machine
// provokes nothing.
func (w *world) hurry(t *testing.T) {
	t.Helper()
	w.vary(t, "little time", func(o *Options) { o.QueryTimeout = 100 * time.Millisecond })
}

// unknown is one call more without a key than an address may make.
func unknown(op operation) provocation {
	return func(t *testing.T, w *world) result {
		w.vary(t, "few without a key", func(o *Options) { o.RequestsPerAddress = 1e-9 })
		w.call(t, op, func(r *request) { delete(r.headers, "Authorization") })
		return w.call(t, op, func(r *request) { delete(r.headers, "Authorization") })
	}
}

// clashing is a call that the state of the endpoints does not allow.
func clashing(op operation) provocation {
	return func(t *testing.T, w *world) result {
		switch op.id {
		case "create-webhook-endpoint":
			w.call(t, op, nil)
		case "change-webhook-endpoint":
			w.endpoint = w.manage(t, http.StatusCreated, http.MethodPost, "",
				`{"url":"https://example.net/hooks"}`).Data.ID
			return w.call(t, op, func(r *request) { r.body = `{"url":"https://example.org/hooks"}` })
		default:
			w.manage(t, http.StatusOK, http.MethodPatch, "/"+w.endpoint, `{"enabled":false}`)
		}
		return w.call(t, op, nil)
	}
}

func isEmbargoed(id string) bool {
	_, embargoed := snapshots.FindEmbargoedDataset(id)
	return embargoed
}

// broken is no source of randomness.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// slow is a body that does not come in time.
type slow struct{}

func (slow) Read([]byte) (int, error) { return 0, os.ErrDeadlineExceeded }
