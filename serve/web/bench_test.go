package web_test

import (
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// BenchmarkPages shows milliseconds for a page of each kind.
func BenchmarkPages(b *testing.B) {
	s := newSite(b)
	for _, path := range []string{"/", "/skills", "/skills?place=camden", "/skills/python", "/skills/python?by=soc",
		"/places/camden", "/places/camden?with=islington", "/gaps", "/courses", "/evidence",
		"/places?kind=lsip", "/sources", "/snapshots", "/snapshots/2026-11-20.1", "/docs"} {
		if os.Getenv(dataEnv) != "" {
			path = strings.Replace(path, "python", "customer-care", 1)
			if strings.Contains(path, "2026-11-20.1") {
				continue // is of the small snapshot
			}
		}
		b.Run(strings.ReplaceAll(path, "/", "_"), func(b *testing.B) {
			var size int64
			s.get(b, path) // the publication before is open from now on
			before := processor(b)
			for b.Loop() {
				w := s.get(b, path)
				if w.Code != http.StatusOK {
					b.Fatalf("status %d", w.Code)
				}
				size, _ = io.Copy(io.Discard, w.Body)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/page")
			b.ReportMetric(float64((processor(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/page")
			b.ReportMetric(float64(size), "bytes")
		})
	}
}

// processor is the CPU time of the process so far, which other work of the machine leaves as it is.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
