package query

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/sqltext"
	"labour/snapshots/store"
)

// TestEveryQuestionIsBound plans every statement over empty tables: a wrong
// column or type fails here, without any data.
func TestEveryQuestionIsBound(t *testing.T) {
	s := mountOnce(t, "2026-11-20", snaptest.Content{PlatformName: "Nobody"})
	arguments := anyArguments(t, s)
	var queries []queryName
	for _, spec := range partsOf(s.manifest, nil) {
		queries = append(queries, spec.queries...)
	}
	for _, q := range queries {
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
	maps.Copy(arguments, map[string]any{"country": "", "regions": "", "metric": "", "subject_area": "", "soc": "",
		"horizon": 0, "kind": "",
		"list": 1, "place": "", "after_on": nil, "after_id": "", "limit": 1, "after_at": afterAll,
		"after_seen": afterAll, "borough": "", "type": "", "sector": "",
		"word": "", "more_words": "", "partner": 0, "first": "", "day_after": time.Now(), "since": beforeAll,
		"skip": 0, "signature": 0, "place_from": 0, "place_to": 0, "value_from": 0, "value_to": 0, "skill_from": 0,
		"skill_to": 0})
	return arguments
}

func TestMountedSnapshotIsLocked(t *testing.T) {
	s := mountOnce(t, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	outside := t.TempDir()
	db := s.parts[platform].db
	for _, statement := range []string{
		"CREATE TABLE t (i INTEGER)", "DELETE FROM sources", "SELECT * FROM read_csv('/etc/hosts')",
		"COPY sources TO " + sqltext.Quote(outside+"/x.csv"), "ATTACH " + sqltext.Quote(outside+"/x.db"),
		"INSTALL httpfs", "SET enable_external_access = true", "SET memory_limit = '1TB'",
		"SET lock_configuration = false",
	} {
		if _, err := db.Exec(statement); err == nil {
			t.Errorf("%s: no error", statement)
		}
	}
}

func TestUnfitSnapshotIsRefused(t *testing.T) {
	c := snaptest.DefaultContent(t, "2026-11-20")
	c.Adverts[0].Skill, c.Adverts[1].Sector = "unheard-of", "no-such-sector"
	c.Jobs[0].SourceKey, c.Jobs[1].Sector, c.Jobs[2].Boroughs = "no-source", "no-sector", "camden,atlantis"
	_, err := Mount(context.Background(), sealed(t, "2026-11-20", c), Options{TempDir: t.TempDir()})
	if !errors.Is(err, ErrInconsistentTables) {
		t.Fatalf("mounted: %v", err)
	}
	for _, fault := range []string{`skill "unheard-of"`, `sector "no-such-sector"`, `jobs: source "no-source"`,
		`jobs: sector "no-sector"`, `jobs: borough "atlantis"`} {
		if !strings.Contains(err.Error(), fault) {
			t.Errorf("the error does not tell of %s: %v", fault, err)
		}
	}
}

func TestFiguresOfUnlistedSourcesAreRefused(t *testing.T) {
	c := snaptest.DefaultContent(t, "2026-11-20")
	c.Evidence[0].SourceKey = "nobody"
	_, err := Mount(context.Background(), sealed(t, "2026-11-20", c), Options{TempDir: t.TempDir()})
	if !errors.Is(err, ErrInconsistentTables) || !strings.Contains(err.Error(), `evidence: source "nobody"`) {
		t.Errorf("mounted: %v", err)
	}
}

// TestTooManySkillsAreRefused: numbers of skills do not wrap.
func TestTooManySkillsAreRefused(t *testing.T) {
	c := snaptest.DefaultContent(t, "2026-11-20")
	for i := range 1 << 15 {
		c.Skills = append(c.Skills, snapshots.SkillsRow{Skill: fmt.Sprintf("z-%05d", i), Name: "One more",
			ReferenceLevel: 1, Kind: "technical", Wordings: "one more"})
	}
	if _, err := Mount(context.Background(), sealed(t, "2026-11-20", c), Options{TempDir: t.TempDir()}); err == nil ||
		!strings.Contains(err.Error(), "INT16") {
		t.Errorf("mounted: %v", err)
	}
}

func TestMountLeavesNoFiles(t *testing.T) {
	data, temp := t.TempDir(), t.TempDir()
	snaptest.MakeRemovable(t, data)
	store, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	id := snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	s, err := Mount(context.Background(), store.SnapshotDir(id), Options{TempDir: temp})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if entries, err := os.ReadDir(temp); err != nil || len(entries) > 0 {
		t.Errorf("left in the temporary directory: %v, %v", entries, err)
	}
	if s.ID() != string(id) || !s.AsOf().Equal(time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)) ||
		s.PlatformName() != "London Works" ||
		!s.PeopleAsOf().Equal(time.Date(2026, 9, 30, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("mounted as %s of %s, people of %s, %s", s.ID(), s.AsOf(), s.PeopleAsOf(), s.PlatformName())
	}
}

// TestDeadlineInterruptsDuckDB runs a statement that would take for ever.
func TestDeadlineInterruptsDuckDB(t *testing.T) {
	s := mountOnce(t, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	slow, err := s.parts[platform].db.Prepare(
		"SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE (a.range * b.range) % 7 = 3")
	if err != nil {
		t.Fatal(err)
	}
	s.parts[platform].statements["platform/slow"] = statement{Stmt: slow}
	scan := func(*sql.Rows) error { return nil }
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := s.run(ctx, "platform/slow", nil, scan); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("past the deadline: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, stop)
	if err := s.run(ctx, "platform/slow", nil, scan); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	// The connection goes on working.
	if page, err := s.SkillsUnmet(context.Background(), api.SkillsUnmetQuery{Window: 24, Limit: 1}); err != nil ||
		len(page.Rows) != 1 {
		t.Errorf("afterwards: %d rows, %v", len(page.Rows), err)
	}
}
