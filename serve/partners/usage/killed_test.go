package usage

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"labour/serve/state"
	"labour/serve/state/statetest"
)

// The environment that makes the test's program a server that counts.
const (
	childAddress = "LABOUR_TEST_COUNT_IN"
	childKey     = "LABOUR_TEST_COUNT_KEY"
	childCallers = 16
)

// countForEver counts calls from several callers at once and writes a line for
// each that was answered, until it is killed.
func countForEver(address, key string) {
	ctx := context.Background()
	db, err := state.Open(ctx, address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	c, err := NewCounter(ctx, db)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for range childCallers {
		go func() {
			for {
				if _, err := c.Count(ctx, key, time.Unix(1e9, 0)); err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
				fmt.Println("answered") // one write, straight to the pipe
			}
		}()
	}
	select {}
}

// A server that is killed in the middle of a burst loses no call that it had
// answered; at most the calls that it was about to answer are counted besides.
// Two servers at a time share the database, and both are killed.
func TestServersThatDieLoseNoAnsweredCall(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		db := statetest.Open(t, address)
		key := keyOf(t, db, "A")
		var answered, killed int64
		for range 2 {
			one, other := burst(t, address, key), burst(t, address, key)
			answered += one(100) + other(100)
			killed += 2
		}
		// Read in one statement: PostgreSQL may still be committing what a killed server sent.
		var counted, month int64
		const ask = `SELECT CAST(SUM(CASE span WHEN 'hour' THEN calls END) AS BIGINT), CAST(SUM(CASE span WHEN 'month' THEN calls END) AS BIGINT)
			FROM usage_counts WHERE key_id = $1`
		if err := db.QueryRow(ask, key).Scan(&counted, &month); err != nil {
			t.Fatal(err)
		}
		if counted < answered || counted > answered+killed*childCallers {
			t.Errorf("%d calls answered, %d counted", answered, counted)
		}
		if month != counted {
			t.Errorf("%d calls in the hour, %d in the month", counted, month)
		}
	})
}

// burst starts a server and returns a function that kills it after so many answers,
// and returns the final number of answers.
func burst(t *testing.T, address, key string) func(after int64) int64 {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childAddress+"="+address, childKey+"="+key)
	var faults strings.Builder
	child.Stderr = &faults
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	return func(after int64) (answers int64) {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if answers++; answers == after {
				if err := child.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := child.Wait(); answers < after || err == nil {
			t.Fatalf("ended by itself after %d answers: %v: %s", answers, err, &faults)
		}
		return answers
	}
}
