package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"labour/serve"
	"labour/serve/api"
	"labour/serve/cursor"
	"labour/serve/etag"
)

type page struct {
	pattern string // method and path for http.ServeMux, such as "GET /skills"
	// queries is true for a page that shows figures. A request for such a page waits for a query
	// slot. If no snapshot is loaded, the response has status 503.
	queries bool
	// tables is true for a page that works without a snapshot but still has an Excel workbook.
	tables bool
	show   func(*request) view
	// cursor opens a cursor of the page's list, see cursorOf; nil if the list has no cursors.
	cursor func(s *Site, token string) (id string, position any, err error)
	// ofTheMoment is true if the page also depends on the time of the visit. Its entity tag (ETag)
	// is then computed from the rendered page and not from its address.
	ofTheMoment bool
}

type view struct {
	template string // name of a file under templates, without .html
	title    string
	section  string // path of the navigation entry that is marked as current
	data     any
	status   int // HTTP status; 0 = 200
	// body is a file that is sent instead of a page. kind is its media type, and name its file
	// name.
	body       []byte
	kind, name string
}

// request is an HTTP request for a page, together with the data that the page needs.
type request struct {
	*http.Request
	ctx              context.Context // context of the queries, with a time limit
	at               time.Time
	base             string       // address of the service that the visitor uses
	tag              string       // entity tag, if it is known before the page is rendered
	snapshot         api.Snapshot // data for the page; nil if no snapshot is loaded
	place            string       // slug of the selected place, which links preserve; empty = all
	after            any          // position of the cursor in the address, see positionOf; nil = none
	stamp            stamp
	registered       counts           // numbers of registered residents; set by registeredIn
	late             []api.SourcesRow // set by lateSources; nil = not queried yet
	past             *past            // the earlier snapshot that is shown; nil for the current data
	err              error            // first error; the visitor then sees an error page, and no more queries run
	faultyParameters []string         // names of all faulty parameters, including those after the first
}

type past struct {
	AsOf time.Time
	ID   string
	Now  string // address of the same page with the current data
}

type fault struct {
	status    int
	parameter string // name of the parameter that is wrong; empty = none
	title     string
	words     string
	nearest   []link
}

// Error returns the title and the text of the error page. The log shows them.
func (f *fault) Error() string { return f.title + ": " + f.words }

// handler returns the HTTP handler of a page. The handler opens the snapshot, makes the page and
// passes it to send. If the client already has the current version of the page, it responds with
// status 304.
func (s *Site) handler(p page, send func(http.ResponseWriter, *request, view)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &request{Request: r, ctx: r.Context(), at: s.Now().UTC(), base: s.baseOf(r)}
		release, err := s.acquire(v, p)
		if err == nil {
			defer release()
		}
		if err == nil && v.snapshot != nil {
			v.place = placeOfVisit(v)
		}
		if err == nil && p.queries && !p.ofTheMoment { // the page depends only on its address and its snapshot
			v.tag = s.tagOf(v)
			if etag.Matches(r, v.tag) {
				notModified(w, v.tag)
				return
			}
		}
		var shown view
		if err == nil {
			err = s.Backend.RunQuery(r.Context(), func(ctx context.Context) (err error) {
				v.ctx = ctx
				shown = p.show(v)
				addLateSources(v)
				return v.err
			})
		}
		var to redirectError
		if errors.As(err, &to) {
			http.Redirect(w, r, string(to), http.StatusMovedPermanently)
			return
		}
		if err != nil {
			shown = s.errorPage(v, p, err)
		}
		send(w, v, shown)
	})
}

// fail records an error. The visitor sees an error page for the first error. fail also records the
// names of all faulty parameters, so that links on the error page leave them out.
func (v *request) fail(err error) {
	var f *fault
	if errors.As(err, &f) && f.parameter != "" {
		v.faultyParameters = append(v.faultyParameters, f.parameter)
	}
	if v.err == nil {
		v.err = err
	}
}

// placeOfVisit returns the slug of the place in the address of the page. It returns "" if there is
// no place or it is unknown.
func placeOfVisit(v *request) string {
	q := v.URL.Query()
	slug := placeOf(v.snapshot, cmp.Or(v.PathValue("place"), q.Get("region"), q.Get("place")))
	if _, ok := slices.BinarySearch(v.snapshot.Values(api.Places), slug); !ok {
		return ""
	}
	return slug
}

// occupationOfVisit returns the SOC 2020 code of the occupation in the address of the page. It
// returns "" if there is no occupation or it is unknown.
func occupationOfVisit(v *request) string {
	soc := cmp.Or(v.PathValue("soc"), v.URL.Query().Get("soc"))
	if _, ok := slices.BinarySearch(v.snapshot.Values(api.Occupations), soc); !ok {
		return ""
	}
	return soc
}

// placeOf returns the slug of the place whose slug, name or official code is text. It ignores the
// case of names and codes. If there is no such place, it returns text.
func placeOf(s api.Snapshot, text string) string {
	if text == "" {
		return ""
	}
	for _, n := range s.NamedValues(api.Places) {
		if n.Value == text || strings.EqualFold(n.Name, text) || strings.EqualFold(n.Code, text) {
			return n.Value
		}
	}
	return text
}

// tagOf returns the HTTP entity tag (ETag) of a page of figures. The tag changes with the version
// and the public address of the site, the snapshot, and the address of the page. It also changes
// when the snapshot is no longer the current one.
func (s *Site) tagOf(v *request) string {
	return etag.Of(fmt.Appendf(nil, "%s\n%s\n%t\n%s\n%s", s.version, v.snapshot.ID(), v.past != nil, v.base,
		v.URL.RequestURI()))
}

