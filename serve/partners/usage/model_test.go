package usage

import (
	"context"
	"crypto/rand"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labour/serve/partners/access"
	"labour/serve/state"
)

// partner is a client with a key, a clock of its own, and what it remembers of
// its calls. The model is what it remembers: lists of moments, no windows.
type partner struct {
	ctx     context.Context
	servers [2]*Counter // of one database; calls go to either
	db      *state.DB
	keys    *access.Store
	key     access.Key

	now   time.Time
	made  []time.Time   // the moment of every answered call
	last  *Decision     // of the call before, if the allowance has not changed since
	waits time.Duration // Retry-After of the call before, when it was refused
}

// answered is the model's number of calls in the hour and the month of a moment.
func (p *partner) answered(at time.Time) (c Counts) {
	for _, m := range p.made {
		if m.Format("2006-01") == at.Format("2006-01") {
			c.Month++
			if m.Format("2006-01-02T15") == at.Format("2006-01-02T15") {
				c.Hour++
			}
		}
	}
	return c
}

// call makes one call and checks everything that a client sees of it.
func (p *partner) call(t *rapid.T) Decision {
	server := p.servers[rapid.IntRange(0, 1).Draw(t, "server")]
	got, err := server.Count(p.ctx, p.key.ID, p.now)
	if err != nil {
		t.Fatal(err)
	}
	p.made = append(p.made, p.now)
	if want := p.answered(p.now); got != want {
		t.Fatalf("%+v counted at %v, %+v made", got, p.now, want)
	}
	allowance := p.key.Allowance()
	v := EvaluateLimits(allowance, got, p.now)
	p.checkReason(t, v, allowance, got)
	p.checkHeaders(t, v, allowance, got)
	p.last, p.waits = &v, time.Duration(v.RetryAfter)*time.Second
	return v
}

// checkReason: a call is refused if and only if a ceiling was passed, and the
// month is named where both are reached.
func (p *partner) checkReason(t *rapid.T, v Decision, a access.Allowance, c Counts) {
	hour, month := c.Hour > a.Hourly, a.Monthly > 0 && c.Month > a.Monthly
	if refused := v.Reason != Allowed; refused != (hour || month) || refused != (v.RetryAfter > 0) {
		t.Fatalf("%+v of %+v at %v: %+v", c, a, p.now, v)
	}
	if month && v.Reason != QuotaExceeded {
		t.Fatalf("past the month: %+v", v)
	}
}

// checkHeaders: what is left never rises inside a window and is never below 0,
// and the windows end at a full hour.
func (p *partner) checkHeaders(t *rapid.T, v Decision, a access.Allowance, c Counts) {
	if v.Limit != a.Hourly || v.Remaining != max(0, a.Hourly-c.Hour) || v.Capped != (a.Monthly > 0) {
		t.Fatalf("%+v of %+v: %+v", c, a, v)
	}
	if v.Capped && (v.QuotaLimit != a.Monthly || v.QuotaRemaining != max(0, a.Monthly-c.Month)) {
		t.Fatalf("%+v of %+v: %+v", c, a, v)
	}
	if !v.Reset.After(p.now) || v.Reset.Sub(p.now) > time.Hour || v.Reset.Unix()%3600 != 0 {
		t.Fatalf("at %v the hour ends %v", p.now, v.Reset)
	}
	if p.last == nil || len(p.made) < 2 {
		return
	}
	before := p.made[len(p.made)-2]
	if v.Reset.Equal(p.last.Reset) && v.Remaining > p.last.Remaining {
		t.Fatalf("remaining rose from %d to %d inside an hour", p.last.Remaining, v.Remaining)
	}
	if before.Month() == p.now.Month() && before.Year() == p.now.Year() && v.QuotaRemaining > p.last.QuotaRemaining {
		t.Fatalf("the month's remaining rose from %d to %d", p.last.QuotaRemaining, v.QuotaRemaining)
	}
}

