package kept

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"labour/serve/labourdata"
)

// snap answers each question with what it was asked, and counts.
type snap struct {
	labourdata.Snapshot
	id    string
	rows  int
	err   error
	asked int
}

func (s *snap) ID() string { return s.id }

func (s *snap) Regions(_ context.Context, q labourdata.RegionsQuery) (p labourdata.Page[labourdata.RegionsRow], err error) {
	s.asked++
	for range s.rows {
		p.Rows = append(p.Rows, labourdata.RegionsRow{Code: s.id, Name: fmt.Sprint(q)})
	}
	return p, s.err
}

func (s *snap) SkillsGaps(_ context.Context, q labourdata.SkillsGapsQuery) (p labourdata.Page[labourdata.SkillsGapsRow], err error) {
	s.asked++
	return labourdata.Page[labourdata.SkillsGapsRow]{Rows: []labourdata.SkillsGapsRow{{SOC: q.SOC}}}, s.err
}

func (s *snap) CourseDemand(_ context.Context, q labourdata.CourseDemandQuery) (p labourdata.Page[labourdata.CourseDemandRow], err error) {
	s.asked++
	return labourdata.Page[labourdata.CourseDemandRow]{Rows: []labourdata.CourseDemandRow{{Metric: q.Metric}}}, s.err
}

func (s *snap) Sources(context.Context, labourdata.SourcesQuery) (p labourdata.Page[labourdata.SourcesRow], err error) {
	s.asked++
	return labourdata.Page[labourdata.SourcesRow]{Rows: []labourdata.SourcesRow{{Title: s.id}}}, s.err
}

func (s *snap) SkillsUnmet(context.Context, labourdata.SkillsUnmetQuery) (p labourdata.Page[labourdata.SkillsUnmetRow], err error) {
	s.asked++
	return p, s.err
}

func (s *snap) Pathways(context.Context) ([]labourdata.Pathway, error) {
	s.asked++
	return []labourdata.Pathway{{ID: s.id}}, s.err
}

func (s *snap) Candidates(context.Context) (labourdata.Candidates, error) {
	s.asked++
	return labourdata.Candidates{ByLevel: []labourdata.CandidatesGroup{{Value: s.id}}}, s.err
}

func (s *snap) S106(_ context.Context, place string) (labourdata.S106, error) {
	s.asked++
	return labourdata.S106{Developments: int64(len(place))}, s.err
}

func (s *snap) Events(context.Context, labourdata.EventsQuery) (p labourdata.EventsPage, err error) {
	s.asked++
	return p, s.err
}

// question asks something of a snapshot.
type question func(labourdata.Snapshot) (any, error)

func questions() map[string]question {
	ctx := context.Background()
	return map[string]question{
		"regions": func(s labourdata.Snapshot) (any, error) {
			return s.Regions(ctx, labourdata.RegionsQuery{Kind: "council", Limit: 5})
		},
		"regions, name": func(s labourdata.Snapshot) (any, error) {
			return s.Regions(ctx, labourdata.RegionsQuery{Kind: "council", Name: "a b", Limit: 5})
		},
		"regions, names": func(s labourdata.Snapshot) (any, error) {
			return s.Regions(ctx, labourdata.RegionsQuery{Kind: "council", Name: "a", Limit: 5})
		},
		"gaps": func(s labourdata.Snapshot) (any, error) {
			return s.SkillsGaps(ctx, labourdata.SkillsGapsQuery{SOC: "1"})
		},
		"gaps of others": func(s labourdata.Snapshot) (any, error) {
			return s.SkillsGaps(ctx, labourdata.SkillsGapsQuery{SOC: "2"})
		},
		"courses": func(s labourdata.Snapshot) (any, error) {
			return s.CourseDemand(ctx, labourdata.CourseDemandQuery{Metric: "m"})
		},
		"sources":       func(s labourdata.Snapshot) (any, error) { return s.Sources(ctx, labourdata.SourcesQuery{}) },
		"pathways":      func(s labourdata.Snapshot) (any, error) { return s.Pathways(ctx) },
		"candidates":    func(s labourdata.Snapshot) (any, error) { return s.Candidates(ctx) },
		"s106":          func(s labourdata.Snapshot) (any, error) { return s.S106(ctx, "") },
		"s106, borough": func(s labourdata.Snapshot) (any, error) { return s.S106(ctx, "camden") },
	}
}

// Each answer is that of the snapshot, and of each it is asked once.
func TestAnswersAreKeptBySnapshotAndQuestion(t *testing.T) {
	answers, err := New()
	if err != nil {
		t.Fatal(err)
	}
	a, b := &snap{id: "2026-11-20.1", rows: 2}, &snap{id: "2026-11-20.2", rows: 3}
	for range 3 {
		for _, s := range []*snap{a, b} {
			for name, ask := range questions() {
				want, _ := ask(&snap{id: s.id, rows: s.rows})
				if got, err := ask(answers.Of(s)); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s of %s: %v, %v; want %v", name, s.id, got, err, want)
				}
			}
		}
	}
	if n := len(questions()); a.asked != n || b.asked != n {
		t.Errorf("asked %d and %d times, want %d", a.asked, b.asked, n)
	}
}

func TestWhatIsNotKept(t *testing.T) {
	ctx := context.Background()
	answers, err := New()
	if err != nil {
		t.Fatal(err)
	}
	s := &snap{id: "2026-11-20.1", rows: maxRows + 1}
	ask := func(times int, why string, f func(labourdata.Snapshot) error) {
		t.Helper()
		before := s.asked
		for range times {
			if err := f(answers.Of(s)); !errors.Is(err, s.err) {
				t.Errorf("%s: %v", why, err)
			}
		}
		if s.asked-before != times {
			t.Errorf("%s: asked %d times of %d", why, s.asked-before, times)
		}
	}
	ask(2, "long lists", func(s labourdata.Snapshot) error { _, err := s.Regions(ctx, labourdata.RegionsQuery{}); return err })
	ask(2, "skills not met", func(s labourdata.Snapshot) error {
		_, err := s.SkillsUnmet(ctx, labourdata.SkillsUnmetQuery{})
		return err
	})
	ask(2, "events", func(s labourdata.Snapshot) error { _, err := s.Events(ctx, labourdata.EventsQuery{}); return err })
	s.err = errors.New("no")
	ask(2, "errors", func(s labourdata.Snapshot) error { _, err := s.Pathways(ctx); return err })
	s.err = nil
	ask(1, "after an error", func(s labourdata.Snapshot) error { _, err := s.Pathways(ctx); return err })
}
