package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/cmd/internal/cli"
	"labour/snapshots"
	"labour/snapshots/store"
)

// crashMoments is how often the program is killed, and in the long form; the environment
// may ask for more.
const (
	crashMoments    = 3
	longMoments     = 25
	crashMomentsEnv = "LABOUR_CRASH_MOMENTS"
)

// TestKilledProgramLeavesAWholeStore kills the program itself with SIGKILL at
// random moments of run and promote. After each, a reader finds whole snapshots
// alone, the current one is among them and verifies, and the next run succeeds.
func TestKilledProgramLeavesAWholeStore(t *testing.T) {
	usually := crashMoments
	if longForms() {
		usually = longMoments
	}
	moments := moments(t, usually)
	c := newCrash(t)
	c.feed(0)
	c.must("snapshot", "keygen", "--key", c.key)
	if out := c.must(c.runArgs(0)...); strings.Contains(out, " fault ") {
		t.Fatalf("the feed has faults, so less is tried than meant:\n%s", out)
	}
	c.inspect()
	killed := 0
	for i := 1; i <= moments; i++ {
		c.feed(i)
		m := c.moment(i)
		if c.kill(m) {
			killed++
		}
		c.inspect()
		c.must(c.runArgs(i)...)
		if now := c.inspect(); now.Date().Format(time.DateOnly) != c.day(i) {
			t.Errorf("after %v the next run left %s current", m, now)
		}
		if t.Failed() {
			t.Fatalf("moment %d: %v", i, m)
		}
	}
	t.Logf("%d of %d were killed before they ended", killed, moments)
	if killed*3 < moments {
		t.Errorf("only %d of %d runs were killed before they ended", killed, moments)
	}
}

// crash is a data directory on which the program is killed.
type crash struct {
	t                      *testing.T
	config, data, key, dir string
	random                 *rand.Rand
	whole                  map[snapshots.ID]bool // verified already
}

func newCrash(t *testing.T) *crash {
	dir := t.TempDir()
	t.Cleanup(func() { unlock(t, dir) })
	c := &crash{t: t, dir: dir, config: filepath.Join(dir, "labour.yaml"), data: filepath.Join(dir, "data"),
		key:    filepath.Join(dir, "key"),
		random: rand.New(rand.NewPCG(20, 25)), whole: map[snapshots.ID]bool{}}
	c.write("labour.yaml",
		fmt.Sprintf("platform: {name: Crash Works, link: \"https://works.example\", feed: %q}\n"+
			"contact: data@works.example\n", filepath.Join(dir, "feed")))
	return c
}