// burst makes calls in one moment.
func (p *partner) burst(t *rapid.T) {
	for range rapid.IntRange(1, 5).Draw(t, "calls") {
		p.call(t)
	}
}

// obey waits as long as the answer states and must then be let in.
func (p *partner) obey(t *rapid.T) {
	if p.waits == 0 {
		t.Skip("not refused")
	}
	p.now = p.now.Add(p.waits)
	if v := p.call(t); v.Reason != Allowed {
		t.Fatalf("refused again at %v after %v: %+v", p.now, p.waits, v)
	}
}

// pass lets time pass: a little, to just before or after the end of an hour, a
// month or a year, or for weeks.
func (p *partner) pass(t *rapid.T) {
	end := map[string]time.Time{
		"hour":  p.now.Truncate(time.Hour).Add(time.Hour),
		"month": time.Date(p.now.Year(), p.now.Month()+1, 1, 0, 0, 0, 0, time.UTC),
		"year":  time.Date(p.now.Year()+1, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	to := p.now
	switch kind := rapid.SampledFrom([]string{"little", "hour", "month", "year", "weeks"}).Draw(t, "pass"); kind {
	case "little":
		to = to.Add(time.Duration(rapid.Int64Range(1, int64(time.Hour)).Draw(t, "ns")))
	case "weeks":
		to = to.Add(time.Duration(rapid.Int64Range(1, int64(60*24*time.Hour)).Draw(t, "ns")))
	default:
		to = end[kind].Add(time.Duration(rapid.SampledFrom([]int64{-1e9, -1, 0, 1}).Draw(t, "ns")))
	}
	if to.After(p.now) {
		p.now, p.waits = to, 0
	}
}

// agree sets a bespoke allowance, or goes back to the plan's.
func (p *partner) agree(t *rapid.T) {
	small := func(name string) *int64 {
		return rapid.Ptr(rapid.Int64Range(1, 12), true).Draw(t, name)
	}
	if err := p.keys.SetKeyLimits(p.ctx, p.key.ID, small("hourly"), small("monthly")); err != nil {
		t.Fatal(err)
	}
	key, err := p.keys.FindKey(p.ctx, p.key.ID)
	if err != nil {
		t.Fatal(err)
	}
	if key.Plan != p.key.Plan {
		t.Fatalf("the plan became %s", key.Plan)
	}
	p.key, p.last, p.waits = key, nil, 0
}

// Months of a client's life on a fake clock, with two servers on one database.
func TestLimitsOverMonths(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		one, db, _ := server(t, address)
		other, _, _ := server(t, address)
		keys, err := access.New(t.Context(), db, func() time.Time { return time.Unix(1e9, 0) }, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		partners := 0
		rapid.Check(t, func(r *rapid.T) {
			partners++
			plan := rapid.SampledFrom([]access.Plan{access.PlanEvaluation, access.PlanPartner}).Draw(r, "plan")
			key, _, err := keys.CreateKey(t.Context(), access.KeyRequest{Partner: fmt.Sprint("P", partners), Plan: plan})
			if err != nil {
				r.Fatal(err)
			}
			start := time.Date(2027, 12, 31, 22, 59, 59, 0, time.UTC).Add(
				time.Duration(rapid.Int64Range(0, 500*24).Draw(r, "hours")) * -time.Hour)
			p := &partner{ctx: t.Context(), servers: [2]*Counter{one, other}, db: db, keys: keys, key: key, now: start}
			p.agree(r)
			r.Repeat(map[string]func(*rapid.T){"burst": p.burst, "obey": p.obey, "pass": p.pass, "agree": p.agree})
			for _, span := range []string{"hour", "month"} {
				if got := calls(t, db, key.ID, span); got != int64(len(p.made)) {
					r.Fatalf("%d calls counted by the %s, %d answered", got, span, len(p.made))
				}
			}
		})
	})
}
