package onsgeography

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"labour/sources"
)

func TestCodes(t *testing.T) {
	for _, c := range []struct{ kind, code, nation string }{
		{KindNation, "E92000001", "E92000001"}, {KindNation, "N92000002", "N92000002"}, {KindNation, "K02000001", "bad"},
		{KindRegion, "E12000007", "E92000001"}, {KindRegion, "W99999999", "bad"}, {KindRegion, "E12999999", "bad"},
		{KindCouncil, "E06000061", "E92000001"}, {KindCouncil, "E07000061", "E92000001"}, {KindCouncil, "E08000038",
			"E92000001"},
		{KindCouncil, "E09000007", "E92000001"}, {KindCouncil, "W06000015", "W92000004"}, {KindCouncil, "S12000033",
			"S92000003"},
		{KindCouncil, "N09000003", "N92000002"}, {KindCouncil, "E10000003", "bad"}, {KindCouncil, "E06000061 / E06000062",
			"bad"},
		{KindCouncil, "L99999999", "bad"}, {KindCouncil, "M99999999", "bad"}, {KindCouncil, "x", "bad"}, {KindCouncil, "z",
			"bad"},
		{KindCouncil, "", "bad"},
		{KindCouncil, "S30000008", "bad"}, {KindCouncil, "e09000007", "bad"},
		{KindTravelToWorkArea, "E30000234", "E92000001"}, {KindTravelToWorkArea, "W22000004", "W92000004"},
		{KindTravelToWorkArea, "S22000047", "S92000003"},
		{KindTravelToWorkArea, "N12000001", "N92000002"}, {KindTravelToWorkArea, "K01000009", ""},
		{KindLSIP, "E69000039", "E92000001"}, {KindLSIP, "E61000001", "bad"},
		{KindITL1, "TLC", "E92000001"}, {KindITL1, "TLN", "N92000002"}, {KindITL1, "TLB", "bad"}, {KindITL2, "TLM1",
			"S92000003"},
		{KindITL2, "TLM", "bad"},
		{KindITL3, "TLL52", "W92000004"}, {KindITL3, "TLK", "bad"},
	} {
		got := "bad"
		if checkCode(c.kind, c.code) == nil {
			got = nationOf(c.code)
		}
		if got != c.nation {
			t.Errorf("%s %q: %q, want %q", c.kind, c.code, got, c.nation)
		}
	}
}

func TestColumns(t *testing.T) {
	for _, c := range []struct{ kind, fields, want string }{
		{KindCouncil, "LAD25CD LAD25NM LAD25NMW ObjectId", "LAD25CD LAD25NM LAD25NMW 2025"},
		{KindCouncil, "FID lad19cd lad19nm bng_e", "lad19cd lad19nm  2019"},
		{KindITL3, "ITL125CD ITL225CD ITL325CD ITL325NM LAU125CD LAD24CD", "ITL325CD ITL325NM  2025"},
		{KindITL3, "ITL325NM ITL325CD ITL321CD ITL321NM", "ITL325CD ITL325NM  2025"},
		{KindITL1, "ITL325CD LAU125CD", ""}, {KindCouncil, "LAD24_name", ""}, {KindCouncil, "LADCD", ""}, {KindCouncil,
			"LAD25NM", ""},
		{KindNation, "", ""},
	} {
		got := ""
		if years := columnsOf(c.kind, strings.Fields(c.fields)); len(years) > 0 && years[len(years)-1].code != "" {
			col := years[len(years)-1]
			got = fmt.Sprintf("%s %s %s %s", col.code, col.name, col.welsh, col.edition)
		}
		if got != c.want {
			t.Errorf("columnsOf(%s, %s) = %q, want %q", c.kind, c.fields, got, c.want)
		}
	}
}

// TestSlugs checks that a renamed area keeps its slug, and that no two areas share one.
func TestSlugs(t *testing.T) {
	for _, c := range [][3]string{
		{"E69000001", "Brighton and Hove, East Sussex, West Sussex", "sussex-and-brighton"},
		{"E69000001", "Sussex and Brighton", "sussex-and-brighton"},
		{"E69000007", "Derbyshire and Nottinghamshire", "east-midlands"},
		{"E69000023", "North East", "north-east-2023"}, {"E69000045", "North East", "north-east"},
		{"E69000099", "  Ynys Môn, St. Ives & Kew ", "ynys-mon-st-ives-kew"},
	} {
		if got := slugOf(c[0], c[1]); got != c[2] {
			t.Errorf("slugOf(%s, %s) = %s, want %s", c[0], c[1], got, c[2])
		}
	}
	owner := map[string]string{}
	for code, slug := range codes.LSIPSlugs {
		if owner[slug] != "" || slugOf("", slug) != slug || checkCode(KindLSIP, code) != nil {
			t.Errorf("%s: %s is malformed or taken by %s", code, slug, owner[slug])
		}
		owner[slug] = code
	}
	if len(codes.LSIPSlugs) != 51 {
		t.Errorf("%d areas, want the 51 that there have been", len(codes.LSIPSlugs))
	}
}

