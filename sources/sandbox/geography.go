package sandbox

import (
	"encoding/json"
	"fmt"
	"strings"

	"labour/sources/fakepublishers"
)

// half is half the side of a council's square, in degrees.
type half struct{ lat, lon float64 }

// halfOf gives the boroughs squares of about 2 km, which do not overlap, and
// other councils larger ones.
func halfOf(c council) half {
	if c.people > 0 {
		return half{lat: 0.009, lon: 0.013}
	}
	return half{lat: 0.02, lon: 0.03}
}

// square is the made-up square of a council around its rough middle, as GeoJSON.
func square(c council) json.RawMessage {
	h := halfOf(c)
	w, e, s, n := c.lon-h.lon, c.lon+h.lon, c.lat-h.lat, c.lat+h.lat
	return json.RawMessage(fmt.Sprintf(`{"type":"Polygon","coordinates":[[[%.4f,%.4f],[%.4f,%.4f],[%.4f,%.4f],[%.4f,%.4f],[%.4f,%.4f]]]}`,
		w, s, e, s, e, n, w, n, w, s))
}

// row is one record of a table of the portal.
type row = map[string]any

// portal gathers the tables of the portal under the names that the connector
// asks for by default.
type portal struct {
	tables map[string]fakepublishers.ArcGISTable
	names  map[string]string // of areas by code
	seen   map[string]bool   // areas that a council lies in
}

const (
	nations       = "Countries_December_2025_Boundaries_UK_BUC"
	workAreas     = "Travel_to_Work_Areas_Dec_2011_GCB_in_United_Kingdom_2022"
	smallAreas    = "LSOA11_TTWA11_UK_LU_04a063122da94a2c9bc94bcef63866aa"
	councilNames  = "LAD_APR_2025_UK_NC_v2"
	inRegions     = "LAD25_RGN25_EN_LU_v2"
	inSkillsAreas = "LAD25_LSIP25_EN_LU"
	inLevels      = "ITL125_ITL225_ITL325_LAU125_LAD24_UK_LU"
	councilShapes = "LAD_MAY_2025_UK_BGC_V2"
	councilCodes  = "LAD22_LAD23_UK_LU"
	wardPoints    = "WD_MAY_2025_UK_BGC_V2"
)

// mergedCouncil is a council that was made of seven districts in 2023.
const mergedCouncil = "E06000065"

var mergedDistricts = []string{"E07000163", "E07000164", "E07000165", "E07000166", "E07000167", "E07000168", "E07000169"}

func (p *portal) add(service string, r row) {
	t := p.tables[service]
	t.Rows = append(t.Rows, r)
	p.tables[service] = t
}

func (w *World) geography() map[string]fakepublishers.ArcGISTable {
	p := &portal{tables: map[string]fakepublishers.ArcGISTable{}, names: map[string]string{}, seen: map[string]bool{}}
	for _, a := range w.lists.areas {
		p.names[a.code] = a.name
		switch a.kind {
		case "nation":
			p.add(nations, row{"CTRY25CD": a.code, "CTRY25NM": a.name, "CTRY25NMW": a.welsh})
		case "travel_to_work_area":
			p.add(workAreas, row{"TTWA11CD": a.code, "TTWA11NM": a.name})
			p.add(smallAreas, row{"LSOA11CD": a.small, "TTWA11CD": a.code, "TTWA11NM": a.name})
		}
	}
	for _, c := range w.lists.councils {
		p.council(c)
	}
	for _, a := range w.lists.areas {
		p.empty(a)
	}
	p.tables[councilShapes] = w.outlines()
	for _, code := range mergedDistricts {
		p.add(councilCodes, row{"LAD22CD": code, "LAD23CD": mergedCouncil})
	}
	w.wards(p)
	return p.tables
}

// council adds a council and what it lies in. Scottish levels are built of other
// areas than councils, so those of Scotland are left out, as in the real table.
func (p *portal) council(c council) {
	p.add(councilNames, row{"LAD25CD": c.code, "LAD25NM": c.name, "LAD25NMW": c.welsh})
	p.seen[c.region], p.seen[c.lsip] = true, true
	if c.region != "" {
		p.add(inRegions, row{"LAD25CD": c.code, "LAD25NM": c.name, "RGN25CD": c.region, "RGN25NM": p.names[c.region]})
	}
	if c.lsip != "" {
		p.add(inSkillsAreas, row{"LAD25CD": c.code, "LAD25NM": c.name, "LSIP25CD": c.lsip, "LSIP25NM": p.names[c.lsip]})
	}
	if c.itl3 != "" {
		itl2, itl1 := c.itl3[:4], c.itl3[:3]
		p.seen[itl1] = true
		p.add(inLevels, row{"LAD24CD": c.code, "LAD24NM": c.name, "ITL325CD": c.itl3, "ITL325NM": p.names[c.itl3],
			"ITL225CD": itl2, "ITL225NM": p.names[itl2], "ITL125CD": itl1, "ITL125NM": p.names[itl1]})
	}
}

// empty adds an area none of whose councils is in the sandbox.
func (p *portal) empty(a area) {
	switch {
	case p.seen[a.code]:
	case a.kind == "region":
		p.add(inRegions, row{"LAD25CD": "", "LAD25NM": "", "RGN25CD": a.code, "RGN25NM": a.name})
	case a.kind == "lsip":
		p.add(inSkillsAreas, row{"LAD25CD": "", "LAD25NM": "", "LSIP25CD": a.code, "LSIP25NM": a.name})
	case a.kind == "itl1":
		p.add(inLevels, row{"LAD24CD": "", "LAD24NM": "", "ITL325CD": "", "ITL325NM": "", "ITL225CD": "", "ITL225NM": "",
			"ITL125CD": a.code, "ITL125NM": a.name})
	}
}

// outlines is the layer with the outlines: winding borders for the boroughs, squares
// for the other councils.
func (w *World) outlines() fakepublishers.ArcGISTable {
	t := fakepublishers.ArcGISTable{ObjectID: "FID"}
	for _, c := range w.lists.councils {
		t.Rows = append(t.Rows, row{"LAD25CD": c.code, "LAD25NM": c.name, "LAD25NMW": c.welsh, "LAT": c.lat, "LONG": c.lon})
		shape := square(c)
		if ring, ok := w.lists.outlines[c.code]; ok {
			shape = json.RawMessage(`{"type":"Polygon","coordinates":[[[` + strings.ReplaceAll(ring, " ", "],[") + `]]]}`)
		}
		t.Geometry = append(t.Geometry, shape)
	}
	return t
}

// wards adds five made-up wards for each borough: one in its middle and one towards
// each side of its square.
func (w *World) wards(p *portal) {
	code := 990_000
	for i := range w.lists.boroughs {
		b := w.borough(i)
		h := halfOf(b)
		for _, at := range []struct {
			name     string
			lat, lon float64
		}{{"Central", 0, 0}, {"North", h.lat / 2, 0}, {"East", 0, h.lon / 2}, {"South", -h.lat / 2, 0}, {"West", 0, -h.lon / 2}} {
			code++
			p.add(wardPoints, row{"WD25CD": fmt.Sprintf("E05%06d", code), "WD25NM": b.name + " " + at.name, "WD25NMW": "",
				"LAD25CD": b.code, "LAD25NM": b.name, "LAT": b.lat + at.lat, "LONG": b.lon + at.lon})
		}
	}
}
