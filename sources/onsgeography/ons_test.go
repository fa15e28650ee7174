package onsgeography

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/sources"
	"labour/sources/fakepublishers"
	"labour/sources/fetching"
	"labour/sources/sourcetest"
)

type row = map[string]any

const square = `{"type":"Polygon","coordinates":[[[-0.2,51.5],[-0.1,51.5],[-0.1,51.6],[-0.2,51.6],[-0.2,51.5]]]}`

// sampleTables is a small portal with the quirks of the real one: padded names,
// an older layer in lower case, other names of the object id, codes that are not
// official, and tables that take several pages.
func sampleTables() map[string]fakepublishers.ArcGISTable {
	return map[string]fakepublishers.ArcGISTable{
		"CTRY": {ObjectIDField: "FID", Rows: []row{
			{"CTRY25CD": "E92000001", "CTRY25NM": "England", "CTRY25NMW": "Lloegr"},
			{"CTRY25CD": "W92000004", "CTRY25NM": "Wales", "CTRY25NMW": "Cymru"},
			{"CTRY25CD": "K02000001", "CTRY25NM": "United Kingdom", "CTRY25NMW": ""}}},
		"LAD_RGN": {MaxRecordCount: 2, ObjectIDField: "OBJECTID", Rows: []row{
			{"lad19cd": "E09000007", "lad19nm": "Camden ", "rgn19cd": "E12000007", "rgn19nm": "London"},
			{"lad19cd": "E09000019", "lad19nm": "Islington", "rgn19cd": "E12000007", "rgn19nm": "London"},
			{"lad19cd": "E06000061 / E06000062", "lad19nm": "Northamptonshire", "rgn19cd": "E12000004",
				"rgn19nm": "East Midlands"},
			{"lad19cd": "W06000015", "lad19nm": "Cardiff", "rgn19cd": nil, "rgn19nm": nil},
			{"lad19cd": "L99999999", "lad19nm": "Channel Islands", "rgn19cd": "L99999999", "rgn19nm": "Channel Islands"}}},
		"LAD_LSIP": {Rows: []row{
			{"LAD25CD": "E07000061", "LAD25NM": "Eastbourne", "LSIP25CD": "E69000001", "LSIP25NM": "Sussex  and Brighton "},
			{"LAD25CD": "E09000007", "LAD25NM": "Camden", "LSIP25CD": "E69000039", "LSIP25NM": "Central London Forward"}}},
		"TTWA": {Rows: []row{{"TTWA11CD": "E30000234", "TTWA11NM": "London"},
			{"TTWA11CD": "K01000009", "TTWA11NM": "Chester"}}},
		"SMALL": {MaxRecordCount: 3, Rows: []row{
			{"LSOA11CD": "E01000001", "LSOA11NM": "a", "TTWA11CD": "E30000234", "TTWA11NM": "London"},
			{"LSOA11CD": "95DD04W1", "LSOA11NM": "b", "TTWA11CD": "N12000001", "TTWA11NM": "Ballymena"},
			{"LSOA11CD": "S01006506", "LSOA11NM": "c", "TTWA11CD": "S22000047", "TTWA11NM": "Aberdeen"},
			{"LSOA11CD": "W01000001", "LSOA11NM": "d", "TTWA11CD": "K01000009", "TTWA11NM": "Chester"}}},
		"ITL": {MaxRecordCount: 2, Rows: []row{
			itl("TLI", "London", "TLI3", "Inner London - West", "TLI36", "Camden", "E09000007"),
			itl("TLI", "London", "TLI3", "Inner London - West", "TLI37", "Westminster", "E09000033"),
			itl("TLL", "Wales", "TLL5", "South East Wales", "TLL52", "Cardiff", "W06000015")}},
		"EDGES": {MaxRecordCount: 1, Rows: []row{
			{"LAD25CD": "E09000007", "LAD25NM": "Camden"}, {"LAD25CD": "E09000019", "LAD25NM": "Islington"}},
			Geometry: []json.RawMessage{json.RawMessage(square), json.RawMessage(square)}},
	}
}

func itl(c1, n1, c2, n2, c3, n3, lad string) row {
	return row{"ITL125CD": c1, "ITL125NM": n1, "ITL225CD": c2, "ITL225NM": n2, "ITL325CD": c3, "ITL325NM": n3,
		"LAU125CD": lad, "LAU125NM": n3, "LAD24CD": lad, "LAD24NM": n3}
}

func sampleServices() []Service {
	return []Service{
		{ServiceName: "CTRY", AreaKinds: []string{KindNation}},
		{ServiceName: "LAD_RGN", AreaKinds: []string{KindCouncil, KindRegion}, PageSize: 10},
		{ServiceName: "LAD_LSIP", AreaKinds: []string{KindLSIP}},
		{ServiceName: "TTWA", AreaKinds: []string{KindTravelToWorkArea}},
		{ServiceName: "SMALL", AreaKinds: []string{KindTravelToWorkArea}, PageSize: 2},
		{ServiceName: "ITL", AreaKinds: []string{KindITL1, KindITL2, KindITL3}, PageSize: 2},
		{ServiceName: "EDGES", BoundaryKind: KindCouncil, PageSize: 1},
	}
}

