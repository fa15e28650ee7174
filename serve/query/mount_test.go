package query

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// TestEveryQuestionIsBound plans every statement over empty tables: a wrong
// column or type fails here, without any data.
func TestEveryQuestionIsBound(t *testing.T) {
	s := mountOnce(t, "2026-11-20", snaptest.Content{PlatformName: "Nobody"})
	arguments := anyArguments(t, s)
	var questions []question
	for _, spec := range partsOf(s.manifest, nil) {
		questions = append(questions, spec.questions...)
	}
	for _, q := range questions {
		text := q.text()
		if !strings.HasPrefix(text, "--") {
			t.Errorf("%s: no comment on top", q)
		}
		var args []any
		p := s.parts[q.part()]
		for _, name := range p.statements[q].parameters {
			value, ok := arguments[name]
			if !ok {
				t.Fatalf("%s: no argument %s is ever bound", q, name)
			}
			args = append(args, sql.Named(name, value))
		}
		rows, err := p.db.Query("EXPLAIN "+text, args...)
		if err != nil {
			t.Errorf("%s: %v", q, err)
			continue
		}
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}
}

// anyArguments has a value for every parameter of every statement.
func anyArguments(t *testing.T, s *Snapshot) map[string]any {
	t.Helper()
	arguments := s.filter(api.SkillsUnmetQuery{Window: 3})
	maps.Copy(arguments, map[string]any{"country": "", "region": "", "metric": "", "subject_area": "", "soc": "", "horizon": 0, "kind": "",
		"after_on": nil, "after_id": "", "limit": 1, "after_at": afterAll, "after_seen": afterAll, "borough": "", "type": "", "sector": "",
		"word": "", "more_words": "", "partner": 0, "first": "", "since": beforeAll, "skip": 0})
	return arguments
}

func TestMountedSnapshotIsLocked(t *testing.T) {
	s := mountOnce(t, "2026-11-20", snaptest.Default(t, "2026-11-20"))
	outside := t.TempDir()
	db := s.parts[platform].db
	for _, statement := range []string{
		"CREATE TABLE t (i INTEGER)", "DELETE FROM sources", "SELECT * FROM read_csv('/etc/hosts')",
		"COPY sources TO " + literal(outside+"/x.csv"), "ATTACH " + literal(outside+"/x.db"), "INSTALL httpfs",
		"SET enable_external_access = true", "SET memory_limit = '1TB'", "SET lock_configuration = false",
	} {
		if _, err := db.Exec(statement); err == nil {
			t.Errorf("%s: no error", statement)
		}
	}
}

func TestUnfitSnapshotIsRefused(t *testing.T) {
	c := snaptest.Default(t, "2026-11-20")
	c.Adverts[0].Skill, c.Adverts[1].Sector = "unheard-of", "no-such-sector"
	c.Jobs[0].SourceKey, c.Jobs[1].Sector, c.Jobs[2].Boroughs = "no-source", "no-sector", "camden,atlantis"
	_, err := Mount(context.Background(), withoutRollups(t, sealed(t, "2026-11-20", c)), Options{TempDir: t.TempDir()})
	if !errors.Is(err, ErrUnfit) {
		t.Fatalf("mounted: %v", err)
	}
	for _, fault := range []string{`skill "unheard-of"`, `sector "no-such-sector"`, `jobs: source "no-source"`, `jobs: sector "no-sector"`, `jobs: borough "atlantis"`} {
		if !strings.Contains(err.Error(), fault) {
			t.Errorf("the error does not tell of %s: %v", fault, err)
		}
	}
}

func TestFiguresOfUnlistedSourcesAreRefused(t *testing.T) {
	c := snaptest.Default(t, "2026-11-20")
	c.Evidence[0].SourceKey = "nobody"
	_, err := Mount(context.Background(), sealed(t, "2026-11-20", c), Options{TempDir: t.TempDir()})
	if !errors.Is(err, ErrUnfit) || !strings.Contains(err.Error(), `evidence: source "nobody"`) {
		t.Errorf("mounted: %v", err)
	}
}

