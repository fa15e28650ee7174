package query

import (
	"context"

	"labour/serve/api"
)

const nextOccupations queryName = figures + "/next_occupations"

// NextOccupations lists unit groups (four-digit SOC 2020 codes) whose adverts require skills
// similar to those of q.SOC. The list is empty if q.SOC is not a unit group.
func (s *Snapshot) NextOccupations(ctx context.Context, q api.NextOccupationsQuery) ([]api.NextOccupation, error) {
	if len(q.SOC) != fullDigits {
		return nil, nil
	}
	return all[api.NextOccupation](ctx, s, nextOccupations,
		map[string]any{"soc": group(q.SOC).from, "window": api.DefaultWindow, "limit": q.Limit})
}
