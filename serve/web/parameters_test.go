package web

import (
	"testing"
	"time"

	"labour/serve/api"
)

// TestParametersOfAQuery: the parameters of a call have the names that the API reads. Default values, and what no
// request can state, are left out.
func TestParametersOfAQuery(t *testing.T) {
	for want, query := range map[string]any{
		"by=place&limit=200&skill=sql": api.SkillsUnmetQuery{Skill: "sql", By: api.ByPlace, Window: 12, Limit: 5000,
			After: &api.SkillsUnmetPosition{Rank: 1}},
		"limit=500&subject_area=Health": api.CourseDemandQuery{Country: "GB", SubjectArea: "Health", Limit: 500},
		"q=care&soc=6135":               api.JobsQuery{Search: "care", SOC: "6135"},
		"":                              api.SourcesQuery{At: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)},
		"a=b": struct {
			A     string
			Other string `parameter:"-"`
		}{"b", "c"},
	} {
		if got := parametersOf(query).Encode(); got != want {
			t.Errorf("the parameters are %q, want %q", got, want)
		}
	}
}