func TestOutline(t *testing.T) {
	for name, c := range map[string]struct {
		geometry string
		ok       bool
	}{
		"polygon": {square, true},
		"several": {`{"type":"MultiPolygon","coordinates":[[[[-1,51],[0,51],[0,52],[-1,51]]]]}`, true},
		"metres": {`{"type":"Polygon","coordinates":[[[530000,180000],[530100,180000],[530100,180100],[530000,180000]]]}`,
			false},
		"point": {`{"type":"Point","coordinates":[-0.1,51.5]}`, false}, "null": {`null`, false},
		"nothing": {``, false},
		"empty":   {`{"type":"Polygon","coordinates":[]}`, false}, "no type": {`{"coordinates":[]}`, false},
		"text":   {`"x"`, false},
		"france": {`{"type":"Polygon","coordinates":[[[2,43],[3,43],[3,44],[2,43]]]}`, false},
	} {
		if err := checkOutline(sources.Boundary{GeoJSON: []byte(c.geometry)}); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestErrorsOfThePortal(t *testing.T) {
	for body, want := range map[string]sources.FaultCode{
		`{"objectIdFieldName":"FID","features":[]}`:                       "",
		`{"error":{"code":400,"message":"Invalid URL","details":[]}}`:     sources.FaultUnavailable,
		"\n {\n \"error\" : {\"code\":499,\"message\":\"Token Required\"": sources.FaultNotJSON,
	} {
		if _, err := parse([]byte(body)); sources.FaultCodeOf(err) != want {
			t.Errorf("%q: %v, want %q", body, err, want)
		}
	}
	if _, err := parse([]byte(`{"error":{"code":400,"message":"Invalid URL"}}`)); err == nil ||
		!strings.Contains(err.Error(), "Invalid URL") {
		t.Errorf("the error does not say what the portal said: %v", err)
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add([]byte(`{"objectIdFieldName":"FID","fields":[{"name":"LAD25CD"}],"features":[{"attributes":{"FID":1,` +
		`"LAD25CD":"E09000007","LAD25NM":"Camden"}}]}`))
	f.Add([]byte(`{"type":"FeatureCollection","properties":{"exceededTransferLimit":true},"features":[{"id":1,` +
		`"properties":{"LAD25CD":"E09000007"},"geometry":` + square + `}]}`))
	f.Add([]byte(`{"error":{"code":400}}`))
	f.Add([]byte(`{"features":[{"geometry":{"type":"GeometryCollection","geometries":[{}]}}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		a, err := parse(body)
		if err != nil {
			if sources.FaultCodeOf(err) == "" {
				t.Fatal("an error without a code")
			}
			return
		}
		sink := &collector{}
		r := &reader{v: Service{ServiceName: "S", AreaKinds: []string{KindCouncil}, BoundaryKind: KindCouncil}, out: sink,
			emittedNames: map[any]string{}, objectIDs: map[int64]bool{}}
		if r.layout, err = r.v.layout(a); err != nil {
			r.layout = layout{objectID: "FID",
				columns: map[string]columns{KindCouncil: {code: "LAD25CD", name: "LAD25NM", edition: "2025"}}}
		}
		for _, feature := range a.Features {
			if err := r.feature("S/page-00000.json", feature); err != nil {
				t.Fatal(err)
			}
		}
		for _, rec := range sink.records {
			if area, ok := rec.(sources.Area); ok && (checkCode(area.Kind, area.Code) != nil || area.Name == "") {
				t.Fatalf("%+v", area)
			}
		}
	})
}

type collector struct{ records []sources.Record }

func (c *collector) Emit(r sources.Record) error { c.records = append(c.records, r); return nil }
func (c *collector) Fault(sources.Fault)         {}

// TestNumbersOfRecords: of the attributes, the properties or the record itself, and none if it has none.
func TestNumbersOfRecords(t *testing.T) {
	number, text := json.RawMessage(" 7 "), json.RawMessage(`"x"`)
	for name, c := range map[string]struct {
		f    feature
		want int64
		ok   bool
	}{
		"attributes": {feature{Attributes: map[string]json.RawMessage{"FID": number}}, 7, true},
		"two digits": {feature{ID: json.RawMessage("10")}, 10, true},
		"properties": {feature{Properties: map[string]json.RawMessage{"FID": number}}, 7, true},
		"the record": {feature{ID: number}, 7, true},
		"a text":     {feature{ID: text}, 0, false},
		"none":       {feature{Attributes: map[string]json.RawMessage{"other": number}}, 0, false},
	} {
		if got, ok := c.f.objectID("FID"); got != c.want || ok != c.ok {
			t.Errorf("%s: %d, %t; want %d, %t", name, got, ok, c.want, c.ok)
		}
	}
}
