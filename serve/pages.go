package serve

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"labour/serve/access"
)

// Inside is what the interface does for the web pages.
type Inside struct {
	// Ask runs the questions of f within the bounds of queries at once and of time
	// that the interface has. The error is f's, ErrBusy, or that of the context at
	// its deadline.
	Ask func(ctx context.Context, f func(context.Context) error) error
	// Labour answers a call of the labour data for a page, without a key and without
	// counting it: what a key with the scope labour:read alone would be told. path is
	// that of the endpoint. The error model is the interface's.
	Labour func(w http.ResponseWriter, r *http.Request, path string, query url.Values)
}

// page lets the web pages answer. Their mux leaves the route in the request.
func (a *api) page(rec *recorder, r *http.Request, c *call) {
	a.pages.ServeHTTP(rec, r)
	_, c.route, _ = strings.Cut(r.Pattern, " ")
}

// ask is Inside.Ask.
func (a *api) ask(ctx context.Context, f func(context.Context) error) error {
	_, err := query(ctx, a, func(ctx context.Context) (struct{}, error) { return struct{}{}, f(ctx) })
	return err
}

// labour is Inside.Labour. The call is one of its own: the page's has no key, and
// it never leaves the endpoints of the labour data.
func (a *api) labour(w http.ResponseWriter, r *http.Request, path string, query url.Values) {
	of := callOf(r.Context())
	c := &call{id: of.id, at: of.at, match: of.match, route: path, key: access.Key{Scopes: []access.Scope{access.LabourRead}}}
	if !strings.HasPrefix(path, "/v1/labour/") {
		a.send(w, c, errNotFound())
		return
	}
	inner := r.Clone(context.WithValue(r.Context(), callKey{}, c))
	inner.URL = &url.URL{Path: path, RawQuery: query.Encode()}
	a.mux.ServeHTTP(w, inner)
	of.cause = c.cause
}
