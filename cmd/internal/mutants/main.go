// Command mutants checks how good the tests are: it makes one change in the code at a time, and
// reports the changes that no test detects.
//
//	go run ./cmd/internal/mutants -seed 7 -n 20 ./pipeline/check ./serve/query
//	go run ./cmd/internal/mutants -at 'grant.go:78 grant.go:80' ./serve/partners/access
//
// Each change (mutation) is a fault: another operator, number, condition or join, or a missing
// statement or clause. It is in a Go file of a package, or in an SQL file that the package embeds.
// The files themselves do not change, because go test gets the mutation as an overlay. The same seed
// and code give the same mutations. A mutation that does not compile is replaced by another one.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"
	"time"
)

func main() {
	var t tester
	seed := flag.Uint64("seed", 1, "the same seed draws the same faults")
	n := flag.Int("n", 20, "how many faults of each package")
	kind := flag.String("kind", "all", "go, sql or all")
	at := flag.String("at", "", "only the faults of these lines, as grant.go:78 and separated by spaces")
	further := flag.String("further", "", "packages whose tests meet what is left, separated by spaces")
	flag.StringVar(&t.run, "run", "", "only tests that match")
	flag.StringVar(&t.skip, "skip", "", "no tests that match")
	flag.DurationVar(&t.timeout, "timeout", 5*time.Minute, "a fault that makes the tests last so long is noticed")
	flag.Parse()
	t.further, t.at = strings.Fields(*further), strings.Fields(*at)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := t.tryPackages(ctx, rand.New(rand.NewPCG(*seed, 0)), *n, *kind, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// tryPackages tests n random mutations in each package. It prints the result of each mutation, and a
// summary. draw is the source of randomness. kind selects the files, as in sitesOf.
func (t *tester) tryPackages(ctx context.Context, draw *rand.Rand, n int, kind string, packages []string) error {
	if len(packages) == 0 {
		return fmt.Errorf("name a package, as ./pipeline/check")
	}
	var all tally
	for _, p := range packages {
		sites, err := sitesOf(ctx, p, kind)
		if err != nil {
			return err
		}
		sites = t.sitesInLines(sites)
		draw.Shuffle(len(sites), func(i, j int) { sites[i], sites[j] = sites[j], sites[i] })
		of, err := t.tryPackage(ctx, p, sites, n)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %s\n", p, of.summary())
		all.add(of)
	}
	fmt.Printf("all: %s\n", all.summary())
	for _, m := range all.survivors {
		fmt.Println("survived:", m)
	}
	return nil
}

// tryPackage tests the first n mutations in sites that compile, and returns how many were detected.
// sites are possible mutations of package p.
func (t *tester) tryPackage(ctx context.Context, p string, sites []site, n int) (of tally, err error) {
	if out, what := t.runTests(ctx, p, ""); what != survived {
		return of, fmt.Errorf("the tests of %s fail without any fault:\n%s", p, out)
	}
	for _, s := range sites {
		if of.tried == n {
			break
		}
		start := time.Now()
		what, by, err := t.testWith(ctx, p, s)
		if err != nil {
			return of, err
		}
		if what == invalid {
			continue
		}
		fmt.Printf("%-8s %s (%.0f s)%s\n", what, s, time.Since(start).Seconds(), by)
		of.note(what, s)
	}
	return of, nil
}

// tally counts the mutations that were tested. killed counts those that tests of their own package
// detected, and killedFurther those that only tests of other packages detected. survivors lists
// those that no test detected.
type tally struct {
	tried, killed, killedFurther int
	survivors                    []string
}

func (t *tally) note(what outcome, s site) {
	t.tried++
	switch what {
	case killed:
		t.killed++
	case further:
		t.killedFurther++
	case survived:
		t.survivors = append(t.survivors, s.String())
	}
}

func (t *tally) add(o tally) {
	t.tried += o.tried
	t.killed += o.killed
	t.killedFurther += o.killedFurther
	t.survivors = append(t.survivors, o.survivors...)
}

func (t *tally) summary() string {
	return fmt.Sprintf("%d faults, %d noticed by the package's own tests, %d only by others, %d by none",
		t.tried, t.killed, t.killedFurther, len(t.survivors))
}
