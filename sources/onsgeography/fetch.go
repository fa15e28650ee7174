package onsgeography

import (
	"context"
	"errors"
	"fmt"
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
	return filelist.Fetch(ctx, "services", s.cfg.Services, func(v Service) error {
		q := query{s: s, v: v, f: f}
		err := q.run(ctx)
		if err != nil {
			err = fmt.Errorf("service %s: %w", v.Service, err)
			f.Failed(v.Service, err)
		}
		return err
	})
}

// query is the fetching of one service.
type query struct {
	s *Source
	v Service
	f sources.Fetcher
}

func (q *query) run(ctx context.Context) error {
	total, err := q.get(ctx, countName(q.v.Service), url.Values{"returnCountOnly": {"true"}, "f": {"json"}})
	if err != nil {
		return err
	}
	if total.Count == nil {
		return sources.Coded(sources.FaultSchema, errors.New("the answer to returnCountOnly holds no count"))
	}
	if *total.Count <= 0 {
		return sources.Coded(sources.FaultEmpty, errors.New("the service says that it has no records"))
	}
	head, err := q.get(ctx, fieldsName(q.v.Service), url.Values{"outFields": {"*"}, "returnGeometry": {"false"},
		"resultRecordCount": {"1"}, "f": {"json"}})
	if err != nil {
		return err
	}
	if _, err := q.v.layout(head); err != nil {
		return err
	}
	return q.records(ctx, head.ObjectID)
}

// records gets the pages. The offset goes on by what came, since a server gives
// fewer than asked for when its own bound is lower.
func (q *query) records(ctx context.Context, objectID string) error {
	for n, offset := 0, 0; n < maxPages; n++ {
		a, err := q.get(ctx, pageName(q.v.Service, n), q.page(objectID, offset))
		if err != nil {
			return err
		}
		offset += len(a.Features)
		if !a.more() || len(a.Features) == 0 {
			return nil
		}
	}
	return sources.Coded(sources.FaultSchema, fmt.Errorf("the service has no end: %d pages were read", maxPages))
}

// page are the parameters of one page.
func (q *query) page(objectID string, offset int) url.Values {
	p := url.Values{"outFields": {"*"}, "orderByFields": {objectID}, "resultOffset": {strconv.Itoa(offset)},
		"resultRecordCount": {strconv.Itoa(q.v.PageSize)}, "f": {"json"}, "returnGeometry": {"false"}}
	if q.v.Boundaries != "" {
		p.Set("f", "geojson")
		p.Set("returnGeometry", "true")
		p.Set("outSR", "4326")
		p.Set("geometryPrecision", "6")
	}
	return p
}

// get asks one query, files the answer and reads it back.
func (q *query) get(ctx context.Context, name string, p url.Values) (answer, error) {
	p.Set("where", "1=1")
	address := fmt.Sprintf("%s/%s/FeatureServer/%d/query?%s", q.s.cfg.BaseURL, url.PathEscape(q.v.Service), q.v.Layer, p.Encode())
	o, err := q.f.Get(ctx, sources.Request{Name: name, URL: address, Accept: sources.AcceptJSON, MaxBytes: maxAnswer})
	if err != nil {
		return answer{}, err
	}
	return open(q.f, o)
}

// open reads an archived answer to its end.
func open(from sources.Opener, o sources.Object) (answer, error) {
	body, err := sources.ReadWhole(from, o)
	if err != nil {
		return answer{}, err
	}
	a, err := parse(body)
	if err != nil {
		return answer{}, fmt.Errorf("read %s: %w", o.Name, err)
	}
	return a, nil
}
