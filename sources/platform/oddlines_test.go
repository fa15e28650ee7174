package platform

import "labour/sources"

// oddLines are what an orderly exporter does not write.
func oddLines() []string {
	return []string{
		` {"id":"\ud800","a":[1,{"b":null}],"c":1e5}`,
		`{"id":"a\u0062","id" : "b",}`, `{"\u0069d":"a"}`, "{\"id\":\"a\tb\"}", `{"id":"a"}x`, `{"id":"a"`, `{"id"}`,
		`{,"id":"a"}`,
		`{"seeking_work":tru}`, `{"seeking_work":truex}`, `{"skills":[`, `{"skills":[]}`, `{"skills":[,]}`,
		`{"skills":["x",]}`,
		`{"skills":[{"skill":"x","level":01}]}`, `{"skills":[{"skill":"x","level":3.0},]}`,
		`{"skills":[{"skill":"x","level":-}]}`,
		`{"skills":[{"skill":"x","level":12345678901}]}`, `{"skills":[{"skill":"x","level":3}`, `[]`, `""`, `null`,
		"\x00", "{\"id\":\x00}",
	}
}

// decoded reads one line with a parser of its own.
func decoded(k RecordKind, line string) (sources.Record, string, error) {
	p := newParser()
	return p.record(k, line)
}
