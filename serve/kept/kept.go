// Package kept keeps answers in memory. A sealed snapshot never changes, so neither
// does an answer to the same question of it: of a snapshot's small lists (gaps, course
// demand, sources, regions, pathways, candidates and s106) the rows are kept, and of
// those and of pages of jobs and evidence the text as it is sent, by the address that
// was called, also compressed. Skills not met is not among them ("skills not met is
// computed on every call"), and neither is what belongs to a partner.
package kept

import (
	"context"
	"encoding/json"
	"fmt"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"labour/serve/labourdata"
)

// What is kept: so many answers, the ones asked last, each of at most so many rows.
const (
	maxAnswers = 512
	maxRows    = 1000
)

// Answers are the kept answers of all snapshots. It is safe for concurrent use.
type Answers struct {
	cache *lru.Cache[string, any] // by snapshot, question and its parameters
	sent  sent
}

// New keeps nothing yet.
func New() (*Answers, error) {
	cache, err := lru.New[string, any](maxAnswers)
	if err != nil {
		return nil, fmt.Errorf("keep answers: %w", err)
	}
	known, err := simplelru.NewLRU[address, *Answer](maxAnswers, nil)
	if err != nil {
		return nil, fmt.Errorf("keep answers: %w", err)
	}
	return &Answers{cache: cache, sent: sent{known: known}}, nil
}

// Of is the snapshot with its kept answers. What it gives is shared: the caller must
// not change it.
func (a *Answers) Of(s labourdata.Snapshot) labourdata.Snapshot { return snapshot{s, a} }

type snapshot struct {
	labourdata.Snapshot
	answers *Answers
}

// SkillsGaps is labourdata's.
func (s snapshot) SkillsGaps(ctx context.Context, q labourdata.SkillsGapsQuery) (labourdata.Page[labourdata.SkillsGapsRow], error) {
	return page(ctx, s, "skills_gaps", q, s.Snapshot.SkillsGaps)
}

// CourseDemand is labourdata's.
func (s snapshot) CourseDemand(ctx context.Context, q labourdata.CourseDemandQuery) (labourdata.Page[labourdata.CourseDemandRow], error) {
	return page(ctx, s, "course_demand", q, s.Snapshot.CourseDemand)
}

// Sources is labourdata's.
func (s snapshot) Sources(ctx context.Context, q labourdata.SourcesQuery) (labourdata.Page[labourdata.SourcesRow], error) {
	return page(ctx, s, "sources", q, s.Snapshot.Sources)
}

// Regions is labourdata's.
func (s snapshot) Regions(ctx context.Context, q labourdata.RegionsQuery) (labourdata.Page[labourdata.RegionsRow], error) {
	return page(ctx, s, "regions", q, s.Snapshot.Regions)
}

// Pathways is labourdata's.
func (s snapshot) Pathways(ctx context.Context) ([]labourdata.Pathway, error) {
	return once(ctx, s, "pathways", "", func(ctx context.Context, _ string) ([]labourdata.Pathway, error) { return s.Snapshot.Pathways(ctx) },
		func(list []labourdata.Pathway) bool { return len(list) <= maxRows })
}

// Candidates is labourdata's.
func (s snapshot) Candidates(ctx context.Context) (labourdata.Candidates, error) {
	return once(ctx, s, "candidates", "", func(ctx context.Context, _ string) (labourdata.Candidates, error) { return s.Snapshot.Candidates(ctx) }, nil)
}

// S106 is labourdata's.
func (s snapshot) S106(ctx context.Context, place string) (labourdata.S106, error) {
	return once(ctx, s, "s106", place, s.Snapshot.S106, nil)
}

func page[Q, R any](ctx context.Context, s snapshot, name string, q Q, ask func(context.Context, Q) (labourdata.Page[R], error)) (labourdata.Page[R], error) {
	return once(ctx, s, name, q, ask, func(p labourdata.Page[R]) bool { return len(p.Rows) <= maxRows })
}

// once asks, unless the answer is kept. small says whether an answer may be kept;
// nil = always. An error is not kept.
func once[Q, A any](ctx context.Context, s snapshot, name string, q Q, ask func(context.Context, Q) (A, error), small func(A) bool) (A, error) {
	parameters, err := json.Marshal(q)
	if err != nil {
		return ask(ctx, q)
	}
	key := s.ID() + " " + name + " " + string(parameters)
	if known, ok := s.answers.cache.Get(key); ok {
		if answer, ok := known.(A); ok {
			return answer, nil
		}
	}
	answer, err := ask(ctx, q)
	if err == nil && (small == nil || small(answer)) {
		s.answers.cache.Add(key, answer)
	}
	return answer, err
}
