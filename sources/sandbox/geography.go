package sandbox

import (
	"encoding/json"
	"fmt"

	"labour/sources/publishers"
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

// outline is the made-up square of a council around its rough middle, as GeoJSON.
func outline(c council) json.RawMessage {
	h := halfOf(c)
	w, e, s, n := c.lon-h.lon, c.lon+h.lon, c.lat-h.lat, c.lat+h.lat
	return json.RawMessage(fmt.Sprintf(`{"type":"Polygon","coordinates":[[[%.4f,%.4f],[%.4f,%.4f],[%.4f,%.4f],[%.4f,%.4f],[%.4f,%.4f]]]}`,
		w, s, e, s, e, n, w, n, w, s))
}

// row is one record of a table of the portal.
type row = map[string]any

// geography are the tables of the portal under the names that the connector asks
// for by default.
func (w *World) geography() map[string]publishers.ArcGISTable {
	l := w.lists
	names := map[string]string{}
	tables := map[string]publishers.ArcGISTable{}
	add := func(service string, r row) {
		t := tables[service]
		t.Rows = append(t.Rows, r)
		tables[service] = t
	}
	for _, a := range l.areas {
		names[a.code] = a.name
		switch a.kind {
		case "nation":
			add("Countries_December_2025_Boundaries_UK_BUC", row{"CTRY25CD": a.code, "CTRY25NM": a.name, "CTRY25NMW": a.welsh})
		case "travel_to_work_area":
			add("Travel_to_Work_Areas_Dec_2011_GCB_in_United_Kingdom_2022", row{"TTWA11CD": a.code, "TTWA11NM": a.name})
			add("LSOA11_TTWA11_UK_LU_04a063122da94a2c9bc94bcef63866aa", row{"LSOA11CD": a.small, "TTWA11CD": a.code, "TTWA11NM": a.name})
		}
	}
	seen := map[string]bool{}
	for _, c := range l.councils {
		add("LAD_APR_2025_UK_NC_v2", row{"LAD25CD": c.code, "LAD25NM": c.name, "LAD25NMW": c.welsh})
		seen[c.region], seen[c.lsip] = true, true
		if c.region != "" {
			add("LAD25_RGN25_EN_LU_v2", row{"LAD25CD": c.code, "LAD25NM": c.name, "RGN25CD": c.region, "RGN25NM": names[c.region]})
		}
		if c.lsip != "" {
			add("LAD25_LSIP25_EN_LU", row{"LAD25CD": c.code, "LAD25NM": c.name, "LSIP25CD": c.lsip, "LSIP25NM": names[c.lsip]})
		}
		if c.itl3 != "" {
			add("ITL125_ITL225_ITL325_LAU125_LAD24_UK_LU", row{"LAD24CD": c.code, "LAD24NM": c.name, "ITL325CD": c.itl3, "ITL325NM": names[c.itl3],
				"ITL225CD": c.itl3[:4], "ITL225NM": names[c.itl3[:4]], "ITL125CD": c.itl3[:3], "ITL125NM": names[c.itl3[:3]]})
		}
	}
	for _, a := range l.areas { // areas none of whose councils is in the sandbox
		switch {
		case seen[a.code]:
		case a.kind == "region":
			add("LAD25_RGN25_EN_LU_v2", row{"LAD25CD": "", "LAD25NM": "", "RGN25CD": a.code, "RGN25NM": a.name})
		case a.kind == "lsip":
			add("LAD25_LSIP25_EN_LU", row{"LAD25CD": "", "LAD25NM": "", "LSIP25CD": a.code, "LSIP25NM": a.name})
		case a.kind == "itl1" && a.code == "TLM":
			add("ITL125_ITL225_ITL325_LAU125_LAD24_UK_LU", row{"LAD24CD": "", "LAD24NM": "", "ITL325CD": "", "ITL325NM": "", "ITL225CD": "",
				"ITL225NM": "", "ITL125CD": a.code, "ITL125NM": a.name})
		}
	}
	tables["LAD_MAY_2025_UK_BGC_V2"] = w.outlines()
	return tables
}

// outlines is the layer with the squares.
func (w *World) outlines() publishers.ArcGISTable {
	t := publishers.ArcGISTable{ObjectID: "FID"}
	for _, c := range w.lists.councils {
		t.Rows = append(t.Rows, row{"LAD25CD": c.code, "LAD25NM": c.name, "LAD25NMW": c.welsh, "LAT": c.lat, "LONG": c.lon})
		t.Geometry = append(t.Geometry, outline(c))
	}
	return t
}
