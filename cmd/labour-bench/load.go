package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// call is one call of the service.
type call struct {
	Path     string // with the query
	Key      string // empty = none
	Encoding string // Accept-Encoding; "identity" = no compression
}

// latency is what calls took, in milliseconds of whole HTTP calls over loopback.
type latency struct {
	P50  float64 `json:"p50_ms"`
	P90  float64 `json:"p90_ms"`
	P99  float64 `json:"p99_ms"`
	P999 float64 `json:"p99_9_ms"`
	Max  float64 `json:"max_ms"`
}

// result is what a load did.
type result struct {
	Name string `json:"name"`
	latency
	Calls     int     `json:"calls"`
	Failed    int     `json:"failed"` // answered otherwise than 200
	Clients   int     `json:"clients"`
	PerSecond float64 `json:"calls_per_second"`
	Bytes     int64   `json:"bytes_per_call"`
	// CPU is processor time of the server, in microseconds a call; 0 = not measured.
	CPU float64 `json:"server_cpu_us_per_call"`
	// ClientCPU is the same of who calls.
	ClientCPU float64 `json:"client_cpu_us_per_call"`
}

// load makes calls of a server over connections that are kept alive.
type load struct {
	Base    string
	Clients int // each waits for its answer before it calls again
	// For is how long calls go on at most; 0 = until all are made.
	For time.Duration
	// CPU is the processor time that the server has used so far.
	CPU func() time.Duration
}

// run makes up to n calls; call gives the i-th. An answer other than 200 is counted, and
// none at all is an error.
func (l load) run(ctx context.Context, name string, n int, call func(i int) call) (result, error) {
	transport := &http.Transport{MaxIdleConnsPerHost: l.Clients, MaxConnsPerHost: l.Clients, DisableCompression: true}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	took, errs := make([][]time.Duration, l.Clients), make([]error, l.Clients)
	var next, bytes, failed atomic.Int64
	var clients sync.WaitGroup
	begun, cpu, own := now(), l.CPU(), processorUsed()
	for c := range l.Clients {
		clients.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && errs[c] == nil && (l.For == 0 || now().Sub(begun) < l.For); i = int(next.Add(1)) - 1 {
				start := now()
				read, good, err := l.one(ctx, client, call(i))
				took[c], errs[c] = append(took[c], now().Sub(start)), err
				bytes.Add(read)
				if !good {
					failed.Add(1)
				}
			}
		})
	}
	clients.Wait()
	if err := errors.Join(errs...); err != nil {
		return result{}, fmt.Errorf("%s: %w", name, err)
	}
	all := slices.Concat(took...)
	made := float64(max(len(all), 1))
	return result{Name: name, latency: latencyOf(all), Calls: len(all), Failed: int(failed.Load()), Clients: l.Clients, Bytes: bytes.Load() / int64(made),
		PerSecond: made / now().Sub(begun).Seconds(), CPU: float64((l.CPU() - cpu).Microseconds()) / made, ClientCPU: float64((processorUsed() - own).Microseconds()) / made}, nil
}

// one makes a call, reads the answer to its end, and reports whether it is 200.
func (l load) one(ctx context.Context, client *http.Client, c call) (read int64, good bool, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, l.Base+c.Path, nil)
	if err != nil {
		return 0, false, err
	}
	if c.Key != "" {
		r.Header.Set("Authorization", "Bearer "+c.Key)
	}
	r.Header.Set("Accept-Encoding", c.Encoding)
	answer, err := client.Do(r)
	if err != nil {
		return 0, false, err
	}
	defer answer.Body.Close()
	read, err = io.Copy(io.Discard, answer.Body)
	return read, answer.StatusCode == http.StatusOK, err
}

// latencyOf sorts what calls took; of n calls the share p is done by the rank
// ceil(p*n).
func latencyOf(took []time.Duration) latency {
	if len(took) == 0 {
		return latency{}
	}
	slices.Sort(took)
	at := func(thousandths int) float64 {
		rank := (len(took)*thousandths + 999) / 1000
		return float64(took[max(rank, 1)-1].Microseconds()) / 1000
	}
	return latency{at(500), at(900), at(990), at(999), at(1000)}
}

// values are what filters may name in one snapshot.
type values struct {
	Places, Sectors, Skills []string
	UnitGroups              []string // occupations of four digits
}

// readValues reads them from the tables of a snapshot.
func readValues(snapshot string) (v values, err error) {
	read := func(table, column string) (list []string) {
		if err != nil {
			return nil
		}
		path := snapshots.Within(snapshot, snapshots.TableFileName(table))
		err = parquetio.Scan(path, []string{column}, func(_ int64, values []parquetio.Value) error {
			list = append(list, string([]byte(values[0].Text)))
			return nil
		})
		return list
	}
	v = values{Places: read("places", "place"), Sectors: read("sectors", "sector"), Skills: read("skills", "skill")}
	v.UnitGroups = slices.DeleteFunc(read("occupations", "soc"), func(soc string) bool { return len(soc) != 4 })
	return v, err
}

// shape is a kind of question: its calls name other values each time.
type shape struct {
	Name   string
	Weight int    // in the realistic mix
	Path   string // with {place} and so on for values
}

// shapeList lists the shapes of filters of skills-unmet and the other endpoints, each
// with how often partners use it: mostly a place, often with one more filter.
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

// nth spreads calls over a list, so that calls in a row name other values.
func nth(list []string, i int) string {
	if len(list) == 0 {
		return ""
	}
	return list[i*7%len(list)]
}

// boroughs that every made-up world has.
var boroughs = []string{"camden", "islington", "hackney", "newham", "bromley"}

// call is the path of the i-th call of a shape.
func (v *values) call(s shape, i int) string {
	return strings.NewReplacer("{place}", nth(v.Places, i), "{sector}", nth(v.Sectors, i), "{skill}", nth(v.Skills, i),
		"{occupation}", nth(v.UnitGroups, i), "{group}", fmt.Sprint(1+i%9), "{level}", fmt.Sprint(1+i%5),
		"{borough}", boroughs[i%len(boroughs)], "{window}", []string{"3", "6", "12", "24"}[i%4]).Replace(s.Path)
}

// mixed deals shapes out by weight, the same way every time.
func mixed(shapes []shape) func(i int) shape {
	var deck []shape
	for _, s := range shapes {
		deck = append(deck, slices.Repeat([]shape{s}, s.Weight)...)
	}
	return func(i int) shape {
		return deck[i*37%len(deck)] // the deck's length has no factor 37, so every card comes
	}
}

// questions are the questions that row-level tables are asked too.
func (v *values) questions() []question {
	return []question{{Name: "whole country", Window: 12}, {Name: "place", Place: "camden", Window: 12},
		{Name: "place and occupation", Place: "camden", SOC: nth(v.UnitGroups, 1), Window: 12},
		{Name: "place and sector", Place: "camden", Sector: nth(v.Sectors, 1), Window: 12}}
}

// path is the call of the service that asks the question; limit is the largest page.
func (q question) path() string {
	p := url.Values{"window": {fmt.Sprint(q.Window)}, "limit": {"200"}}
	for name, value := range map[string]string{"place": q.Place, "soc": q.SOC, "sector": q.Sector} {
		if value != "" {
			p.Set(name, value)
		}
	}
	return "/v1/labour/skills-unmet?" + p.Encode()
}
