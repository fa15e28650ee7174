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
		"no filter":          {query{Window: 3}, combination{Signature: snapshots.SignatureNone}},
		"skill is no filter": {query{Window: 6, Skill: "welding"}, combination{Signature: snapshots.SignatureNone}},
		"place": {query{Window: 24, Place: "camden"},
			combination{Signature: snapshots.SignaturePlace, Place: "camden"}},
		"by place": {query{Window: 24, By: api.ByPlace}, combination{Signature: snapshots.SignaturePlace}},
		"place by place": {query{Window: 6, Place: "camden", By: api.ByPlace},
			combination{Signature: snapshots.SignaturePlace}},
		"sector": {query{Window: 3, Sector: "care"},
			combination{Signature: snapshots.SignatureSector, Value: "care"}},
		"level": {query{Window: 3, Level: 2},
			combination{Signature: snapshots.SignatureLevel, Value: "2"}},
		"source": {query{Window: 3, Source: "platform"},
			combination{Signature: snapshots.SignatureSource, Value: "platform"}},
		"unit group": {query{Window: 3, SOC: "2136"},
			combination{Signature: snapshots.SignatureSOC, Value: "2136"}},
		"soc prefix": {query{Window: 3, SOC: "213"},
			combination{Signature: snapshots.SignatureSOC, Value: "213"}},
		"soc prefix by soc": {query{Window: 3, SOC: "21", By: api.BySOC},
			combination{Signature: snapshots.SignatureSOC}},
		"two without place": {query{Window: 12, Sector: "care", Level: 2}, combination{}},
		"two with by":       {query{Window: 12, Sector: "care", By: api.ByLevel}, combination{}},
		"place and sector": {query{Window: 12, Place: "camden", Sector: "care"},
			combination{Signature: snapshots.SignaturePlaceSector, Place: "camden", Value: "care"}},
		"sector by place": {query{Window: 24, Sector: "care", By: api.ByPlace},
			combination{Signature: snapshots.SignaturePlaceSector, Value: "care"}},
		"place by sector": {query{Window: 24, Place: "camden", By: api.BySector},
			combination{Signature: snapshots.SignaturePlaceSector, Place: "camden"}},
		"place and source, short": {query{Window: 6, Place: "camden", Source: "platform"},
			combination{Signature: snapshots.SignaturePlaceSource, Place: "camden", Value: "platform"}},
		"place and two":             {query{Window: 12, Place: "camden", Sector: "care", Level: 1}, combination{}},
		"months":                    {query{Window: 6, By: api.ByMonth}, combination{}},
		"months of a sector":        {query{Window: 12, Sector: "care", By: api.ByMonth}, combination{}},
		"months of a place":         {query{Window: 12, Place: "camden", By: api.ByMonth}, combination{}},
		"months of a place, longer": {query{Window: 24, Place: "camden", By: api.ByMonth}, combination{}},
		"level by level": {query{Window: 3, Level: 4, By: api.ByLevel},
			combination{Signature: snapshots.SignatureLevel}},
	} {
		if got := combinationOf(c.q); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
