package serve

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"
	"net/url"

	"labour/serve/api"
	"labour/serve/etag"
)

// noStore is the Cache-Control header of responses that must not be cached.
const noStore = "no-store"

// health handles /healthz. It always sends status 200, which shows that the process runs.
func (a *handler) health(c *call, _ *noInput) error {
	if err := c.inputError(); err != nil {
		return err
	}
	c.response.header["Cache-Control"] = []string{noStore}
	return c.send(http.StatusOK, api.Health{Status: "ok"})
}

// readiness handles /readyz. It sends status 200 if the current snapshot and the state database can
// be queried. Otherwise it sends an error status.
func (a *handler) readiness(c *call, _ *noInput) error {
	if err := c.inputError(); err != nil {
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
	if err := a.CheckStateDatabase(ctx); err != nil {
		return fmt.Errorf("%w: %w", errState, err)
	}
	c.response.header["Cache-Control"] = []string{noStore}
	return c.send(http.StatusOK, api.Readiness{Status: "ready", Snapshot: s.ID(), AsOf: api.DateOf(s.AsOf())})
}

// interfaceVersion is the version of the API. It increases with each change that affects partners.
// CHANGES.md lists these changes.
const interfaceVersion = "1.0.0"

// document is the content of openapi.json, the OpenAPI document. A test with the flag -update
// generates that file from the endpoints and openapi.yaml.
//
//go:embed openapi.json
var document []byte

// changes is the content of CHANGES.md, the change log of the API.
//
//go:embed CHANGES.md
var changes string

// APIChanges returns the change log of the API in Markdown.
func APIChanges() string { return changes }

// documentTag is the HTTP entity tag (ETag) of the OpenAPI document.
var documentTag = etag.Of(document)

// document handles /v1/openapi.json: it sends the OpenAPI document.
func (a *handler) document(c *call, _ *noInput) error {
	if err := c.inputError(); err != nil {
		return err
	}
	h := c.response.header
	h["Content-Type"] = []string{typeJSON}
	h["Etag"] = []string{documentTag}
	h["Cache-Control"] = []string{"public, max-age=300"}
	if etag.Matches(c.request, documentTag) {
		c.response.WriteHeader(http.StatusNotModified)
		return nil
	}
	_, err := c.response.Write(document)
	return err
}

// PageBackend gives the web pages access to the data. Its functions limit the queries and downloads
// of the web pages.
type PageBackend struct {
	// RunQuery waits for a free query slot and then calls f, which runs queries, with a time limit.
	// It returns the error of f, ErrBusy or context.DeadlineExceeded.
	RunQuery func(ctx context.Context, f func(context.Context) error) error
	// SendDownload sends rows of a /v1/labour endpoint as a file. query holds the endpoint's
	// parameters; invalid ones give the same error responses as the API. Each network address has
	// an hourly limit of downloads.
	SendDownload func(w http.ResponseWriter, r *http.Request, d Download, query url.Values)
}

// askForPages runs f, which queries data for a web page. It limits the number of concurrent queries
// and the time of each query. It implements PageBackend.RunQuery.
func (a *handler) askForPages(ctx context.Context, f func(context.Context) error) error {
	return a.withSlot(ctx, callOf(ctx).slots, f)
}

// download sends the file that a web page offers. It runs the API endpoint of the list as a second,
// internal request without an API key. It implements PageBackend.SendDownload.
func (a *handler) download(w http.ResponseWriter, r *http.Request, d Download, query url.Values) {
	page := callOf(r.Context())
	c := &call{id: page.id, at: page.at, slots: page.slots, response: newBufferedResponse(w), file: &d}
	c.request = r.Clone(context.WithValue(r.Context(), callKey{}, c))
	if err := a.fill(c, page, query); err != nil {
		a.refuse(c, err)
	}
	c.snapshots.release()
	if err := c.response.send(); err != nil && c.outcome.cause == nil {
		c.outcome.cause = err
	}
	page.outcome = c.outcome
}

// fill runs the API endpoint that writes the file of the download c. It also counts the download
// against the hourly limit. page is the request of the web page; it counts as one download even if
// the file combines several lists.
func (a *handler) fill(c, page *call, query url.Values) error {
	if c.endpoint = a.byID[c.file.Dataset]; c.endpoint == nil || c.endpoint.path != LabourPath+c.file.Dataset {
		return errNotFound()
	}
	if !page.address.isDownloadCounted { // of several lists in one file only the first one counts
		page.address.isDownloadCounted = true
		err := a.takeDownload(c)
		page.address.isOverLimit = err != nil
		if err != nil {
			return err
		}
	}
	query.Del("format") // the format of the page applies
	c.route = c.endpoint.path
	c.request.URL = &url.URL{Path: c.route, RawQuery: query.Encode()}
	return c.endpoint.handle(c)
}
