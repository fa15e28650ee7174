package onsgeography

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/sources"
	"labour/sources/fakepublishers"
)

// swapped is square with the latitude before the longitude, which is in the Indian Ocean.
const swapped = `{"type":"Polygon","coordinates":[[[51.5,-0.2],[51.5,-0.1],[51.6,-0.1],[51.6,-0.2],[51.5,-0.2]]]}`

// outlines is a table of n councils, the first of them in the wrong place.
func outlines(n int, first string) fakepublishers.ArcGISTable {
	var t fakepublishers.ArcGISTable
	for i := range n {
		t.Rows = append(t.Rows, row{"LAD25CD": fmt.Sprintf("E090000%02d", i+1), "LAD25NM": "x"})
		t.Geometry = append(t.Geometry, json.RawMessage(square))
	}
	t.Geometry[0] = json.RawMessage(first)
	return t
}

// TestATableThatCannotBeReadIsNotUsed: the last good one stays, and the fault names the cause. Of outlines and
// object ids, 5 per cent may be faulty. Any number of codes may be, but not all.
func TestATableThatCannotBeReadIsNotUsed(t *testing.T) {
	services := []Service{{ServiceName: "LAD_LSIP", AreaKinds: []string{KindLSIP}},
		{ServiceName: "TTWA", AreaKinds: []string{KindTravelToWorkArea}}, {ServiceName: "EDGES", BoundaryKind: KindCouncil}}
	good := func() map[string]fakepublishers.ArcGISTable {
		tables := sampleTables()
		tables["EDGES"] = outlines(20, square)
		return tables
	}
	set := func(rows []row, field string) {
		for _, r := range rows {
			r[field] = nil
		}
	}
	const unread = "rows cannot be read, more than 5 %, the first: "
	for about, c := range map[string]struct {
		change func(tables map[string]fakepublishers.ArcGISTable)
		object string
		says   string // beginning of the fault
	}{
		"outlines without object ids": {func(tables map[string]fakepublishers.ArcGISTable) {
			set(tables["EDGES"].Rows, "ObjectId")
		}, "EDGES", "EDGES: 20 of 20 " + unread + "a record has no object id ObjectId; look at what the portal changed"},
		"areas without object ids": {func(tables map[string]fakepublishers.ArcGISTable) {
			set(tables["TTWA"].Rows, "ObjectId")
		}, "TTWA", "TTWA: 2 of 2 " + unread + "a record has no object id ObjectId; look at what the portal changed"},
		"areas without names": {func(tables map[string]fakepublishers.ArcGISTable) {
			set(tables["LAD_LSIP"].Rows, "LSIP25NM")
		}, "LAD_LSIP", "LAD_LSIP: none of its 2 records can be used; look at what the portal changed"},
		"outlines elsewhere": {func(tables map[string]fakepublishers.ArcGISTable) {
			for i := range tables["EDGES"].Geometry {
				tables["EDGES"].Geometry[i] = json.RawMessage(swapped)
			}
		}, "EDGES", "EDGES: 20 of 20 " + unread + "the outline is empty or not around the United Kingdom"},
		"one outline of 19 elsewhere": {func(tables map[string]fakepublishers.ArcGISTable) {
			tables["EDGES"] = outlines(19, swapped)
		}, "EDGES", "EDGES: 1 of 19 " + unread + "the outline is empty or not around the United Kingdom"},
	} {
		served := fakepublishers.NewArcGIS(good())
		publisher := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { served.ServeHTTP(w, r) })
		_, run := portal(t, publisher, services)
		want, _ := run()
		tables := good()
		c.change(tables)
		served = fakepublishers.NewArcGIS(tables)
		got, faults := run()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: records (- want, + got):\n%s", about, diff)
		}
		if len(faults) != 1 || faults[0].Object != c.object || faults[0].Code != sources.FaultSchema ||
			!strings.HasPrefix(faults[0].Detail, c.says) || !strings.HasSuffix(faults[0].Detail, " is used instead") {
			t.Errorf("%s: faults %+v, want %q", about, faults, c.says)
		}
	}
}

// TestATableWithFewFaultyOutlinesIsUsed without them.
func TestATableWithFewFaultyOutlinesIsUsed(t *testing.T) {
	tables := map[string]fakepublishers.ArcGISTable{"EDGES": outlines(20, swapped)}
	_, run := portal(t, fakepublishers.NewArcGIS(tables), []Service{{ServiceName: "EDGES", BoundaryKind: KindCouncil}})
	records, faults := run()
	if len(records) != 19 || len(faults) != 1 || faults[0].Code != sources.FaultBadValue {
		t.Errorf("%d records, faults %+v", len(records), faults)
	}
}