func notModified(w http.ResponseWriter, tag string) {
	w.Header().Set("ETag", tag)
	w.Header().Set("Cache-Control", serve.PublicCacheControl)
	w.WriteHeader(http.StatusNotModified)
}

// acquire opens the snapshot for a page and returns a function that releases it. A cursor in the
// address selects the snapshot for which it was issued. The parameter snapshot selects one by its
// ID. Without either, acquire opens the current snapshot.
//
// acquire also checks the cursor and records its position. If there is no current snapshot and the
// page needs none, v.snapshot stays nil.
func (s *Site) acquire(v *request, p page) (release func(), err error) {
	if token := v.URL.Query().Get("cursor"); p.cursor != nil && token != "" {
		id, after, err := p.cursor(s, token)
		if err != nil {
			return nil, err
		}
		v.after = after
		if v.snapshot, release, err = s.Snapshots.AcquireByID(v.Context(), id, false); err == nil {
			s.markPast(v)
		}
		return release, err
	}
	if id := v.URL.Query().Get("snapshot"); p.queries && id != "" {
		return s.lookBack(v, id)
	}
	v.snapshot, release, err = s.Snapshots.Acquire()
	if errors.Is(err, api.ErrNoSnapshot) && !p.queries {
		return func() {}, nil
	}
	return release, err
}

// errorPage returns the error page for err. The page does not show details of internal errors,
// which are only logged.
func (s *Site) errorPage(v *request, p page, err error) view {
	var f *fault
	switch {
	case errors.As(err, &f):
	case errors.Is(err, api.ErrNoSnapshot):
		f = &fault{status: http.StatusServiceUnavailable, title: "No data yet",
			words: "No publication is loaded at this moment. Please try again in a few minutes."}
	case errors.Is(err, api.ErrSnapshotGone), errors.Is(err, cursor.ErrInvalid):
		f = &fault{status: http.StatusBadRequest, parameter: "cursor", title: "This page of the list is gone",
			words: "The list that you were turning the pages of has been replaced by newer data. Start again from its " +
				"first page.",
			nearest: []link{{"First page", v.with("cursor", "")}}}
	case errors.Is(err, serve.ErrBusy), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		f = &fault{status: http.StatusServiceUnavailable, title: "Too busy at this moment",
			words: "Many people are asking at once. Please try again shortly."}
	default:
		f = &fault{status: http.StatusInternalServerError, title: "Something went wrong",
			words: "The page could not be made. Please try again; if it keeps happening, tell the operator when it happened."}
		s.Log.Error("page", "route", v.Pattern, "error", err)
	}
	v.stamp = stamp{}
	return view{template: "error", title: f.title, status: f.status,
		data: map[string]any{"Words": f.words, "Nearest": s.repairLinks(v, p, f)}}
}

func (s *Site) missing(v *request) view {
	v.fail(&fault{status: http.StatusNotFound, title: "There is no such page",
		words:   "The address may be mistyped, or the page may have moved.",
		nearest: []link{{"Unmet skills", "/skills"}, {"Search", "/find"}, {"Documentation", "/docs"}}})
	return view{}
}

// calls records an API request that returns figures of the page. The foot of the page lists these
// requests. description describes the figures. path is the path of the API endpoint, and query
// is a struct of package api that holds the parameters.
func (v *request) calls(description, path string, query any) {
	q := parametersOf(query)
	if after := reflect.ValueOf(query).FieldByName("After"); after.IsValid() && !after.IsNil() {
		q.Set("cursor", v.URL.Query().Get("cursor"))
	}
	if v.past != nil {
		q.Set("snapshot", v.past.ID)
	}
	shown := address(path, q)
	v.stamp.Calls = append(v.stamp.Calls,
		call{What: description, URL: v.base + shown, Path: strings.TrimPrefix(shown, serve.LabourPath)})
}

// mayShow reports whether the page may show an embargoed dataset, such as priorities. It must be
// released. The page of an earlier snapshot shows none, because the API answers embargoed datasets
// from the current snapshot only.
func (v *request) mayShow(dataset string) bool {
	return v.past == nil && v.snapshot.IsReleased(dataset)
}

// parametersOf returns the URL parameters of an API request. query is a struct of package api
// that holds them. Default values are left out, and so are fields that are not URL parameters.
func parametersOf(query any) url.Values {
	q, of := url.Values{}, reflect.ValueOf(query)
	isPaged := of.FieldByName("After").IsValid()
	for i := range of.NumField() {
		field, value := of.Type().Field(i), of.Field(i)
		if value.IsZero() || field.Tag.Get("parameter") == "-" {
			continue
		}
		name, text := cmp.Or(field.Tag.Get("query"), strings.ToLower(field.Name)), fmt.Sprint(value.Interface())
		switch {
		case name == "country" && text == "GB", name == "window" && text == strconv.Itoa(api.DefaultWindow):
		case name == "limit" && isPaged:
			q.Set(name, strconv.Itoa(min(int(value.Int()), serve.MaxPageRows)))
		default:
			q.Set(name, text)
		}
	}
	return q
}

var hostPattern = regexp.MustCompile(`^[A-Za-z0-9.-]+(:[0-9]{1,5})?$|^\[[0-9a-fA-F:.]+\](:[0-9]{1,5})?$`)

// baseOf returns the public address of the service, for examples to copy. It is Options.PublicURL
// or, if that is empty, the scheme and host of the request. It is {base_url} if the host has
// characters that a shell could interpret.
func (s *Site) baseOf(r *http.Request) string {
	if s.PublicURL != "" {
		return s.PublicURL
	}
	scheme := "http"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	if !hostPattern.MatchString(r.Host) {
		return "{base_url}"
	}
	return scheme + "://" + r.Host
}