func newSource(t testing.TB, base string, services []Service) *Source {
	t.Helper()
	s, err := New(Config{BaseURL: base, Services: services})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSuite puts the connector through everything that a publisher and an archive
// can do to it.
func TestSuite(t *testing.T) {
	sourcetest.Run(t, sourcetest.Case{
		// A few services are enough here; TestSample reads them all.
		NewSource: func(base string) sources.Source {
			return newSource(t, base+"/arcgis/rest/services", sampleServices()[4:])
		},
		Publisher: fakepublishers.NewArcGIS(sampleTables()),
		WantTerms: sources.Terms{MayFetch: true, MayCount: true, MayRepublish: true, MaySummarise: true},
		CheckRecords: func(t *testing.T, records []sources.Record) {
			if len(records) != 13 {
				t.Errorf("%d records, want 4 travel to work areas, 7 ITL areas and 2 boundaries", len(records))
			}
		},
	})
}

// portal runs the connector against a simulated portal, fetching and reading.
func portal(t testing.TB, a http.Handler, services []Service) (*Source, func() ([]sources.Record, []sources.Fault)) {
	t.Helper()
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	store := sourcetest.OpenArchive(t)
	s := newSource(t, server.URL, services)
	return s, func() ([]sources.Record, []sources.Fault) {
		x, faults, err := fetching.FetchSource(context.Background(), s, fetching.Options{Archive: store,
			UserAgent: "test (data@works.example)",
			Now:       func() time.Time { return time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC) }, MaxAttempts: 1})
		if err != nil {
			t.Fatal(err)
		}
		records, more, err := sourcetest.ReadExtract(s, x, store)
		if err != nil {
			t.Fatal(err)
		}
		return records, append(faults, more...)
	}
}

func TestSample(t *testing.T) {
	_, run := portal(t, fakepublishers.NewArcGIS(sampleTables()), sampleServices())
	records, faults := run()
	wantSample(t, records)
	// The United Kingdom is no nation; the joint code and the pseudo code are
	// refused as council, and the pseudo code as region.
	if len(faults) != 4 {
		t.Errorf("%d faults, want 4: %+v", len(faults), faults)
	}
	for _, f := range faults {
		if f.Code != sources.FaultBadValue || !strings.HasPrefix(f.Detail, `"`) {
			t.Errorf("%+v", f)
		}
	}
}

// TestServiceWithError checks that an error with HTTP 200 is not taken for data:
// everything that the service said last stands in, all its pages together.
func TestServiceWithError(t *testing.T) {
	var served http.Handler = fakepublishers.NewArcGIS(sampleTables())
	_, run := portal(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { served.ServeHTTP(w, r) }),
		sampleServices())
	want, before := run()
	others := sampleTables()
	delete(others, "SMALL")
	served = fakepublishers.NewArcGIS(others)
	got, faults := run()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (- want, + got):\n%s", diff)
	}
	named := 0
	for _, f := range faults {
		if f.Object == "SMALL" && f.Code == sources.FaultUnavailable && strings.Contains(f.Detail, "Invalid URL") {
			named++
		}
	}
	if named != 1 || len(faults) != len(before)+1 {
		t.Errorf("%d of %d faults name the service", named, len(faults))
	}
}

// TestLostRecords gives two records twice: the service is not whole, and what it said before stands.
func TestLostRecords(t *testing.T) {
	tables := sampleTables()
	var served http.Handler = fakepublishers.NewArcGIS(tables)
	_, run := portal(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { served.ServeHTTP(w, r) }),
		sampleServices()[3:5])
	want, _ := run()
	lost := sampleTables()
	for i := range lost["SMALL"].Rows {
		lost["SMALL"].Rows[i]["ObjectId"] = 1 + i/2 // two by two the same record
	}
	served = fakepublishers.NewArcGIS(lost)
	got, faults := run()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (- want, + got):\n%s", diff)
	}
	if len(faults) != 1 || faults[0].Code != sources.FaultIncomplete ||
		!strings.Contains(faults[0].Detail, "announces 4 rows, 4 were received, 2 of them distinct") {
		t.Errorf("faults %+v", faults)
	}
}

