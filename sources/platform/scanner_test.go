package platform

import (
	"reflect"
	"strings"
	"testing"
)

// oddLines are what an orderly exporter does not write.
func oddLines() []string {
	return []string{
		` {"id":"\ud800","a":[1,{"b":null}],"c":1e5}`,
		`{"id":"a\u0062","id" : "b",}`, `{"\u0069d":"a"}`, "{\"id\":\"a\tb\"}", `{"id":"a"}x`, `{"id":"a"`, `{"id"}`, `{,"id":"a"}`,
		`{"seeking_work":tru}`, `{"seeking_work":truex}`, `{"skills":[`, `{"skills":[]}`, `{"skills":[,]}`, `{"skills":["x",]}`,
		`{"skills":[{"skill":"x","level":01}]}`, `{"skills":[{"skill":"x","level":3.0},]}`, `{"skills":[{"skill":"x","level":-}]}`,
		`{"skills":[{"skill":"x","level":12345678901}]}`, `{"skills":[{"skill":"x","level":3}`, `[]`, `""`, `null`, "\x00", "{\"id\":\x00}",
	}
}

// TestLentStrings holds that a record is the same whether its strings are parts of the
// chunk or its own.
func TestLentStrings(t *testing.T) {
	resident := `{"id":"r-1","borough":"camden","seeking_work":true,"sector_sought":"care","skills":[{"skill":"excel","level":3},{"skill":"\u0073ql","level":1}]}`
	for k, lines := range map[Kind][]string{
		Residents:    append([]string{resident, " " + resident + "\r", "", strings.ReplaceAll(resident, ",", " , ")}, oddLines()...),
		Applications: append([]string{application(1), application(2) + "\r", strings.ReplaceAll(application(3), ":", " : ")}, oddLines()...),
	} {
		for _, end := range []string{"", "\n"} {
			x := &chunk{kind: k, first: 1, lines: []byte(strings.Join(lines, "\n") + end), done: make(chan struct{})}
			p := newParser()
			x.parse(p)
			if p.text != "" {
				t.Error("the text of a chunk is kept after its end")
			}
			var want []finding
			for i, line := range lines {
				if strings.TrimSpace(line) != "" {
					want = append(want, read(newParser(), decoders[k], []byte(line), i+1))
				}
			}
			if !reflect.DeepEqual(x.found, want) {
				t.Errorf("%s: found %v, want %v", k, x.found, want)
			}
		}
	}
}
