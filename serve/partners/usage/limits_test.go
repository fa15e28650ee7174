package usage

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/serve/partners/access"
)

func TestJudge(t *testing.T) {
	at := time.Date(2026, 11, 20, 6, 59, 58, 500_000_000, time.UTC)
	hour := time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC)
	month := int64(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC).Sub(at)/time.Second) + 1
	plan := access.Allowance{Hourly: 100, Monthly: 1000}
	for _, tt := range []struct {
		name  string
		allow access.Allowance
		made  Counts
		want  Decision
	}{
		{"first", plan, Counts{1, 1}, Decision{Limit: 100, Remaining: 99, Reset: hour, Capped: true, QuotaLimit: 1000,
			QuotaRemaining: 999}},
		{"last of the hour", plan, Counts{100, 500}, Decision{Limit: 100, Reset: hour, Capped: true, QuotaLimit: 1000,
			QuotaRemaining: 500}},
		{"past the hour", plan, Counts{101, 501}, Decision{Reason: RateLimited, Limit: 100, Reset: hour, Capped: true,
			QuotaLimit: 1000, QuotaRemaining: 499, RetryAfter: 2}},
		{"last of the month", plan, Counts{5, 1000}, Decision{Limit: 100, Remaining: 95, Reset: hour, Capped: true,
			QuotaLimit: 1000}},
		{"past the month", plan, Counts{5, 1001}, Decision{Reason: QuotaExceeded, Limit: 100, Remaining: 95,
			Reset: hour, Capped: true, QuotaLimit: 1000, RetryAfter: month}},
		{"past both", plan, Counts{101, 1001}, Decision{Reason: QuotaExceeded, Limit: 100, Reset: hour, Capped: true,
			QuotaLimit: 1000, RetryAfter: month}},
		{"past the hour, at the month's", plan, Counts{101, 1000},
			Decision{Reason: QuotaExceeded, Limit: 100, Reset: hour, Capped: true, QuotaLimit: 1000,
				RetryAfter: month}},
		{"uncapped", access.Allowance{Hourly: 10}, Counts{3, 1 << 40}, Decision{Limit: 10, Remaining: 7, Reset: hour}},
	} {
		if diff := cmp.Diff(tt.want, EvaluateLimits(tt.allow, tt.made, at)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

// A client that waits for Retry-After finds a new window, and one second less would
// not have been enough.
func TestRetryAfterIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "s"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns"))
		hour := EvaluateLimits(access.Allowance{Hourly: 1, Monthly: 9}, Counts{2, 2}, at)
		month := EvaluateLimits(access.Allowance{Hourly: 9, Monthly: 1}, Counts{2, 2}, at)
		wait := func(v Decision, seconds int64) time.Time { return at.Add(time.Duration(seconds) * time.Second).UTC() }
		if v := hour; v.RetryAfter < 1 || wait(v, v.RetryAfter).Before(v.Reset) ||
			!wait(v, v.RetryAfter-1).Before(v.Reset) {
			t.Fatalf("hour: %+v at %v", v, at)
		}
		same := func(when time.Time) bool {
			return when.Month() == at.UTC().Month() && when.Year() == at.UTC().Year()
		}
		if v := month; v.RetryAfter < 1 || same(wait(v, v.RetryAfter)) || !same(wait(v, v.RetryAfter-1)) {
			t.Fatalf("month: %+v at %v", v, at)
		}
		if hour.Reset.Unix()%3600 != 0 {
			t.Fatalf("reset %v is no full hour", hour.Reset)
		}
	})
}
