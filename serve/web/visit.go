package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"labour/serve"
	"labour/serve/cursor"
	"labour/serve/labourdata"
	"labour/serve/wire"
)

// page is one page of the site.
type page struct {
	pattern string // of http.ServeMux, such as "GET /skills"
	// asks is true for a page of figures: it waits for its turn, and is 503 when no
	// snapshot is loaded.
	asks bool
	show func(*visit) (view, error)
}

// view is what a page shows.
type view struct {
	template string // file under templates, without .html
	title    string
	section  string // which entry of the navigation it belongs to
	data     any
	status   int // 0 = 200
}

// visit is one request for a page.
type visit struct {
	*http.Request
	ctx      context.Context // of the questions: it has their deadline
	at       time.Time
	base     string              // address of the service as the visitor sees it
	snapshot labourdata.Snapshot // nil on a page that asks nothing, while none is loaded
	stamp    stamp
}

// stamp is what stands with the figures of a page: where they come from and how
// to get them otherwise.
type stamp struct {
	Sources  []labourdata.Source // of all figures of the page, each once, by key
	Calls    []call
	People   bool // whether figures about people are among them
	Snapshot labourdata.Snapshot
	Notice   string
}

// call is a call of the interface that gives figures of the page.
type call struct {
	What string // in words
	URL  string // complete
	CSV  string // address of the same figures as CSV
}

// fault is what went wrong for the visitor.
type fault struct {
	status  int
	title   string
	words   string
	nearest []link
}

type link struct{ Name, URL string }

// Error is for the log.
func (f *fault) Error() string { return f.title + ": " + f.words }

// handler shows a page.
func (s *Site) handler(p page) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &visit{Request: r, ctx: r.Context(), at: s.Now().UTC(), base: baseOf(r)}
		release, err := s.acquire(v, p)
		if err == nil {
			defer release()
		}
		var shown view
		if err == nil && p.asks {
			err = s.Inside.Ask(r.Context(), func(ctx context.Context) (err error) {
				v.ctx = ctx
				shown, err = p.show(v)
				return err
			})
		} else if err == nil {
			shown, err = p.show(v)
		}
		if err != nil {
			shown = s.failed(v, err)
		}
		s.send(w, v, shown)
	})
}

// acquire gives the visit its snapshot: the current one, or that of the cursor in
// its address.
func (s *Site) acquire(v *visit, p page) (release func(), err error) {
	if token := v.FormValue("cursor"); p.asks && token != "" {
		return s.resume(v, token)
	}
	v.snapshot, release, err = s.Live.Acquire()
	if errors.Is(err, labourdata.ErrNoSnapshot) && !p.asks {
		return func() {}, nil
	}
	return release, err
}

// resume acquires the snapshot that a cursor of any endpoint names. Which rows it
// points at is for the page to open.
func (s *Site) resume(v *visit, token string) (release func(), err error) {
	for _, endpoint := range []string{skillsPath, evidencePath} {
		var position any
		id, err := s.Cursors.Open(token, endpoint, &position)
		if err == nil {
			v.snapshot, release, err = s.Live.AcquireID(id)
			return release, err
		}
	}
	return nil, cursor.ErrInvalid
}

// failed is the page of an error. What is inside goes to the log only.
func (s *Site) failed(v *visit, err error) view {
	var f *fault
	switch {
	case errors.As(err, &f):
	case errors.Is(err, labourdata.ErrNoSnapshot):
		f = &fault{status: http.StatusServiceUnavailable, title: "No data yet", words: "The service has no data loaded yet. Please try again in a few minutes."}
	case errors.Is(err, labourdata.ErrSnapshotGone), errors.Is(err, cursor.ErrInvalid):
		f = &fault{status: http.StatusBadRequest, title: "This page of the list is gone", words: "The list that you were turning the pages of has been replaced by newer data. Start again from its first page.",
			nearest: []link{{"First page", v.with("cursor", "")}}}
	case errors.Is(err, serve.ErrBusy), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		f = &fault{status: http.StatusServiceUnavailable, title: "Too busy at this moment", words: "Many people are asking at once. Please try again shortly."}
	default:
		f = &fault{status: http.StatusInternalServerError, title: "Something went wrong", words: "The page could not be made. Please try again; if it stays so, tell the operator when it happened."}
		s.Log.Error("page", "route", v.Pattern, "error", err)
	}
	v.stamp = stamp{}
	return view{template: "error", title: f.title, status: f.status, data: map[string]any{"Words": f.words, "Nearest": f.nearest}}
}

// missing is the page of an address that does not exist.
func (s *Site) missing(*visit) (view, error) {
	return view{}, &fault{status: http.StatusNotFound, title: "There is no such page", words: "The address may be mistyped, or the page may have moved.",
		nearest: []link{{"Skills not met", "/skills"}, {"Documentation", "/docs"}}}
}

// send makes the page in memory, so that nothing half-made is ever sent.
func (s *Site) send(w http.ResponseWriter, v *visit, shown view) {
	var b bytes.Buffer
	if err := s.templates[shown.template].Execute(&b, s.frame(v, shown)); err != nil {
		s.Log.Error("page", "route", v.Pattern, "error", err)
		http.Error(w, "The page could not be made. Please try again.", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "private, max-age=0, must-revalidate")
	if shown.status != 0 {
		w.WriteHeader(shown.status)
		w.Write(b.Bytes())
		return
	}
	sum := sha256.Sum256(b.Bytes())
	tag := `W/"` + hex.EncodeToString(sum[:12]) + `"`
	h.Set("ETag", tag)
	if strings.Contains(v.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Write(b.Bytes())
}

// took notes the sources of an answer.
func took[R any](v *visit, p labourdata.Page[R]) {
	v.stamp.Snapshot, v.stamp.Notice = v.snapshot, wire.AttributionNotice
	for _, e := range p.Sources {
		if !slices.ContainsFunc(v.stamp.Sources, func(known labourdata.Source) bool { return known.Key == e.Key }) {
			v.stamp.Sources = append(v.stamp.Sources, e)
		}
	}
	slices.SortFunc(v.stamp.Sources, func(a, b labourdata.Source) int { return strings.Compare(a.Key, b.Key) })
}

// calls notes a call of the interface that gives the figures of an answer.
func (v *visit) calls(what, path string, query url.Values) {
	shown := path
	if q := query.Encode(); q != "" {
		shown += "?" + q
	}
	v.stamp.Calls = append(v.stamp.Calls, call{What: what, URL: v.base + shown, CSV: "/csv/" + strings.TrimPrefix(shown, labourPath)})
}

// with is the address of the visit with one parameter set, or taken out when the
// value is empty.
func (v *visit) with(name, value string) string {
	q := v.URL.Query()
	q.Set(name, value)
	return address(v.URL.Path, q)
}

// address is a path with the parameters that have a value.
func address(path string, q url.Values) string {
	kept := url.Values{}
	for name, values := range q {
		if len(values) > 0 && values[0] != "" {
			kept.Set(name, values[0])
		}
	}
	if len(kept) == 0 {
		return path
	}
	return path + "?" + kept.Encode()
}

var hostPattern = regexp.MustCompile(`^[A-Za-z0-9.-]+(:[0-9]{1,5})?$|^\[[0-9a-fA-F:.]+\](:[0-9]{1,5})?$`)

// baseOf is the address of the service as the visitor wrote it, for the lines to
// copy. A host that could mean something to a shell is not repeated.
func baseOf(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	if !hostPattern.MatchString(r.Host) {
		return "{base_url}"
	}
	return scheme + "://" + r.Host
}
