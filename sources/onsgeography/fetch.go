package onsgeography

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"strconv"

	"labour/sources"
	"labour/sources/filelist"
)

const (
	// maxAnswer bounds one answer: 50 outlines of councils are some 10 MB.
	maxAnswer = 256 << 20
	// maxPages bounds the pages of one service: the longest list has 42,619 records.
	maxPages = 5000
)

// Names of the objects of a service.
func countName(service string) string       { return service + "/count.json" }
func fieldsName(service string) string      { return service + "/fields.json" }
func pageName(service string, n int) string { return fmt.Sprintf("%s/page-%05d.json", service, n) }

// Fetch asks every service for the number of its records, for its fields, and
// then for its records page by page, in the order of the object id ("always order
// by the object id, or pages overlap"). A service is taken whole or not at all: when
// one page fails, the last good pages of that service stand in together.
func (s *Source) Fetch(ctx context.Context, f sources.Fetcher) error {
	return filelist.Fetch(ctx, f, "services", s.cfg.Services, Service.name, func(v Service) error {
		return query{s.cfg.BaseURL, v, f}.run(ctx)
	})
}

// query is the fetching of one service.
type query struct {
	base string
	v    Service
	f    sources.Fetcher
}

func (q query) run(ctx context.Context) error {
	total, err := q.get(ctx, countName(q.v.Service), map[string]string{"returnCountOnly": "true"})
	switch {
	case err != nil:
		return err
	case total.Count == nil:
		return sources.Codedf(sources.FaultSchema, "the answer to returnCountOnly holds no count")
	case *total.Count <= 0:
		return sources.Codedf(sources.FaultEmpty, "the service says that it has no records")
	}
	head, err := q.get(ctx, fieldsName(q.v.Service), map[string]string{"outFields": "*", "returnGeometry": "false", "resultRecordCount": "1"})
	if err != nil {
		return err
	}
	if _, err := q.v.layout(head); err != nil {
		return err
	}
	page := map[string]string{"outFields": "*", "orderByFields": head.ObjectID, "returnGeometry": "false",
		"resultRecordCount": strconv.Itoa(q.v.PageSize)}
	if q.v.Boundaries != "" {
		maps.Copy(page, map[string]string{"f": "geojson", "returnGeometry": "true", "outSR": "4326", "geometryPrecision": "6"})
	}
	// The offset goes on by what came, since a server gives fewer than asked for when its
	// own bound is lower.
	for n, offset := 0, 0; n < maxPages; n++ {
		page["resultOffset"] = strconv.Itoa(offset)
		a, err := q.get(ctx, pageName(q.v.Service, n), page)
		if err != nil {
			return err
		}
		offset += len(a.Features)
		if !a.Exceeded && !a.Properties.Exceeded || len(a.Features) == 0 {
			return nil
		}
	}
	return sources.Codedf(sources.FaultSchema, "the service has no end: %d pages were read", maxPages)
}

// get asks one query, files the answer and reads it back.
func (q query) get(ctx context.Context, name string, parameters map[string]string) (answer, error) {
	p := url.Values{"where": {"1=1"}, "f": {"json"}}
	for k, v := range parameters {
		p.Set(k, v)
	}
	address := fmt.Sprintf("%s/%s/FeatureServer/%d/query?%s", q.base, url.PathEscape(q.v.Service), q.v.Layer, p.Encode())
	o, err := q.f.Get(ctx, sources.Request{Name: name, URL: address, Accept: sources.AcceptJSON, MaxBytes: maxAnswer})
	if err != nil {
		return answer{}, err
	}
	return open(q.f, o)
}
