package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// announced waits until a server has noted where publishing starts.
func (f *fleet) announced() {
	f.t.Helper()
	f.until("publishing has begun", func() bool {
		var n int
		err := f.db.QueryRow(`SELECT COUNT(*) FROM settings WHERE name = 'announced_events'`).Scan(&n)
		return err == nil && n == 1
	})
}

// until waits for something that comes.
func (f *fleet) until(what string, done func() bool) {
	f.t.Helper()
	for range 18_000 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	f.t.Fatalf("waited three minutes for this: %s", what)
}

// call calls one of the servers after the other until ctx ends. A call that a
// killed server does not answer goes to the other.
func (f *fleet) call(ctx context.Context, n int) {
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for ; ctx.Err() == nil; n++ {
		r, err := http.NewRequest(http.MethodGet, "http://"+f.addrs[n%2]+"/v1/nothing", nil)
		if err != nil {
			f.t.Error(err)
			return
		}
		r.Header.Set("Authorization", "Bearer "+f.secret)
		f.started.Add(1)
		answer, err := client.Do(r)
		if err != nil {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		_, err = io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		if answer.StatusCode != http.StatusNotFound || answer.Header.Get("X-RateLimit-Remaining") == "" {
			f.t.Errorf("status %d, header %v", answer.StatusCode, answer.Header)
		}
		if err == nil {
			f.answered.Add(1)
		}
	}
}

func (f *fleet) moreAnswers(n int64) {
	f.t.Helper()
	goal := f.answered.Load() + n
	f.until("answers", func() bool { return f.answered.Load() >= goal })
}

func (f *fleet) someReceived(n int) {
	f.t.Helper()
	f.until("messages", func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.received) >= n
	})
}

// forgetTheDead gives the deliveries that killed servers claimed back, as the minutes
// would after which a claim ends.
func (f *fleet) forgetTheDead() {
	f.t.Helper()
	if _, err := f.db.Exec(`UPDATE webhook_deliveries SET claimed_until = 0`); err != nil {
		f.t.Fatal(err)
	}
}

// complete waits for every event but those of the first snapshot, and looks for what
// came twice.
func (f *fleet) complete(kills int) {
	f.t.Helper()
	want := kills * eventsPer
	f.someReceived(want)
	f.until("nothing waits for delivery", func() bool {
		var n int
		err := f.db.QueryRow(`SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'pending'`).Scan(&n)
		return err == nil && n == 0
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	twice := 0
	for i := range (kills + 1) * eventsPer {
		id := fmt.Sprintf("ev-%04d", i)
		if got := f.received[id]; got == 0 && i >= eventsPer || got > 0 && i < eventsPer {
			f.t.Errorf("%s arrived %d times", id, got)
		}
		twice += max(0, f.received[id]-1)
	}
	const atOnce = 8 // attempts that run per endpoint and server
	if twice > (kills+2)*atOnce || len(f.received) != want {
		f.t.Errorf("%d events arrived of %d, %d of them again", len(f.received), want, twice)
	}
	f.t.Logf("%d events, %d of them twice", len(f.received), twice)
}

// counted compares the counter with what was answered.
func (f *fleet) counted(kills int64) {
	f.t.Helper()
	var hour, month int64
	const ask = `SELECT SUM(CASE span WHEN 'hour' THEN calls ELSE 0 END), SUM(CASE span WHEN 'month' THEN calls ELSE ` +
		`0 END) FROM usage_counts WHERE key_id = $1`
	if err := f.db.QueryRow(ask, f.keyID).Scan(&hour, &month); err != nil {
		f.t.Fatal(err)
	}
	answered, started := f.answered.Load(), f.started.Load()
	if hour < answered || hour > started || hour != month {
		f.t.Errorf("%d calls were answered and %d started; counted are %d by the hour and %d by the month", answered,
			started, hour, month)
	}
	const callers = 8 // on their way at a kill
	if hour > answered+kills*callers {
		f.t.Errorf("%d calls were answered, %d counted", answered, hour)
	}
	f.t.Logf("%d calls started, %d answered, %d counted", started, answered, hour)
}
