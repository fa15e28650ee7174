package main

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Every line is written once and whole, in its order: ordinary ones together after a
// moment or when they are many, warnings at once with all before them, the rest at
// the end.
func TestLinesOfALog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		log, end := (&app{stderr: &out}).serverLog()
		count := func() int { return strings.Count(out.String(), "\n") }
		log.Info("one")
		log.With("a", 1).WithGroup("g").Info("two", "b", 2)
		if synctest.Wait(); count() != 0 {
			t.Errorf("written at once: %s", out.String())
		}
		time.Sleep(2 * lineDelay)
		if synctest.Wait(); count() != 2 {
			t.Errorf("after a moment: %s", out.String())
		}
		log.Info("three")
		log.WithGroup("g").Error("four")
		if count() != 4 {
			t.Errorf("after an error: %s", out.String())
		}
		var writers sync.WaitGroup
		for i := range 10 {
			writers.Go(func() {
				for k := range 100 {
					log.Info(fmt.Sprintf("%d-%d.", i, k), "long", strings.Repeat("x", 100))
				}
			})
		}
		writers.Wait()
		if count() == 4 {
			t.Error("many lines wait for the moment")
		}
		end()
		for i := range 10 {
			at := 0
			for k := range 100 {
				next := strings.Index(out.String()[at:], fmt.Sprintf("%q", fmt.Sprintf("%d-%d.", i, k)))
				if next < 0 {
					t.Fatalf("line %d of writer %d is not where it belongs", k, i)
				}
				at += next
			}
		}
		if count() != 1004 {
			t.Errorf("%d lines", count())
		}
	})
}
