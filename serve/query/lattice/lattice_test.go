package lattice

import (
	"testing"

	"labour/serve/api"
	"labour/snapshots"
)

func TestCellOf(t *testing.T) {
	type query = api.SkillsUnmetQuery
	for name, c := range map[string]struct {
		q    query
		want Cell
	}{
		"no filter":                 {query{Window: 3}, Cell{Signature: snapshots.SigNone, Window: 3}},
		"skill is no filter":        {query{Window: 6, Skill: "welding"}, Cell{Signature: snapshots.SigNone, Window: 6}},
		"place":                     {query{Window: 24, Place: "camden"}, Cell{Signature: snapshots.SigPlace, Place: "camden", Window: 24}},
		"by place":                  {query{Window: 24, By: api.ByPlace}, Cell{Signature: snapshots.SigPlace, Window: 24}},
		"place by place":            {query{Window: 6, Place: "camden", By: api.ByPlace}, Cell{Signature: snapshots.SigPlace, Window: 6}},
		"sector":                    {query{Window: 3, Sector: "care"}, Cell{Signature: snapshots.SigSector, Value: "care", Window: 3}},
		"level":                     {query{Window: 3, Level: 2}, Cell{Signature: snapshots.SigLevel, Value: "2", Window: 3}},
		"source":                    {query{Window: 3, Source: "platform"}, Cell{Signature: snapshots.SigSource, Value: "platform", Window: 3}},
		"unit group":                {query{Window: 3, SOC: "2136"}, Cell{Signature: snapshots.SigSOC, Value: "2136", Window: 3}},
		"soc prefix":                {query{Window: 3, SOC: "213"}, Cell{Signature: snapshots.SigSOC, Value: "213", Window: 3}},
		"soc prefix by soc":         {query{Window: 3, SOC: "21", By: api.BySOC}, Cell{Signature: snapshots.SigSOC, Window: 3}},
		"two without place":         {query{Window: 12, Sector: "care", Level: 2}, Cell{}},
		"two with by":               {query{Window: 12, Sector: "care", By: api.ByLevel}, Cell{}},
		"place and sector":          {query{Window: 12, Place: "camden", Sector: "care"}, Cell{Signature: snapshots.SigPlaceSector, Place: "camden", Value: "care", Window: 12}},
		"sector by place":           {query{Window: 24, Sector: "care", By: api.ByPlace}, Cell{Signature: snapshots.SigPlaceSector, Value: "care", Window: 24}},
		"place by sector":           {query{Window: 24, Place: "camden", By: api.BySector}, Cell{Signature: snapshots.SigPlaceSector, Place: "camden", Window: 24}},
		"place and source, short":   {query{Window: 6, Place: "camden", Source: "platform"}, Cell{Signature: snapshots.SigPlaceSource, Place: "camden", Value: "platform", Window: 6}},
		"place and two":             {query{Window: 12, Place: "camden", Sector: "care", Level: 1}, Cell{}},
		"months":                    {query{Window: 6, By: api.ByMonth}, Cell{Signature: snapshots.SigMonth, Window: 1}},
		"months of a sector":        {query{Window: 12, Sector: "care", By: api.ByMonth}, Cell{}},
		"months of a place":         {query{Window: 12, Place: "camden", By: api.ByMonth}, Cell{}},
		"months of a place, longer": {query{Window: 24, Place: "camden", By: api.ByMonth}, Cell{}},
		"level by level":            {query{Window: 3, Level: 4, By: api.ByLevel}, Cell{Signature: snapshots.SigLevel, Window: 3}},
	} {
		if got := Of(c.q); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
