package bench

import (
	"cmp"
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

// Call is one call of the service.
type Call struct {
	Path     string // with the query
	Key      string // empty = none
	Encoding string // Accept-Encoding; "identity" = no compression
}

// Latency is what calls took, in milliseconds of whole HTTP calls over loopback.
type Latency struct {
	P50  float64 `json:"p50_ms"`
	P90  float64 `json:"p90_ms"`
	P99  float64 `json:"p99_ms"`
	P999 float64 `json:"p99_9_ms"`
	Max  float64 `json:"max_ms"`
}

// Result is what a load did.
type Result struct {
	Name string `json:"name"`
	Latency
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

// Load makes calls of a server over connections that are kept alive.
type Load struct {
	Base    string
	Now     func() time.Time
	Clients int // each waits for its answer before it calls again
	// For is how long calls go on at most; 0 = until all are made.
	For time.Duration
	// CPU is the processor time that the server has used so far; nil = not known.
	CPU func() time.Duration
	// Own is the processor time that this process has used so far; nil = not known.
	Own func() time.Duration
}

// Run makes up to n calls; call gives the i-th. An answer other than 200 is counted, and
// none at all is an error.
func (l Load) Run(ctx context.Context, name string, n int, call func(i int) Call) (Result, error) {
	transport := &http.Transport{MaxIdleConnsPerHost: l.Clients, MaxConnsPerHost: l.Clients, DisableCompression: true}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	took, errs := make([][]time.Duration, l.Clients), make([]error, l.Clients)
	var next, bytes, failed atomic.Int64
	var clients sync.WaitGroup
	begun, cpu, own := l.Now(), used(l.CPU), used(l.Own)
	for c := range l.Clients {
		clients.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && errs[c] == nil && (l.For == 0 || l.Now().Sub(begun) < l.For); i = int(next.Add(1)) - 1 {
				start := l.Now()
				read, good, err := l.one(ctx, client, call(i))
				took[c], errs[c] = append(took[c], l.Now().Sub(start)), err
				bytes.Add(read)
				if !good {
					failed.Add(1)
				}
			}
		})
	}
	clients.Wait()
	if err := errors.Join(errs...); err != nil {
		return Result{}, fmt.Errorf("%s: %w", name, err)
	}
	all := slices.Concat(took...)
	made := float64(max(len(all), 1))
	return Result{Name: name, Latency: latencyOf(all), Calls: len(all), Failed: int(failed.Load()), Clients: l.Clients, Bytes: bytes.Load() / int64(made),
		PerSecond: made / l.Now().Sub(begun).Seconds(), CPU: float64((used(l.CPU) - cpu).Microseconds()) / made, ClientCPU: float64((used(l.Own) - own).Microseconds()) / made}, nil
}

func used(cpu func() time.Duration) time.Duration {
	if cpu == nil {
		return 0
	}
	return cpu()
}

// one makes a call, reads the answer to its end, and reports whether it is 200.
func (l Load) one(ctx context.Context, client *http.Client, c Call) (read int64, good bool, err error) {
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

// Measure asks n times, the i-th time with i, and says what it took.
func Measure(now func() time.Time, n int, ask func(i int) error) (Latency, error) {
	took := make([]time.Duration, n)
	for i := range took {
		start := now()
		if err := ask(i); err != nil {
			return Latency{}, err
		}
		took[i] = now().Sub(start)
	}
	return latencyOf(took), nil
}

// latencyOf sorts what calls took; of n calls the share p is done by the rank
// ceil(p*n).
func latencyOf(took []time.Duration) Latency {
	if len(took) == 0 {
		return Latency{}
	}
	slices.Sort(took)
	at := func(thousandths int) float64 {
		rank := (len(took)*thousandths + 999) / 1000
		return float64(took[max(rank, 1)-1].Microseconds()) / 1000
	}
	return Latency{at(500), at(900), at(990), at(999), at(1000)}
}

// Median is the latency of the round in the middle, by its own median.
func Median(rounds []Latency) Latency {
	rounds = slices.Clone(rounds)
	slices.SortFunc(rounds, func(a, b Latency) int { return cmp.Compare(a.P50, b.P50) })
	return rounds[len(rounds)/2]
}
