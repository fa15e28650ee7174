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

// noStore is the Cache-Control header of responses that must not be cached.
const noStore = "no-store"

// health sends 200 as long as the process runs.
func (a *handler) health(c *call, _ *noInput) error {
	if err := c.refused(); err != nil {
		return err
	}
	c.response.header["Cache-Control"] = []string{noStore}
	return c.send(http.StatusOK, api.Health{Status: "ok"})
}

// readiness sends 200 if a snapshot and the state database can be queried, and an error (5xx)
// otherwise.
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

// interfaceVersion is the version of the API. It increases with each change that partners can see;
// CHANGES.md lists these.
const interfaceVersion = "1.0.0"

// document is the OpenAPI document. A test generates the file from the endpoints and openapi.yaml;
// run it with -update after a change.
//
//go:embed openapi.json
var document []byte

//go:embed CHANGES.md
var changes string

// APIChanges returns the list of changes in each version of the API, in Markdown.
func APIChanges() string { return changes }

// documentTag is the entity tag of the OpenAPI document.
var documentTag = func() string {
	sum := sha256.Sum256(document)
	return `W/"` + hex.EncodeToString(sum[:12]) + `"`
}()

// document sends the OpenAPI document.
func (a *handler) document(c *call, _ *noInput) error {
	if err := c.refused(); err != nil {
		return err
	}
	h := c.response.header
	h["Content-Type"], h["Etag"], h["Cache-Control"] = []string{typeJSON}, []string{documentTag},
		[]string{"public, max-age=300"}
	if MatchesETag(c.request, documentTag) {
		c.response.WriteHeader(http.StatusNotModified)
		return nil
	}
	_, err := c.response.Write(document)
	return err
}

// PageBackend gives the web pages access to the data within the limits of the API.
type PageBackend struct {
	// RunQuery calls f, which runs queries, when a query slot is free, and limits its time. The error is
	// that of f, ErrBusy, or context.DeadlineExceeded.
	RunQuery func(ctx context.Context, f func(context.Context) error) error
	// SendDownload sends a list of the labour data as a file. query holds the parameters of the API's
	// endpoint. Invalid parameters give the same error responses as a call of the API. The number of
	// files that a network address may download in an hour is limited.
	SendDownload func(w http.ResponseWriter, r *http.Request, d Download, query url.Values)
}

// askForPages implements PageBackend.RunQuery.
func (a *handler) askForPages(ctx context.Context, f func(context.Context) error) error {
	return a.limited(ctx, callOf(ctx).slots, f)
}

// download implements PageBackend.SendDownload. It makes a second call without a key, which runs the
// endpoint of the list.
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

// fill runs the endpoint of the download c. page is the call of the web page, which counts as one
// download even if it sends several lists.
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