// TestTooManySkillsAreRefused: numbers of skills do not wrap.
func TestTooManySkillsAreRefused(t *testing.T) {
	c := snaptest.Default(t, "2026-11-20")
	for i := range 1 << 15 {
		c.Skills = append(c.Skills, snapshots.SkillsRow{Skill: fmt.Sprintf("z-%05d", i), Name: "One more", ReferenceLevel: 1, Kind: "technical", Wordings: "one more"})
	}
	if _, err := Mount(context.Background(), withoutRollups(t, sealed(t, "2026-11-20", c)), Options{TempDir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "rollup_codes") {
		t.Errorf("mounted: %v", err)
	}
}

// TestTooManySourcesAreRefused: each source of adverts has a bit of its own.
func TestTooManySourcesAreRefused(t *testing.T) {
	c := snaptest.Default(t, "2026-11-20")
	for i := range 64 {
		source, total := c.Sources[0], c.AdvertsTotal[0]
		source.Key = fmt.Sprintf("source_%02d", i)
		total.Source = source.Key
		c.Sources, c.AdvertsTotal = append(c.Sources, source), append(c.AdvertsTotal, total)
	}
	if _, err := Mount(context.Background(), sealed(t, "2026-11-20", c), Options{TempDir: t.TempDir()}); !errors.Is(err, ErrUnfit) {
		t.Errorf("mounted: %v", err)
	}
}

func TestMountLeavesNoFiles(t *testing.T) {
	data, temp := t.TempDir(), t.TempDir()
	snaptest.Unlock(t, data)
	store, err := snapshots.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	id := snaptest.Build(t, data, "2026-11-20", snaptest.Default(t, "2026-11-20"))
	s, err := Mount(context.Background(), store.Dir(id), Options{TempDir: temp})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if entries, err := os.ReadDir(temp); err != nil || len(entries) > 0 {
		t.Errorf("left in the temporary directory: %v, %v", entries, err)
	}
	if s.ID() != string(id) || !s.AsOf().Equal(time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)) || s.PlatformName() != "London Works" ||
		!s.PeopleAsOf().Equal(time.Date(2026, 10, 31, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("mounted as %s of %s, people of %s, %s", s.ID(), s.AsOf(), s.PeopleAsOf(), s.PlatformName())
	}
}

// TestDeadlineInterruptsDuckDB runs a statement that would take for ever.
func TestDeadlineInterruptsDuckDB(t *testing.T) {
	s := mountOnce(t, "2026-11-20", snaptest.Default(t, "2026-11-20"))
	slow, err := s.parts[platform].db.Prepare("SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE (a.range * b.range) % 7 = 3")
	if err != nil {
		t.Fatal(err)
	}
	s.parts[platform].statements["platform/slow"] = statement{Stmt: slow}
	scan := func(*sql.Rows) error { return nil }
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := s.ask(ctx, "platform/slow", nil, scan); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("past the deadline: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, stop)
	if err := s.ask(ctx, "platform/slow", nil, scan); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	// The connection goes on working.
	if page, err := s.SkillsUnmet(context.Background(), api.SkillsUnmetQuery{Window: 24, Limit: 1}); err != nil || len(page.Rows) != 1 {
		t.Errorf("afterwards: %d rows, %v", len(page.Rows), err)
	}
}

// TestSkillsUnmetIsPlannedOnce: planning costs as much as answering, and an argument in a
// filter of a table, or one that stands in the statement twice, brings it back in each call.
func TestSkillsUnmetIsPlannedOnce(t *testing.T) {
	ctx := context.Background()
	dir := sealed(t, "2026-11-20", snaptest.Default(t, "2026-11-20"))
	s := mountDir(t, dir)
	spec := partOf(figures, s.manifest)
	file := filepath.Join(t.TempDir(), "figures.duckdb")
	if err := spec.loadInto(ctx, file, dir, s.manifest); err != nil {
		t.Fatal(err)
	}
	db, err := connect(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	profile := filepath.Join(t.TempDir(), "profile.json")
	if err := execute(ctx, conn, "SET enable_profiling = 'json'", "SET profiling_output = "+literal(profile),
		`SET custom_profiling_settings = '{"PLANNER": "true"}'`); err != nil {
		t.Fatal(err)
	}
	arguments := anyArguments(t, s)
	planned := func(text string) float64 {
		st, err := conn.PrepareContext(ctx, text)
		if err != nil {
			t.Fatal(err)
		}
		var args []any
		for _, name := range parametersOf(text) {
			args = append(args, sql.Named(name, arguments[name]))
		}
		rows, err := st.Query(args...)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(rows.Close(), st.Close()); err != nil {
			t.Fatal(err)
		}
		var planning struct{ Planner float64 }
		if b, err := os.ReadFile(profile); err != nil || json.Unmarshal(b, &planning) != nil {
			t.Fatal(err, string(b))
		}
		return planning.Planner
	}
	for _, q := range spec.questions {
		text := q.text()
		if seconds := planned(text); seconds != 0 {
			t.Errorf("%s: planned again in the call, in %v seconds", q, seconds)
		}
	}
	if planned("SELECT adverts FROM totals WHERE place_code = $place::BIGINT") == 0 {
		t.Error("an argument in a filter is not planned again: statements can be written without a table of arguments")
	}
}
