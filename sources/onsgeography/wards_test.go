package onsgeography

import (
	"testing"

	"labour/sources"
	"labour/sources/fakepublishers"
	"labour/sources/sourcetest"
)

// wardTable is a layer of wards as the portal has it, with the object ids and the national
// grid, which are not read. It has one ward twice.
func wardTable() fakepublishers.ArcGISTable {
	ward := func(code, name, council string, lat, long any) row {
		return row{"WD25CD": code, "WD25NM": name, "WD25NMW": "", "LAD25CD": council, "LAD25NM": "x", "BNG_E": 530000,
			"BNG_N": 180000,
			"LAT":   lat, "LONG": long, "GlobalID": "0"}
	}
	return fakepublishers.ArcGISTable{ObjectIDField: "FID", MaxRecordCount: 2, Rows: []row{
		ward("E05000128", "Belsize ", "E09000007", 51.5493, -0.1652), ward("W05001282", "Trowbridge", "W06000015",
			51.516, -3.115),
		ward("E05000129", "Nowhere", "E09000007", 530000.0, 180000.0), ward("E05000130", "No middle", "E09000007", nil,
			-0.1),
		ward("E99000001", "No ward", "E09000007", 51.5, -0.1), ward("E05000131", "No council", "L99999999", 51.5, -0.1),
		ward("S13002842", "Dyce", "S12000033", 57.2, -2.19), ward("E05000128", "Belsize", "E09000007", 51.5493, -0.1652)}}
}

func TestWards(t *testing.T) {
	sourcetest.Run(t, sourcetest.Case{
		NewSource: func(base string) sources.Source {
			s, err := New(Config{BaseURL: base, Services: sampleServices()[:1], WardService: "WD_MAY_2025_UK_BGC_V2"})
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
		Publisher: fakepublishers.NewArcGIS(map[string]fakepublishers.ArcGISTable{"CTRY": sampleTables()["CTRY"],
			"WD_MAY_2025_UK_BGC_V2": wardTable()}),
		WantTerms: sources.Terms{MayFetch: true, MayCount: true, MayRepublish: true, MaySummarise: true},
		// One country that is none, and four wards that cannot be used.
		WantFaults: []sources.FaultCode{sources.FaultBadValue, sources.FaultBadValue, sources.FaultBadValue,
			sources.FaultBadValue,
			sources.FaultBadValue},
		CheckRecords: func(t *testing.T, records []sources.Record) {
			var wards []sources.Ward
			for _, r := range records {
				if w, ok := r.(sources.Ward); ok {
					wards = append(wards, w)
				}
			}
			if len(wards) != 3 ||
				wards[0] != (sources.Ward{Source: Key, Code: "E05000128", Name: "Belsize", Council: "E09000007",
					Latitude: 51.5493, Longitude: -0.1652, Edition: "2025"}) ||
				wards[2].Council != "S12000033" {
				t.Errorf("%+v", wards)
			}
		},
	})
}

func TestWardsWithoutAMiddleAreRefused(t *testing.T) {
	table := wardTable()
	for _, r := range table.Rows {
		delete(r, "LAT")
		delete(r, "WD25NM")
	}
	head := answer{ObjectID: "FID"}
	for name := range table.Rows[0] {
		head.Fields = append(head.Fields, struct {
			Name string `json:"name"`
		}{name})
	}
	if _, err := (Service{ServiceName: "W",
		CentreKind: KindWard}).layout(head); sources.FaultCodeOf(err) != sources.FaultColumnMissing {
		t.Errorf("%v", err)
	}
	if _, err := New(Config{Services: []Service{{ServiceName: "W", CentreKind: KindCouncil}}}); err == nil {
		t.Error("middles of councils were accepted")
	}
}
