package serve

import (
	"context"
	"net/http"
	"net/url"
	"path"
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
	// counting it: what a key with only the scope labour:read would be told. dataset is
	// the last part of the endpoint's path. The error model is the interface's.
	Labour func(w http.ResponseWriter, r *http.Request, dataset string, query url.Values)
}

// page lets the web pages answer. Their mux leaves the route in the request.
func (a *handler) page(w http.ResponseWriter, r *http.Request, c *call) {
	c.slots = a.pageSlots
	a.pages.ServeHTTP(w, r)
	_, c.route, _ = strings.Cut(r.Pattern, " ")
}

// ask is Inside.Ask.
func (a *handler) ask(ctx context.Context, f func(context.Context) error) error {
	_, err := runLimited(ctx, a, func(ctx context.Context) (struct{}, error) { return struct{}{}, f(ctx) })
	return err
}

// labour is Inside.Labour. The call is one of its own: the page's has no key, and
// it never leaves the endpoints of the labour data.
func (a *handler) labour(w http.ResponseWriter, r *http.Request, dataset string, query url.Values) {
	of := callOf(r.Context())
	c := &call{id: of.id, at: of.at, match: of.match, slots: of.slots, route: "/v1/labour/" + dataset, public: true, path: r.URL.Path,
		key: access.Key{Scopes: []access.Scope{access.LabourRead}}}
	if path.Clean(c.route) != c.route || path.Base(c.route) != dataset {
		a.send(w, c, errNotFound())
		return
	}
	inner := r.Clone(context.WithValue(r.Context(), callKey{}, c))
	inner.URL = &url.URL{Path: c.route, RawQuery: query.Encode()}
	a.mux.ServeHTTP(w, inner)
	of.cause, of.code = c.cause, c.code
}
