package query

import (
	"testing"

	"labour/serve/api"
	"labour/snapshots"
)

func TestCombinationOf(t *testing.T) {
	type query = api.SkillsUnmetQuery
	for name, c := range map[string]struct {
		q    query
		want combination
	}{
		"no filter":          {query{Window: 3}, combination{Signature: snapshots.Unfiltered}},
		"skill is no filter": {query{Window: 6, Skill: "welding"}, combination{Signature: snapshots.Unfiltered}},
		"place": {query{Window: 24, Place: "camden"},
			combination{Signature: snapshots.FilteredByPlace, Place: "camden"}},
		"by place": {query{Window: 24, By: api.ByPlace}, combination{Signature: snapshots.FilteredByPlace}},
		"place by place": {query{Window: 6, Place: "camden", By: api.ByPlace},
			combination{Signature: snapshots.FilteredByPlace}},
		"sector": {query{Window: 3, Sector: "care"},
			combination{Signature: snapshots.FilteredBySector, Value: "care"}},
		"level": {query{Window: 3, Level: 2},
			combination{Signature: snapshots.FilteredByLevel, Value: "2"}},
		"source": {query{Window: 3, Source: "platform"},
			combination{Signature: snapshots.FilteredBySource, Value: "platform"}},
		"unit group": {query{Window: 3, SOC: "2136"},
			combination{Signature: snapshots.FilteredBySOC, Value: "2136"}},
		"soc prefix": {query{Window: 3, SOC: "213"},
			combination{Signature: snapshots.FilteredBySOC, Value: "213"}},
		"soc prefix by soc": {query{Window: 3, SOC: "21", By: api.BySOC},
			combination{Signature: snapshots.FilteredBySOC}},
		"two without place": {query{Window: 12, Sector: "care", Level: 2}, combination{}},
		"two with by":       {query{Window: 12, Sector: "care", By: api.ByLevel}, combination{}},
		"place and sector": {query{Window: 12, Place: "camden", Sector: "care"},
			combination{Signature: snapshots.FilteredByPlaceAndSector, Place: "camden", Value: "care"}},
		"sector by place": {query{Window: 24, Sector: "care", By: api.ByPlace},
			combination{Signature: snapshots.FilteredByPlaceAndSector, Value: "care"}},
		"place by sector": {query{Window: 24, Place: "camden", By: api.BySector},
			combination{Signature: snapshots.FilteredByPlaceAndSector, Place: "camden"}},
		"place and source, short": {query{Window: 6, Place: "camden", Source: "platform"},
			combination{Signature: snapshots.FilteredByPlaceAndSource, Place: "camden", Value: "platform"}},
		"place and two":             {query{Window: 12, Place: "camden", Sector: "care", Level: 1}, combination{}},
		"months":                    {query{Window: 6, By: api.ByMonth}, combination{}},
		"months of a sector":        {query{Window: 12, Sector: "care", By: api.ByMonth}, combination{}},
		"months of a place":         {query{Window: 12, Place: "camden", By: api.ByMonth}, combination{}},
		"months of a place, longer": {query{Window: 24, Place: "camden", By: api.ByMonth}, combination{}},
		"level by level": {query{Window: 3, Level: 4, By: api.ByLevel},
			combination{Signature: snapshots.FilteredByLevel}},
	} {
		if got := combinationOf(c.q); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
