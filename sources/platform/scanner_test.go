package platform

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"labour/sources"
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

// TestOwnStrings holds that a record is the same whether its strings are parts of the
// chunk or its own.
func TestOwnStrings(t *testing.T) {
	resident := `{"id":"r-1","borough":"camden","seeking_work":true,"sector_sought":"care","skills":[{"skill":"excel","level":3},{"skill":"\u0073ql","level":1}]}`
	for k, lines := range map[Kind][]string{
		Residents:    append([]string{resident, " " + resident + "\r", "", strings.ReplaceAll(resident, ",", " , ")}, oddLines()...),
		Applications: append([]string{application(1), application(2) + "\r", strings.ReplaceAll(application(3), ":", " : ")}, oddLines()...),
	} {
		for _, end := range []string{"", "\n"} {
			x := &chunk{kind: k, text: strings.Join(lines, "\n") + end}
			x.parse(newParser())
			var own chunk
			for _, line := range lines {
				p := newParser()
				p.own = true
				own.read(p, p.decoders[k], line)
			}
			if !reflect.DeepEqual(x.found, own.found) || !slices.Equal(x.ids, own.ids) {
				t.Errorf("%s: found %v, want %v", k, x.found, own.found)
			}
		}
	}
}

// decoded reads one line with a parser of its own.
func decoded(k Kind, line string) (sources.Record, string, error) {
	p := newParser()
	return p.decoders[k](p, line)
}

// FuzzQuoted holds what a string reads as to another decoder of JSON. How a half of a
// pair of surrogates that stands alone reads is left open.
func FuzzQuoted(f *testing.F) {
	for _, s := range []string{"", "a", `\n`, `\\`, `\"`, `a\/b\tc`, `\u00e9`, `\ud83d\ude00`, `\`, `\x`, "\\\x01", `\u00`, `\u12"`, "\x00", `a"b`, "é\\u0022\\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		line := `"` + s + `"`
		if !utf8.ValidString(s) || strings.Contains(strings.ToLower(s), `\ud`) {
			return
		}
		var want string
		broken := json.Unmarshal([]byte(line), &want)
		for _, own := range []bool{false, true} {
			p := scanner{line: line, own: own}
			got, err := p.quoted()
			if ok := err == nil && p.atEnd(); ok != (broken == nil) || ok && p.keep(got) != want {
				t.Fatalf("%s reads as %q (%v), want %q (%v)", line, got, err, want, broken)
			}
		}
	})
}
