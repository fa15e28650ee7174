package yeartest

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"labour/pipeline"
	"labour/pipeline/config"
	"labour/snapshots/store"
	"labour/sources"
)

// secret is what people are drawn by.
const secret = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

// service is the program under test with its data directory.
type service struct {
	t     *testing.T
	dir   string
	site  *publishers
	clock time.Time
	store *store.Store

	tokens      []string // the boards that are read
	retired     []string // and those that are not any more
	skills      []skill  // the register
	corrections string   // the text of the file; empty = none
	minCourses  int      // the fewest rows of course_demand; more than there are refuses a run
}

func newService(t *testing.T) *service {
	t.Helper()
	s := &service{t: t, dir: t.TempDir(), site: newPublishers(), tokens: []string{"alpha", "beta", "gamma"},
		skills: register}
	t.Cleanup(s.site.Close)
	var err error
	s.store, err = store.Open(s.data())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *service) data() string { return filepath.Join(s.dir, "data") }

// config writes and reads the configuration as it is now.
func (s *service) config() *config.Config {
	s.t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "platform: {name: Made-up Works, link: https://works.example, feed: %s/feed}\n", s.site.URL)
	fmt.Fprintf(&b, "contact: data@works.example\nskills: skills.csv\n")
	fmt.Fprintf(&b, "served_areas:\n- {slug: %s, name: Inner North, boroughs: [%s]}\n", area,
		strings.Join(areaMembers, ", "))
	if s.corrections != "" {
		b.WriteString("corrections: corrections.yaml\n")
		s.write("corrections.yaml", s.corrections)
	}
	fmt.Fprintf(&b,
		"checks: {max_shrink_pct: 100, max_growth_pct: 100000, max_revised_pct: 100, tables: {course_demand: {min_rows: "+
			"%d}}}\n", s.minCourses)
	b.WriteString("sources:\n  employer_boards:\n")
	fmt.Fprintf(&b, "    vendors: {greenhouse: {base_url: %s/greenhouse}}\n    boards:\n", s.site.URL)
	for _, token := range append(s.tokens, s.retired...) {
		fmt.Fprintf(&b, "    - {vendor: greenhouse, token: %s, employer: %s, retired: %t}\n", token,
			boardNamed(token).employer, !isIn(token, s.tokens))
	}
	fmt.Fprintf(&b,
		"  dfe_apprenticeships:\n    base_url: %s/ees\n    data_sets: [{id: %s, metric: apprenticeship_starts}]\n",
		s.site.URL, dataSet)
	fmt.Fprintf(&b, "  ons_geography:\n    base_url: %s/ons\n    services:\n", s.site.URL)
	for service, holds := range map[string]string{"CTRY": "areas: [nation]", "LAD": "areas: [council]",
		"RGN": "areas: [region]", "CHANGES": "changes: council"} {
		fmt.Fprintf(&b, "    - {service: %s, %s}\n", service, holds)
	}
	b.WriteString("drift:\n")
	for _, source := range []string{"platform", "employer_boards", "dfe_apprenticeships", "ons_geography"} {
		fmt.Fprintf(&b,
			"  %s: {max_fall_pct: 100, max_rise_pct: 100000, max_coded_fall_points: 100, max_unknown_pct: 100}\n",
			source)
	}
	s.write("labour.yaml", b.String())
	s.write("skills.csv", registerFile(s.skills))
	c, err := config.Load(filepath.Join(s.dir, "labour.yaml"))
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

func isIn(text string, list []string) bool {
	for _, e := range list {
		if e == text {
			return true
		}
	}
	return false
}

// boardNamed returns the board of a token; "beta-2" is where beta moved.
func boardNamed(token string) board {
	for _, b := range boards {
		if strings.HasPrefix(token, b.token) {
			return b
		}
	}
	panic("no board " + token)
}

func registerFile(skills []skill) string {
	var b strings.Builder
	b.WriteString("slug,name,patterns,level,kind\n")
	for _, s := range skills {
		fmt.Fprintf(&b, "%s,%s,%s,%d,%s\n", s.slug, s.slug, s.wording, s.level, s.kind)
	}
	return b.String()
}

func (s *service) write(name, text string) {
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// options are those of a run that begins now.
func (s *service) options() pipeline.Options {
	s.t.Helper()
	return optionsOf(s.config(), s.data(), s.clock)
}

func optionsOf(c *config.Config, data string, clock time.Time) pipeline.Options {
	return pipeline.Options{Config: c, DataDir: data, AsOf: sources.DateOf(clock), Now: func() time.Time { return clock },
		Log: slog.New(slog.DiscardHandler), ToolVersion: "test", MemoryMB: 256, Threads: 1, DownloadAttempts: 1,
		LookupSecret: func(name string) (string, bool) {
			return secret, name == "LABOUR_PEOPLE_SECRET" || name == "LABOUR_MANIFEST_KEY"
		}}
}

// run makes a whole run, or a light one.
func (s *service) run(light bool) (pipeline.Result, error) {
	s.t.Helper()
	o := s.options()
	if light {
		o.IsLight = true
	}
	return pipeline.Run(context.Background(), o)
}

// The environment of a run in a process of its own, which is killed as it begins a step.
const (
	childDir   = "LABOUR_YEAR_DIR"
	childClock = "LABOUR_YEAR_CLOCK"
	childStep  = "LABOUR_YEAR_STEP"
)

// killed makes a whole run in another process, which is killed at the step of that number. It
// reports whether the run came to its end before.
func (s *service) killed(step int) (ended bool) {
	s.t.Helper()
	s.config()
	self, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	command := exec.Command(self)
	command.Env = append(os.Environ(), childDir+"="+s.dir, childClock+"="+s.clock.Format(time.RFC3339),
		childStep+"="+strconv.Itoa(step))
	output, err := command.CombinedOutput()
	if status, ok := err.(*exec.ExitError); ok && status.ExitCode() >= 0 {
		s.t.Fatalf("a run in another process: %v %s", err, output)
	}
	return err == nil
}

// TestMain makes the run that is killed, or runs the tests.
func TestMain(m *testing.M) {
	if os.Getenv(childDir) == "" {
		os.Exit(m.Run())
	}
	if err := child(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// child makes a whole run and kills itself as a step begins.
func child() error {
	dir := os.Getenv(childDir)
	c, err := config.Load(filepath.Join(dir, "labour.yaml"))
	if err != nil {
		return err
	}
	clock, err := time.Parse(time.RFC3339, os.Getenv(childClock))
	if err != nil {
		return err
	}
	last, err := strconv.Atoi(os.Getenv(childStep))
	if err != nil {
		return err
	}
	var steps atomic.Int64
	o := optionsOf(c, filepath.Join(dir, "data"), clock)
	o.OnStep = func(string) {
		if int(steps.Add(1)) == last {
			syscall.Kill(os.Getpid(), syscall.SIGKILL) // it never returns
		}
	}
	_, err = pipeline.Run(context.Background(), o)
	return err
}
