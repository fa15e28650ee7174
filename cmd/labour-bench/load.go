package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
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
