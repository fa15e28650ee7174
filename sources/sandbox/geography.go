package sandbox

import (
	"encoding/json"
	"path"
	"strconv"
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

// portalTables reads the tables of the portal, which are files named as its services: the
// first line has the fields, and a geometry is the points of an outline.
func (l *lists) portalTables() map[string]fakepublishers.ArcGISTable {
	tables := map[string]fakepublishers.ArcGISTable{}
	files, err := embedded.ReadDir("geography")
	l.errs = append(l.errs, err)
	for _, file := range files {
		var fields []string
		var t fakepublishers.ArcGISTable
		l.each("geography/"+file.Name(), 0, func(cells []string) {
			if fields == nil {
				fields = cells
				return
			}
			row := map[string]any{}
			for i, cell := range cells {
				switch number, err := strconv.ParseFloat(cell, 64); {
				case fields[i] == "geometry":
					t.ObjectID = "FID"
					t.Geometry = append(t.Geometry, json.RawMessage(`{"type":"Polygon","coordinates":[[[`+strings.ReplaceAll(cell, " ", "],[")+`]]]}`))
				case err == nil:
					row[fields[i]] = number
				default:
					row[fields[i]] = cell
				}
			}
			t.Rows = append(t.Rows, row)
		})
		tables[strings.TrimSuffix(file.Name(), path.Ext(file.Name()))] = t
	}
	return tables
}
