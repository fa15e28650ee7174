package webhooks

import (
	"net/http"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestRetriesTakeAboutThreeDays(t *testing.T) {
	for chance, want := range map[float64]time.Duration{0: 57*time.Hour + 16*time.Minute,
		0.5: 71*time.Hour + 35*time.Minute, 1: 85*time.Hour + 54*time.Minute} {
		var sum time.Duration
		for i := range retries() {
			d, again := wait(retries(), i+1, 0, chance)
			if !again {
				t.Fatalf("attempt %d is the last", i+1)
			}
			sum += d
		}
		if d := sum - want; d < -time.Minute || d > time.Minute {
			t.Errorf("with %v: %v, want %v", chance, sum, want)
		}
	}
	if _, again := wait(retries(), len(retries())+1, time.Hour, 0.5); again {
		t.Error("no end")
	}
}

// The longest wait that an endpoint may ask for is lengthened like every other one, by up to a tenth.
func TestTheLongestWaitIsSpreadToo(t *testing.T) {
	want := 26*time.Hour + 24*time.Minute
	if got, again := wait(retries(), 1, 30*24*time.Hour, 1); !again || got.Round(time.Second) != want {
		t.Errorf("%v, %v; want %v", got, again, want)
	}
}

// A wait is never shorter than asked, nor than four fifths of the plan, and
// bounded; a later attempt never waits less at the same chance.
func TestWait(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		attempt := rapid.IntRange(1, len(retries())).Draw(t, "attempt")
		asked := time.Duration(rapid.Int64Range(0, int64(100*time.Hour)).Draw(t, "asked"))
		chance := rapid.Float64Range(0, 1).Draw(t, "chance")
		got, again := wait(retries(), attempt, asked, chance)
		plan := retries()[attempt-1]
		least := max(plan*8/10, min(asked, longestWait)) - time.Microsecond // of rounding
		most := max(plan*12/10, min(asked, longestWait)*11/10) + time.Microsecond
		if !again || got < least || got > most {
			t.Fatalf("%v, want %v to %v", got, least, most)
		}
		if later, again := wait(retries(), attempt+1, asked, chance); again && later < got {
			t.Fatalf("%v, then %v", got, later)
		}
	})
}

// A series of failures never ends while a delivery waits for its next attempt: idleAfter is longer
// than each wait, by half a day for attempts that a server makes late.
func TestIdleTimeIsLongerThanEachWait(t *testing.T) {
	for i := range retries() {
		for _, asked := range []time.Duration{0, longestWait, 365 * 24 * time.Hour} {
			longest, again := wait(retries(), i+1, asked, 1)
			if !again || longest+12*time.Hour > idleAfter {
				t.Errorf("attempt %d, asked for %v: waits up to %v of %v", i+1, asked, longest, idleAfter)
			}
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 20, 6, 0, 0, 500_000_000, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "0": 0, "120": 2 * time.Minute, " 7 ": 7 * time.Second, "-5": 0, "1.5": 0, "soon": 0,
		"2147483647": (1<<31 - 1) * time.Second, "1796026643000": 1 << 31 * time.Second,
		"99999999999999999999":          1 << 31 * time.Second,
		"Fri, 20 Nov 2026 06:00:10 GMT": 9500 * time.Millisecond, "Fri, 20 Nov 2026 05:00:00 GMT": 0,
		"2026-11-20T07:00:00Z": 0,
	} {
		if got := retryAfter(header, now); got != want {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
}

func FuzzRetryAfter(f *testing.F) {
	now := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	f.Add("3600")
	f.Add(now.Add(time.Hour).Format(http.TimeFormat))
	f.Fuzz(func(t *testing.T, header string) {
		if got := retryAfter(header, now); got < 0 {
			t.Fatalf("%q: %v", header, got)
		}
	})
}
