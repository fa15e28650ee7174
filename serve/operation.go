package serve

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"

	"labour/serve/api"
)

// noStore is the Cache-Control of responses that must not be cached.
const noStore = "no-store"

// health responds as long as the process runs.
func (a *handler) health(c *call, _ *noInput) error {
	if err := c.refused(); err != nil {
		return err
	}
	c.response.header["Cache-Control"] = []string{noStore}
	return c.send(http.StatusOK, api.Health{Status: "ok"})
}

// readiness reads real data from the tables and queries the state database, so that it returns 503 if
// calls would fail.
func (a *handler) readiness(c *call, _ *noInput) error {
	if err := c.refused(); err != nil {
		return err
	}
	s, err := a.current(c)
	if err != nil {
		return err
	}
	ctx, cancel := a.limit(c) // not in the queue of queries: a busy server is ready
	defer cancel()
	if _, err := s.Regions(ctx, api.RegionsQuery{Kind: "nation", Limit: 1}); err != nil {
		return err
	}
	if err := a.CheckState(ctx); err != nil {
		return fmt.Errorf("%w: %w", errState, err)
	}
	c.response.header["Cache-Control"] = []string{noStore}
	return c.send(http.StatusOK, api.Readiness{Status: "ready", Snapshot: s.ID(), AsOf: api.DateOf(s.AsOf())})
}

// interfaceVersion is the version of the OpenAPI document. A change that partners can see increases
// it and is listed in CHANGES.md.
const interfaceVersion = "1.0.0"

// document is the response of /v1/openapi.json. A test generates the file from the operations,
// their Go types and openapi.yaml; see Document. Run the test with -update after a change.
//
//go:embed openapi.json
var document []byte

//go:embed CHANGES.md
var changes string

// Changes returns the changes that partners can see in each version of the API, in Markdown.
func Changes() string { return changes }

// documentTag is the entity tag of the document.
var documentTag = func() string {
	sum := sha256.Sum256(document)
	return `W/"` + hex.EncodeToString(sum[:12]) + `"`
}()

// document serves the OpenAPI document.
func (a *handler) document(c *call, _ *noInput) error {
	if err := c.refused(); err != nil {
		return err
	}
	h := c.response.header
	h["Content-Type"], h["Etag"], h["Cache-Control"] = []string{typeJSON}, []string{documentTag},
		[]string{"public, max-age=300"}
	if HasTag(c.request, documentTag) {
		c.response.WriteHeader(http.StatusNotModified)
		return nil
	}
	_, err := c.response.Write(document)
	return err
}

// Inside contains the functions of the API that the web pages call in the same process.
type Inside struct {
	// Ask runs the queries of f within the API's limits of concurrent queries and of time. The
	// error is f's, ErrBusy, or that of the context at its deadline.
	Ask func(ctx context.Context, f func(context.Context) error) error
	// Download sends a list of the labour data as a file, without a key. It accepts the parameters
	// of the API, and returns the same errors for invalid ones. It counts against the address of
	// the request.
	Download func(w http.ResponseWriter, r *http.Request, d Download, query url.Values)
}

// askForPages implements Inside.Ask.
func (a *handler) askForPages(ctx context.Context, f func(context.Context) error) error {
	return a.limited(ctx, callOf(ctx).slots, f)
}

// download implements Inside.Download. The list is a separate call without a key, which runs the
// endpoint's query.
func (a *handler) download(w http.ResponseWriter, r *http.Request, d Download, query url.Values) {
	page := callOf(r.Context())
	c := &call{id: page.id, at: page.at, slots: page.slots, response: newBufferedResponse(w), file: &d}
	c.request = r.Clone(context.WithValue(r.Context(), callKey{}, c))
	if err := a.fill(c, page, query); err != nil {
		a.refuse(c, err)
	}
	c.release()
	if err := c.response.send(); err != nil && c.cause == nil {
		c.cause = err
	}
	page.cause, page.code = c.cause, c.code
}

// fill handles the call of a download.
func (a *handler) fill(c, page *call, query url.Values) error {
	if c.endpoint = a.byID[c.file.Dataset]; c.endpoint == nil || c.endpoint.path != labourPath+c.file.Dataset {
		return errNotFound()
	}
	if !page.downloads { // of several lists in one file only the first one counts
		page.downloads = true
		err := a.takeDownload(c)
		if page.overLimit = c.overLimit; err != nil {
			return err
		}
	}
	query.Del("format") // the format of the page applies
	c.route = c.endpoint.path
	c.request.URL = &url.URL{Path: c.route, RawQuery: query.Encode()}
	return c.endpoint.handle(c)
}
