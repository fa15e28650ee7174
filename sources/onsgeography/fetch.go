package onsgeography

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"strconv"

	"labour/sources"
	"labour/sources/filelist"
	"labour/sources/paging"
)

const (
	// maxAnswer is the size limit of one response, in bytes. 50 council boundaries have about 10
	// MB.
	maxAnswer = 256 << 20
	// maxPages is the maximum number of pages to download of one table. The longest table has
	// 42,619 records.
	maxPages = 5000
)

// countName, fieldsName and pageName return the archive names for the responses of a service.
func countName(service string) string       { return service + "/count.json" }
func fieldsName(service string) string      { return service + "/fields.json" }
func pageName(service string, n int) string { return fmt.Sprintf("%s/page-%05d.json", service, n) }

// Fetch downloads the record count, the columns and all records of each service. If a download
// fails, the count is wrong or the records cannot be read, the last good records of the service are
// used.
//
// Records are requested in order of object id, because the portal's pages would overlap otherwise.
func (s *Source) Fetch(ctx context.Context, f sources.Fetcher) error {
	return filelist.FetchEntries(ctx, f, "services", s.cfg.Services, Service.name, func(v Service) error {
		return (&query{base: s.cfg.BaseURL, v: v, f: f}).run(ctx)
	})
}

// query downloads all pages of one service of the portal.
type query struct {
	base string
	v    Service
	f    sources.Fetcher

	announcedCount int     // number of records that the service announces
	reader         *reader // reads the records, to find out whether they can be used
	found          contents
}

func (q *query) run(ctx context.Context) error {
	err := paging.List{NamePrefix: q.v.ServiceName, MaxPages: maxPages, FetchPage: q.page}.Fetch(ctx, q.f)
	if err != nil {
		return err
	}
	return q.reader.checkReadable(q.found.records)
}

// contents counts the records of a service and ignores its faults, which Read reports.
type contents struct{ records int }

// Emit counts a record.
func (c *contents) Emit(sources.Record) error {
	c.records++
	return nil
}

// Fault ignores a fault.
func (c *contents) Fault(sources.Fault) {}

// begin downloads a service's record count and column names.
func (q *query) begin(ctx context.Context) error {
	total, err := q.get(ctx, countName(q.v.ServiceName), map[string]string{"returnCountOnly": "true"})
	switch {
	case err != nil:
		return err
	case total.Count == nil:
		return sources.CodedErrorf(sources.FaultSchema, "the answer to returnCountOnly holds no count")
	case *total.Count <= 0:
		return sources.CodedErrorf(sources.FaultSuddenlyEmpty, "the service reports that it has no records")
	}
	head, err := q.get(ctx, fieldsName(q.v.ServiceName), map[string]string{"outFields": "*", "returnGeometry": "false",
		"resultRecordCount": "1"})
	if err != nil {
		return err
	}
	q.announcedCount = *total.Count
	q.found = contents{}
	q.reader = newReader(q.v, &q.found, map[any]string{})
	q.reader.layout, err = q.v.layout(head)
	return err
}

// page downloads page n of a service's records, counted from 0. rows is the number of records on
// the earlier pages. It is the offset of page n, because the portal may return fewer records than
// requested.
func (q *query) page(ctx context.Context, n, rows int) (p paging.Page, err error) {
	if n == 0 {
		if err := q.begin(ctx); err != nil {
			return p, err
		}
	}
	parameters := map[string]string{"outFields": "*", "orderByFields": q.reader.layout.objectID, "returnGeometry": "false",
		"resultRecordCount": strconv.Itoa(q.v.PageSize), "resultOffset": strconv.Itoa(rows)}
	if q.v.BoundaryKind != "" {
		maps.Copy(parameters, map[string]string{"f": "geojson", "returnGeometry": "true", "outSR": "4326",
			"geometryPrecision": "6"})
	}
	a, err := q.get(ctx, pageName(q.v.ServiceName, n), parameters)
	if err != nil {
		return p, err
	}
	p = paging.Page{AnnouncedRows: q.announcedCount, HasMore: a.Exceeded || a.Properties.Exceeded}
	for i, record := range a.Features {
		id := fmt.Sprintf("row %d of page %d", i, n) // for a record without an object id
		if number, ok := record.objectID(q.reader.layout.objectID); ok {
			id = strconv.FormatInt(number, 10)
		}
		p.RowIDs = append(p.RowIDs, id)
		if err := q.reader.feature(pageName(q.v.ServiceName, n), record); err != nil {
			return p, err
		}
	}
	return p, nil
}

// get sends one query to the portal and archives the response under name. parameters maps the names
// of URL parameters to their values. get returns the parsed response.
func (q *query) get(ctx context.Context, name string, parameters map[string]string) (answer, error) {
	p := url.Values{"where": {"1=1"}, "f": {"json"}}
	for k, v := range parameters {
		p.Set(k, v)
	}
	address := fmt.Sprintf("%s/%s/FeatureServer/%d/query?%s", q.base, url.PathEscape(q.v.ServiceName), q.v.Layer,
		p.Encode())
	o, err := q.f.Get(ctx, sources.Request{Name: name, URL: address, Accept: sources.AcceptJSON, MaxBytes: maxAnswer})
	if err != nil {
		return answer{}, err
	}
	return open(q.f, o)
}
