package measure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"labour/cmd/labour/internal/cli"
	"labour/serve/bench"
)

// written is an answer that a bare handler writes again.
type written struct {
	Header http.Header
	Body   []byte
}

// The rounds in which the service and the bare handler are asked in turn, and the
// addresses of one shape that are asked.
const (
	bareRounds    = 5
	bareAddresses = 5
)

// bare compares the throughput of the unpaged endpoints and of jobs with that of a
// handler that writes the same bytes, compressed alike, and does nothing else. Both
// are asked by as many clients at once, in turn; the median round counts.
func (b *benching) bare(ctx context.Context) error {
	shapes, encodings := b.values.Unpaged(), []string{"identity", "gzip"}
	handler, err := b.startBare(ctx, shapes, encodings)
	if err != nil {
		return err
	}
	for _, encoding := range encodings {
		for _, s := range shapes {
			if err := b.beside(ctx, handler, s, encoding); err != nil {
				return errors.Join(err, handler.stop())
			}
		}
	}
	return handler.stop()
}

// startBare asks the service for every answer and starts the handler that writes them.
func (b *benching) startBare(ctx context.Context, shapes []bench.Shape, encodings []string) (*process, error) {
	answers := map[string]written{}
	for _, encoding := range encodings {
		for _, s := range shapes {
			for i := range bareAddresses {
				for range 2 { // the first may not be as the others: it is kept after it
					w, err := b.fetch(ctx, s.Path(i), encoding)
					if err != nil {
						return nil, err
					}
					answers[encoding+" "+s.Path(i)] = w
				}
			}
		}
	}
	text, err := json.Marshal(answers)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(b.work, "answers.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	return b.startProcess(ctx, "bench", "bare", "--answers", file)
}

// beside compares one shape.
func (b *benching) beside(ctx context.Context, handler *process, s bench.Shape, encoding string) error {
	call := b.call(encoding, func(i int) string { return s.Path(i % bareAddresses) })
	var rounds []bench.Ratio
	for range bareRounds {
		service, err := b.load(manyCallers).Run(ctx, s.Name, b.o.bareCalls, call)
		if err != nil {
			return err
		}
		bare := bench.Load{Base: handler.base, Now: b.Now, Clients: manyCallers, CPU: handler.cpu, Own: processorUsed}
		plain, err := bare.Run(ctx, s.Name, b.o.bareCalls, call)
		if err != nil {
			return err
		}
		rounds = append(rounds, bench.Ratio{Name: s.Name, Encoding: encoding, Clients: manyCallers, Bytes: service.Bytes, Service: service.PerSecond, Bare: plain.PerSecond,
			ServiceCPU: service.CPU, BareCPU: plain.CPU, Ratio: service.PerSecond / plain.PerSecond,
			RatioCPU: (plain.CPU + plain.ClientCPU) / (service.CPU + service.ClientCPU)})
	}
	b.report.Bare = append(b.report.Bare, bench.MedianRatio(rounds))
	return nil
}

// fetch asks the service once.
func (b *benching) fetch(ctx context.Context, path, encoding string) (written, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, b.server.base+path, nil)
	if err != nil {
		return written{}, err
	}
	r.Header.Set("Authorization", "Bearer "+b.keys[0])
	r.Header.Set("Accept-Encoding", encoding)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return written{}, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: status %d: %s", path, answer.StatusCode, body)
	}
	return written{answer.Header, body}, err
}

// newBareCmd is the handler that writes what it was given, in a process of its own.
func newBareCmd(a *Program) *cobra.Command {
	var file string
	c := &cobra.Command{Use: "bare", Hidden: true, Short: "A handler that only writes, for bench serve", Args: cli.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			answers := map[string]written{}
			if err := json.Unmarshal(text, &answers); err != nil {
				return err
			}
			base, stop, err := cli.Loopback(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				answer := answers[r.Header.Get("Accept-Encoding")+" "+r.URL.RequestURI()]
				for name, values := range answer.Header {
					w.Header()[name] = values
				}
				_, _ = w.Write(answer.Body) // a client that went away is no fault
			}))
			if err != nil {
				return err
			}
			defer stop()
			fmt.Fprintf(a.Stderr, "Serving answers on %s\n", base)
			<-cmd.Context().Done()
			return nil
		}}
	c.Flags().StringVar(&file, "answers", "", "")
	return c
}