// TestSilentCap pages on by the number of records where a server caps a page and does not say so.
func TestSilentCap(t *testing.T) {
	plain := fakepublishers.NewArcGIS(sampleTables())
	capped := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		whole := httptest.NewRecorder()
		plain.ServeHTTP(whole, r)
		io.WriteString(w, strings.NewReplacer(`"exceededTransferLimit":true`,
			`"exceededTransferLimit":false`).Replace(whole.Body.String()))
	})
	_, run := portal(t, plain, sampleServices())
	want, _ := run()
	_, run = portal(t, capped, sampleServices())
	got, faults := run()
	if diff := cmp.Diff(want, got); diff != "" || len(faults) != 4 { // as TestSample has
		t.Errorf("faults %+v, records (- want, + got):\n%s", faults, diff)
	}
}

// TestMissingColumn refuses a service whose columns are others.
func TestMissingColumn(t *testing.T) {
	_, run := portal(t, fakepublishers.NewArcGIS(sampleTables()),
		[]Service{{ServiceName: "CTRY", AreaKinds: []string{KindNation}},
			{ServiceName: "TTWA", AreaKinds: []string{KindCouncil}}})
	records, faults := run()
	if len(records) != 2 || len(faults) != 2 || faults[0].Code != sources.FaultColumnMissing ||
		!strings.Contains(faults[0].Detail, "LAD25CD") {
		t.Errorf("%d records, faults %+v", len(records), faults)
	}
}

func wantSample(t *testing.T, records []sources.Record) {
	t.Helper()
	var got []string
	for _, r := range records {
		switch r := r.(type) {
		case sources.Area:
			got = append(got, fmt.Sprintf("%s %s %q %q %s %s %s", r.Kind, r.Code, r.Name, r.NameWelsh, r.NationCode, r.Edition,
				r.Slug))
		case sources.Boundary:
			got = append(got, fmt.Sprintf("boundary %s %d", r.Code, len(r.GeoJSON)))
		}
	}
	want := []string{
		`nation E92000001 "England" "Lloegr" E92000001 2025 `, `nation W92000004 "Wales" "Cymru" W92000004 2025 `,
		`council E09000007 "Camden" "" E92000001 2019 `, `region E12000007 "London" "" E92000001 2019 `,
		`council E09000019 "Islington" "" E92000001 2019 `,
		`region E12000004 "East Midlands" "" E92000001 2019 `,
		`council W06000015 "Cardiff" "" W92000004 2019 `,
		`lsip E69000001 "Sussex and Brighton" "" E92000001 2025 sussex-and-brighton`,
		`lsip E69000039 "Central London Forward" "" E92000001 2025 central-london-forward`,
		`travel_to_work_area E30000234 "London" "" E92000001 2011 `, `travel_to_work_area K01000009 "Chester" ""  2011 `,
		`travel_to_work_area N12000001 "Ballymena" "" N92000002 2011 `,
		`travel_to_work_area S22000047 "Aberdeen" "" S92000003 2011 `,
		`itl1 TLI "London" "" E92000001 2025 `, `itl2 TLI3 "Inner London - West" "" E92000001 2025 `,
		`itl3 TLI36 "Camden" "" E92000001 2025 `,
		`itl3 TLI37 "Westminster" "" E92000001 2025 `,
		`itl1 TLL "Wales" "" W92000004 2025 `, `itl2 TLL5 "South East Wales" "" W92000004 2025 `,
		`itl3 TLL52 "Cardiff" "" W92000004 2025 `,
	}
	want = append(want, fmt.Sprintf("boundary E09000007 %d", len(square)),
		fmt.Sprintf("boundary E09000019 %d", len(square)))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (- want, + got):\n%s", diff)
	}
}

func TestConfig(t *testing.T) {
	s := newSource(t, "", nil)
	if s.cfg.BaseURL != DefaultBaseURL || len(s.cfg.Services) != len(DefaultServices()) {
		t.Errorf("defaults: %+v", s.cfg)
	}
	var kindsListed []string
	for _, v := range s.cfg.Services {
		kindsListed = append(kindsListed, v.AreaKinds...)
	}
	for _, k := range []string{KindNation, KindRegion, KindCouncil, KindTravelToWorkArea, KindLSIP, KindITL1, KindITL2,
		KindITL3} {
		if !slices.Contains(kindsListed, k) {
			t.Errorf("no default service lists %s", k)
		}
	}
	for name, v := range map[string]Service{
		"nothing taken": {ServiceName: "A"}, "no name": {AreaKinds: []string{KindNation}}, "path": {ServiceName: "../A",
			AreaKinds: []string{KindNation}},
		"unknown kind": {ServiceName: "A", AreaKinds: []string{"county"}},
		"page":         {ServiceName: "A", AreaKinds: []string{KindNation}, PageSize: -1},
		"layer":        {ServiceName: "A", AreaKinds: []string{KindNation}, Layer: -1},
	} {
		if _, err := New(Config{Services: []Service{v}}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := New(Config{Services: []Service{{ServiceName: "A", AreaKinds: []string{KindNation}}, {ServiceName: "A",
		BoundaryKind: KindCouncil}}}); err == nil {
		t.Error("a service twice: no error")
	}
}
