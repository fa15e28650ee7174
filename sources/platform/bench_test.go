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
		skills = append(skills,
			fmt.Sprintf(`{"skill":"skill-%d","asked_level":%d,"held_level":%d,"turned_down_for":%v}`,
				r.IntN(400), 1+r.IntN(5), r.IntN(6), r.IntN(3) == 0))
	}
	return fmt.Sprintf(
		`{"id":"ap-%d","resident":"r-%x","advert":"ad-%d","applied_at":"2026-%02d-%02dT%02d:30:00Z",`+
			`"outcome":"turned_down","outcome_recorded_at":"2026-11-0%dT08:00:00Z","skills":[%s]}`,
		i, r.IntN(300_000), r.IntN(50_000), 1+r.IntN(10), 1+r.IntN(28), r.IntN(24), 1+r.IntN(9),
		strings.Join(skills, ","))
}

// resident and advert are made-up lines, the same for the same i.
func resident(i int) string {
	r := rand.New(rand.NewPCG(8, uint64(i)))
	var skills []string
	for range r.IntN(16) {
		skills = append(skills, fmt.Sprintf(`{"skill":"skill-number-%d","level":%d}`, r.IntN(400), 1+r.IntN(5)))
	}
	return fmt.Sprintf(
		`{"id":"r-%08x","borough":"borough-%d","seeking_work":%v,"sector_sought":"sector-%d","skills":[%s]}`,
		i, r.IntN(33), r.IntN(3) == 0, r.IntN(15), strings.Join(skills, ","))
}

func advert(i int) string {
	r := rand.New(rand.NewPCG(9, uint64(i)))
	var skills []string
	for range 2 + r.IntN(6) {
		skills = append(skills, fmt.Sprintf(`{"skill":"skill-number-%d","level":%d}`, r.IntN(400), 1+r.IntN(5)))
	}
	text := strings.Repeat(`You work with others, and learn what is new.\n- Good \"record keeping\"\n\n`, 4+r.IntN(16))
	return fmt.Sprintf(
		`{"id":"ad-%06d","imported_from":"platform","employer":"Example %d Ltd","title":"Care worker",`+
			`"apply_url":"https://works.example/apply/%d",`+
			`"link":"https://works.example/jobs/%d","kind":"job","posted_on":"2026-%02d-%02d","boroughs":["borough-%d"],`+
			`"sector":"care","soc":"6135",`+
			`"salary_text":"£%d,000 a year","skills":[%s],"text":"%s"}`,
		i, r.IntN(3000), i, i, 1+r.IntN(10), 1+r.IntN(28), r.IntN(33), 20+r.IntN(30), strings.Join(skills, ","), text)
}

// BenchmarkParse is the parser alone, on one core.
func BenchmarkParse(b *testing.B) {
	for _, c := range []struct {
		kind RecordKind
		line func(int) string
	}{{KindAdverts, advert}, {KindResidents, resident}, {KindApplications, application}} {
		b.Run(string(c.kind), func(b *testing.B) {
			const lines = 1000
			var text strings.Builder
			for i := range lines {
				fmt.Fprintln(&text, c.line(i))
			}
			p := newParser()
			b.SetBytes(int64(text.Len()))
			b.ReportAllocs()
			for b.Loop() {
				x := &chunk{kind: c.kind, text: text.String()}
				x.parse(p)
				for _, f := range x.results {
					if f.record == nil {
						b.Fatal(f.fault)
					}
				}
			}
			b.ReportMetric(float64(lines*b.N)/b.Elapsed().Seconds(), "lines/s")
		})
	}
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
	files := memory{"applications.ndjson": plain.String(), "applications.ndjson.gz": gzipped(b, plain.String()),
		"applications.ndjson.zst": zstandard(b, plain.String())}
	for _, name := range []string{"applications.ndjson", "applications.ndjson.gz", "applications.ndjson.zst"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(plain.Len()))
			for b.Loop() {
				var sink discard
				if err := New(Config{}).Read(context.Background(), files.extract(name), files, &sink); err != nil ||
					sink.records != lines {
					b.Fatal(err, sink)
				}
			}
			b.ReportMetric(float64(lines*b.N)/b.Elapsed().Seconds(), "lines/s")
		})
	}
}
