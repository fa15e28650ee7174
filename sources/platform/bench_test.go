package platform

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"labour/sources"
)

// application is a made-up line, the same for the same i.
func application(i int) string {
	r := rand.New(rand.NewPCG(7, uint64(i)))
	var skills []string
	for range 1 + r.IntN(4) {
		skills = append(skills, fmt.Sprintf(`{"skill":"skill-%d","asked_level":%d,"held_level":%d,"turned_down_for":%v}`,
			r.IntN(400), 1+r.IntN(5), r.IntN(6), r.IntN(3) == 0))
	}
	return fmt.Sprintf(`{"id":"ap-%d","resident":"r-%x","advert":"ad-%d","applied_at":"2026-%02d-%02dT%02d:30:00Z","outcome":"turned_down","outcome_recorded_at":"2026-11-0%dT08:00:00Z","skills":[%s]}`,
		i, r.IntN(300_000), r.IntN(50_000), 1+r.IntN(10), 1+r.IntN(28), r.IntN(24), 1+r.IntN(9), strings.Join(skills, ","))
}

// BenchmarkParse is the parser alone, on one core.
func BenchmarkParse(b *testing.B) {
	lines := make([][]byte, 1000)
	bytes := 0
	for i := range lines {
		lines[i] = []byte(application(i))
		bytes += len(lines[i]) + 1
	}
	p, decode := newParser(), decoders[Applications]
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		for _, line := range lines {
			if _, _, err := decode(p, line); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(len(lines)*b.N)/b.Elapsed().Seconds(), "lines/s")
}

// discard is a sink that counts.
type discard struct{ records, faults int }

func (d *discard) Emit(sources.Record) error { d.records++; return nil }
func (d *discard) Fault(sources.Fault)       { d.faults++ }

// BenchmarkRead reads 100,000 applications from plain and compressed files.
func BenchmarkRead(b *testing.B) {
	var plain strings.Builder
	const lines = 100_000
	for i := range lines {
		fmt.Fprintln(&plain, application(i))
	}
	files := memory{"applications.ndjson": plain.String(), "applications.ndjson.gz": gzipped(b, plain.String()), "applications.ndjson.zst": zstandard(b, plain.String())}
	for _, name := range []string{"applications.ndjson", "applications.ndjson.gz", "applications.ndjson.zst"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(plain.Len()))
			for b.Loop() {
				var sink discard
				if err := New(Config{}).Read(context.Background(), files.extract(name), files, &sink); err != nil || sink.records != lines {
					b.Fatal(err, sink)
				}
			}
			b.ReportMetric(float64(lines*b.N)/b.Elapsed().Seconds(), "lines/s")
		})
	}
}
