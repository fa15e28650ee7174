package query

import (
	"context"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"labour/serve/api"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// measuredData names a data directory with a current snapshot to measure with, such as one that
// `labour-bench run --data DIR` or the sandbox made.
const measuredData = "LABOUR_BENCH_DATA"

// measured mounts the snapshot to measure with. Without one it is that of the tests, whose few rows
// show that the benchmarks run.
func measured(b *testing.B) *Snapshot {
	b.Helper()
	data := os.Getenv(measuredData)
	if data == "" {
		data = b.TempDir()
		snaptest.BuildSnapshot(b, data, "2026-11-20", snaptest.DefaultContent(b, "2026-11-20"))
	}
	store, err := store.Open(data)
	if err != nil {
		b.Fatal(err)
	}
	id, err := store.Current()
	if err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	s, err := Mount(context.Background(), store.SnapshotDir(id), Options{TempDir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	b.Logf("mounted %s in %s; rows and size on disk: %s", id, time.Since(start).Round(time.Millisecond), sizes(b, s))
	return s
}

// sizes are the rows of the large tables and the bytes of the mounted file.
func sizes(b *testing.B, s *Snapshot) string {
	b.Helper()
	var text string
	const query = `SELECT coalesce(string_agg(table_name || ' ' || estimated_size, ', ' ORDER BY table_name), '')
		|| '; ' || (SELECT database_size FROM pragma_database_size()) FROM duckdb_tables() WHERE estimated_size > 10000`
	if err := s.parts[figures].db.QueryRow(query).Scan(&text); err != nil {
		b.Fatal(err)
	}
	return text
}

// BenchmarkSkillsUnmet asks every shape of filter, each time with other values.
func BenchmarkSkillsUnmet(b *testing.B) {
	s := measured(b)
	windows := []int{3, 6, 12, 24}
	places, sectors, occupations, skills := s.Values(api.Places), s.Values(api.Sectors), s.Values(api.Occupations),
		s.Values(api.Skills)
	for shape := range 1 << 5 {
		for _, digits := range []int{1, 2, 3, 4} {
			if shape&4 == 0 && digits > 1 {
				continue
			}
			groups := slices.DeleteFunc(slices.Clone(occupations), func(c string) bool { return len(c) != digits })
			make := func(i int) api.SkillsUnmetQuery {
				q := api.SkillsUnmetQuery{Window: windows[i%4], Limit: 50}
				set := func(bit int, to *string, values []string) {
					if shape&bit != 0 {
						*to = values[(i*7)%len(values)]
					}
				}
				set(1, &q.Place, places)
				set(2, &q.Sector, sectors)
				set(4, &q.SOC, groups)
				set(8, &q.Source, slices.Sorted(maps.Keys(s.sources)))
				if shape&16 != 0 {
					q.Level = 1 + i%5
				}
				return q
			}
			b.Run(shapeName(make(1)), func(b *testing.B) { measure(b, s, make) })
		}
	}
	for _, by := range []api.Breakdown{api.ByPlace, api.BySector, api.BySOC, api.ByLevel, api.ByMonth} {
		for shape := range 1 << 3 {
			make := func(i int) api.SkillsUnmetQuery {
				q := api.SkillsUnmetQuery{Window: windows[i%4], Limit: 50, By: by, Skill: skills[(i*13)%len(skills)]}
				if shape&1 != 0 {
					q.Place = places[(i*7)%len(places)]
				}
				if shape&2 != 0 {
					q.Sector = sectors[(i*7)%len(sectors)]
				}
				if shape&4 != 0 {
					q.SOC = occupations[(i*7)%len(occupations)]
				}
				return q
			}
			b.Run("by_"+string(by)+"_"+shapeName(make(1)), func(b *testing.B) { measure(b, s, make) })
		}
	}
}

// shapeName names the filters that a question uses.
func shapeName(q api.SkillsUnmetQuery) string {
	name := ""
	for _, f := range []struct {
		used bool
		name string
	}{{q.Place != "", "place"}, {q.Sector != "", "sector"}, {q.SOC != "", "soc" + strconv.Itoa(len(q.SOC))},
		{q.Source != "", "source"}, {q.Level != 0, "level"}} {
		if f.used {
			name += "-" + f.name
		}
	}
	if name == "" {
		return "none"
	}
	return name[1:]
}

// measure reports the median and the slowest of the calls.
func measure(b *testing.B, s *Snapshot, make func(int) api.SkillsUnmetQuery) {
	var took []time.Duration
	i, before := 0, processorTime(b)
	for b.Loop() {
		start := time.Now()
		if _, err := s.SkillsUnmet(context.Background(), make(i)); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
		i++
	}
	b.ReportMetric(float64((processorTime(b)-before).Microseconds())/1000/float64(len(took)), "ms-cpu/op")
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms/median")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "ms/p95")
}

// processorTime is what the process has used; unlike the time on the clock it does
// not grow when the machine is busy with something else.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