func (c *crash) write(name, text string) {
	c.t.Helper()
	file := filepath.Join(c.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

// day is the date of the i-th run: every second one is in another quarter, so that
// people are both counted again and carried forward.
func (c *crash) day(i int) string {
	return time.Date(2024, 2, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, 46*i).Format(time.DateOnly)
}

// feed writes a small feed of the time of the i-th run.
func (c *crash) feed(i int) {
	date, err := time.Parse(time.DateOnly, c.day(i))
	if err != nil {
		c.t.Fatal(err)
	}
	var adverts, residents, applications, events strings.Builder
	for n := range 20 {
		back := date.AddDate(0, -n%12, -n)
		fmt.Fprintf(&adverts,
			`{"id":"a-%d-%d","imported_from":"platform","employer":"Employer %d","title":"Care assistant","kind":"job",`+
				`"posted_on":%q,"boroughs":["camden"],"skills":[{"skill":"customer-care","level":3}]}`+"\n",
			i, n, n%7, back.Format(time.DateOnly))
		fmt.Fprintf(&residents,
			`{"id":"r-%d","borough":"camden","seeking_work":true,"skills":[{"skill":"customer-care","level":2}]}`+"\n",
			n)
		fmt.Fprintf(&applications,
			`{"id":"p-%[1]d-%[2]d","resident":"r-%[2]d","advert":"a-%[1]d-%[2]d","applied_at":%[3]q,"outcome":"turned_down",`+
				`"outcome_recorded_at":%[3]q,"skills":[{"skill":"customer-care","asked_level":3,"held_level":2,`+
				`"turned_down_for":true}]}`+"\n",
			i, n, back.Format(time.RFC3339))
		fmt.Fprintf(&events,
			`{"id":"e-%[1]d-%[2]d","type":"application.created","occurred_at":%[3]q,"partner":"Partner %[4]d",`+
				`"advert":"a-%[1]d-%[2]d"}`+"\n",
			i, n, back.Format(time.RFC3339), n%3)
	}
	c.write("feed/boroughs.ndjson", `{"slug":"camden","name":"Camden","code":"E09000007"}`+"\n")
	c.write("feed/adverts.ndjson", adverts.String())
	c.write("feed/residents.ndjson", residents.String())
	c.write("feed/applications.ndjson", applications.String())
	c.write("feed/events.ndjson", events.String())
}

func (c *crash) runArgs(i int) []string {
	return []string{"run", "--config", c.config, "--data", c.data, "--as-of", c.day(i), "--as-of-future", "--sign-key",
		c.key}
}

// moment is when a command is killed: so long after it began the step.
type moment struct {
	args  []string
	step  string // empty = from the start
	after time.Duration
}

// moment draws one. Every fifth is a promotion of an older snapshot, which has no
// steps to tell; of the others, half are where the snapshot is sealed and promoted.
func (c *crash) moment(i int) moment {
	if i%5 == 0 {
		return moment{args: []string{"promote", string(c.anyOf()), "--config", c.config, "--data", c.data},
			after: time.Duration(c.random.IntN(300)) * time.Millisecond}
	}
	steps := []string{"seal", "seal", "check", "promote"}
	if i%2 == 0 {
		steps = []string{"fetch", "fetched", "read", "apply", "count", "protect", "write"}
	}
	return moment{args: c.runArgs(i), step: steps[c.random.IntN(len(steps))],
		after: time.Duration(c.random.IntN(40_000)) * time.Microsecond}
}

// anyOf draws a whole snapshot.
func (c *crash) anyOf() snapshots.ID {
	ids := slices.Sorted(maps.Keys(c.whole))
	return ids[c.random.IntN(len(ids))]
}

// kill runs the program and kills it at the moment; false when it ended before.
func (c *crash) kill(m moment) bool {
	c.t.Helper()
	child := exec.Command("labour", m.args...)
	stderr, err := child.StderrPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		c.t.Fatal(err)
	}
	var said strings.Builder
	lines := bufio.NewScanner(io.TeeReader(stderr, &said))
	for m.step != "" && lines.Scan() {
		if words := strings.Fields(lines.Text()); len(words) > 1 && words[1] == m.step {
			break
		}
	}
	time.Sleep(m.after)
	if err := child.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		c.t.Fatal(err)
	}
	if _, err := io.Copy(&said, stderr); err != nil {
		c.t.Fatal(err)
	}
	err = child.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() < 0 { // ended by the signal
		return true
	}
	if exit != nil && exit.ExitCode() == cli.ExitCheckRefused && m.args[0] == "promote" {
		return false // one that a killed run had sealed and that was never published is no way back
	}
	if err != nil {
		c.t.Errorf("%v ended by itself: %v\n%s", m, err, said.String())
	}
	return false
}

// must runs the program to its end, and gives what it printed.
func (c *crash) must(args ...string) string {
	c.t.Helper()
	var out shared
	if status := here(&out, &out, os.LookupEnv, args); status != cli.ExitDone {
		c.t.Fatalf("labour %v: status %d\n%s", args, status, out.String())
	}
	return out.String()
}

// inspect looks at the store as the next reader finds it, and gives the current one.
func (c *crash) inspect() snapshots.ID {
	c.t.Helper()
	var out shared
	a := &app{stdout: &out, stderr: io.Discard, now: time.Now, getenv: os.LookupEnv}
	if err := a.listSnapshots(context.Background(),
		&chainOptions{listOptions: listOptions{cli.DataFlag{Data: c.data}, cli.JSONFlag{JSON: true}}},
		nil); err != nil {
		c.t.Fatal(err)
	}
	var list []snapshotLine
	if err := json.Unmarshal([]byte(out.String()), &list); err != nil {
		c.t.Fatal(err)
	}
	current := snapshots.ID("")
	for _, l := range list {
		if l.Error != "" {
			c.t.Errorf("%s: %s", l.ID, l.Error)
		}
		if l.Current {
			current = l.ID
		}
		if l.State != "removed" && (!c.whole[l.ID] || l.Current) {
			if err := a.verifySnapshot(context.Background(),
				&verifyOptions{PublicKey: c.key + ".pub", DataFlag: cli.DataFlag{Data: c.data}},
				[]string{string(l.ID)}); err != nil {
				c.t.Errorf("%s: %v\n%s", l.ID, err, out.String())
			}
			if own, err := filepath.Glob(filepath.Join(c.data, store.PartnersDirName, string(l.ID),
				"*.parquet")); err != nil || len(own) != 3 {
				c.t.Errorf("%s has the events of %d partners, %v", l.ID, len(own), err)
			}
			c.whole[l.ID] = true
		}
	}
	if current == "" {
		c.t.Errorf("none of %v is current", list)
	}
	return current
}
