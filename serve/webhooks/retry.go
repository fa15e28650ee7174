package webhooks

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The rules of trying again.
const (
	// disableAfter: "disable the endpoint after 5 days of failure".
	disableAfter = 5 * 24 * time.Hour
	// longestWait bounds Retry-After, so that an endpoint cannot park messages for ever.
	longestWait = 24 * time.Hour
	// jitter is how far a wait differs from its plan, up or down.
	jitter = 0.2
	// lateness is by how much of it a wait that the endpoint asked for is
	// lengthened at most, so that all of its messages do not come at once.
	lateness = 0.1
)

// retries are the waits after the first, second, … failed attempt: "Retries back
// off with jitter over about 3 days". After the last one a delivery has failed.
func retries() []time.Duration {
	return []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
		10 * time.Hour, 14 * time.Hour, 18 * time.Hour, 22 * time.Hour}
}

// wait is how long to wait after a failed attempt, the number of which counts
// from 1, and whether to try again at all. asked is what Retry-After said, 0 for
// nothing; the wait is never shorter than that, up to longestWait. chance is a
// random number from 0 to 1.
func wait(plan []time.Duration, attempt int, asked time.Duration, chance float64) (time.Duration, bool) {
	if attempt > len(plan) {
		return 0, false
	}
	planned := float64(plan[attempt-1]) * (1 - jitter + 2*jitter*chance)
	least := float64(min(asked, longestWait)) * (1 + lateness*chance)
	return time.Duration(max(planned, least)), true
}

// retryAfter reads the header of that name, in seconds or as a date. What it
// cannot read, or what is over, is 0.
func retryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if seconds, err := strconv.ParseUint(header, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
