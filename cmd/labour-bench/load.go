package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// result holds the measurements of a series of HTTP calls to a local server.
type result struct {
	Name string `json:"name"`
	vegeta.Metrics
	Clients int `json:"clients"`
	// CPU is the CPU time of the server, in microseconds per call; 0 = not measured.
	CPU float64 `json:"server_cpu_us_per_call"`
	// ClientCPU is the CPU time of this program, in microseconds per call.
	ClientCPU float64 `json:"client_cpu_us_per_call"`
}

// FailedCalls returns the number of calls with a status other than 200.
func (r result) FailedCalls() int { return int(r.Requests) - r.StatusCodes["200"] }

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// caller makes HTTP calls to a server over persistent connections.
type caller struct {
	BaseURL string
	Keys    []string // API keys, which the calls use in turn
	// ServerCPUTime returns the CPU time that the server has used so far.
	ServerCPUTime func() time.Duration
}

// load describes a series of HTTP calls to measure. Path returns the path and query of the i-th
// call, from 0.
type load struct {
	Name  string
	Calls int
	Path  func(i int) string
	// number of concurrent clients; 0 = 1. Each waits for a response before its next call.
	Clients int
	// value of the header Accept-Encoding, such as gzip; empty = no compression
	AcceptEncoding string
	TimeLimit      time.Duration // time limit for all calls together; 0 = none
}

// measureCalls makes the HTTP calls of l and returns their measurements. It returns an error if a
// call gets no response.
func (c caller) measureCalls(ctx context.Context, l load) (result, error) {
	clients := max(l.Clients, 1)
	attacker := vegeta.NewAttacker(vegeta.Workers(uint64(clients)), vegeta.MaxWorkers(uint64(clients)),
		vegeta.Connections(clients))
	defer context.AfterFunc(ctx, func() { attacker.Stop() })()
	var next atomic.Int64
	targets := func(t *vegeta.Target) error {
		i := int(next.Add(1)) - 1
		if i >= l.Calls {
			return vegeta.ErrNoTargets
		}
		*t = vegeta.Target{Method: http.MethodGet, URL: c.BaseURL + l.Path(i),
			Header: http.Header{"Accept-Encoding": {cmp.Or(l.AcceptEncoding, "identity")},
				"Authorization": {"Bearer " + c.Keys[i%len(c.Keys)]}}}
		return nil
	}
	r, err := result{Name: l.Name, Clients: clients}, ctx.Err()
	cpu, own := c.ServerCPUTime(), processorUsed()
	for made := range attacker.Attack(targets, vegeta.Rate{}, l.TimeLimit, "") { // rate 0: as fast as the responses arrive
		switch {
		case made.Error == vegeta.ErrNoTargets.Error():
			continue
		case made.Code == 0:
			err = fmt.Errorf("%s: %s", l.Name, made.Error)
		}
		r.Add(made)
	}
	r.Close()
	calls := float64(max(r.Requests, 1))
	r.CPU, r.ClientCPU = float64((c.ServerCPUTime()-cpu).Microseconds())/calls,
		float64((processorUsed()-own).Microseconds())/calls
	return r, err
}

// values holds filter values that occur in a snapshot. The measured API calls use them.
type values struct {
	Places, Sectors, Skills []string
	UnitGroups              []string // SOC 2020 codes of four digits
}

func readValues(snapshot string) (v values, err error) {
	read := func(table, column string) (list []string) {
		if err != nil {
			return nil
		}
		path := snapshots.JoinPath(snapshot, snapshots.TableFileName(table))
		for values, bad := range parquetio.ScanColumns(path, []string{column}) {
			if err = bad; err == nil {
				list = append(list, strings.Clone(values[0].Text))
			}
		}
		return list
	}
	v = values{Places: read("places", "place"), Sectors: read("sectors", "sector"), Skills: read("skills", "skill")}
	v.UnitGroups = slices.DeleteFunc(read("occupations", "soc"), func(soc string) bool { return len(soc) != 4 })
	return v, err
}

// shape is a template for API calls. Its path has placeholders, such as {place}. Each call replaces
// them with other values.
type shape struct {
	Name   string
	Weight int    // how often partners make the call, relative to other calls
	Path   string // path and query of the call, with placeholders such as {place}
}

// shapeList is a table of the API calls to measure. Each line has a weight, a name and a path,
// separated by tabs. The weight is how often partners make the call, relative to other calls.
//
//go:embed shapes.tsv
var shapeList string

func shapes() (list []shape, err error) {
	for line := range strings.Lines(shapeList) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		weight, bad := strconv.Atoi(cells[0])
		list, err = append(list, shape{cells[1], weight, cells[2]}), errors.Join(err, bad)
	}
	return list, err
}

// nth returns the element of list that the i-th call uses, or "" if list is empty. Successive calls
// use different elements.
func nth(list []string, i int) string {
	if len(list) == 0 {
		return ""
	}
	return list[i*7%len(list)]
}

// boroughs lists the slugs of boroughs that exist in every made-up world.
var boroughs = []string{"camden", "islington", "hackney", "newham", "bromley"}

// call returns the path and query of the i-th API call. It fills the placeholders of s with values.
func (v *values) call(s shape, i int) string {
	return strings.NewReplacer("{place}", nth(v.Places, i), "{sector}", nth(v.Sectors, i), "{skill}", nth(v.Skills, i),
		"{occupation}", nth(v.UnitGroups, i), "{group}", fmt.Sprint(1+i%9), "{level}", fmt.Sprint(1+i%5),
		"{borough}", boroughs[i%len(boroughs)], "{window}", []string{"3", "6", "12", "24"}[i%4]).Replace(s.Path)
}

// callMix returns a function that picks one of the templates in shapes for the i-th API call.
// Templates occur in proportion to their weights, and always in the same order.
func callMix(shapes []shape) func(i int) shape {
	var deck []shape
	for _, s := range shapes {
		deck = append(deck, slices.Repeat([]shape{s}, s.Weight)...)
	}
	return func(i int) shape {
		return deck[i*37%len(deck)] // each element is picked, because 37 is prime and does not divide the length
	}
}

func (v *values) questions() []question {
	return []question{{Name: "whole country", Window: 12}, {Name: "place", Place: "camden", Window: 12},
		{Name: "place and occupation", Place: "camden", SOC: nth(v.UnitGroups, 1), Window: 12},
		{Name: "place and sector", Place: "camden", Sector: nth(v.Sectors, 1), Window: 12}}
}

// path returns the path and query of the API call for the filters in q.
func (q question) path() string {
	p := url.Values{"window": {fmt.Sprint(q.Window)}, "limit": {"200"}}
	for name, value := range map[string]string{"place": q.Place, "soc": q.SOC, "sector": q.Sector} {
		if value != "" {
			p.Set(name, value)
		}
	}
	return "/v1/labour/skills-unmet?" + p.Encode()
}
