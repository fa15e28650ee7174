package jsonrows

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"labour/sources"
)

func TestObjects(t *testing.T) {
	for _, c := range []struct {
		name, body, key string
		rows            string // joined by |
		others          string // names, joined by ,
		code            sources.FaultCode
	}{
		{"object", `{"a":1,"jobs":[{"id":1},2,"x"],"meta":{"total":3}}`, "jobs", `{"id":1}|2|"x"`, "a,meta", ""},
		{"bare list", ` [1, [2] ] `, "", "1|[2]", "", ""},
		{"empty list", `{"jobs":[]}`, "jobs", "", "", ""},
		{"byte order mark", "\ufeff[1]", "", "1", "", ""},
		{"web page", "<!doctype html><p>Gone</p>", "jobs", "", "", sources.FaultWrongFormat},
		{"nothing", " \n", "jobs", "", "", sources.FaultWrongFormat},
		{"a sentence", "Service unavailable", "jobs", "", "", sources.FaultWrongFormat},
		{"list without key", `[1]`, "jobs", "", "", sources.FaultWrongFormat},
		{"object without list", `{"error":"x"}`, "jobs", "", "error", sources.FaultWrongFormat},
		{"list is null", `{"jobs":null}`, "jobs", "", "", sources.FaultWrongFormat},
		{"object in place of a bare list", `{"ok":false}`, "", "", "", sources.FaultWrongFormat},
		{"breaks off", `{"jobs":[{"id":1},{"id"`, "jobs", "", "", sources.FaultNotJSON},
		{"breaks off after the list", `{"jobs":[1]`, "jobs", "", "", sources.FaultNotJSON},
		{"more after the end", `[1] [2]`, "", "", "", sources.FaultNotJSON},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, rest, err := ParseList([]byte(c.body), c.key)
			var rows []string
			for _, row := range list {
				rows = append(rows, string(row))
			}
			if got := strings.Join(rows, "|"); got != c.rows {
				t.Errorf("rows %q, want %q", got, c.rows)
			}
			if code := sources.FaultCodeOf(err); code != c.code {
				t.Errorf("error %v has code %q, want %q", err, code, c.code)
			}
			for _, name := range strings.FieldsFunc(c.others, func(r rune) bool { return r == ',' }) {
				if !rest.HasField(name) {
					t.Errorf("member %q is missing among the rest", name)
				}
			}
		})
	}
}

func TestForms(t *testing.T) {
	r := ParseRow([]byte(
		`{"a":12,"b":"12","c":null,"d":true,"m":["a","b"],"o":{"p":{"q":"deep"}},"l":[{"q":1},null,{"q":2}],"one":{"q":3}}`))
	got := fmt.Sprint(r.Scalar("a"), r.Scalar("b"), r.Scalar("c"), r.Scalar("d"), r.Scalar("e"), r.Number("a"),
		r.Number("b"), r.Number("c"),
		r.Bool("d"), r.Bool("e"), r.Strings("m"), r.Text("o.p.q"), r.Text("o.x.q"), r.Text("x.p.q"), r.HasField("a"),
		r.HasField("c"), r.HasField("o.x"))
	if want := fmt.Sprint("12", "12", "", "true", "", "12", "12", "", true, false, []string{"a", "b"}, "deep", "", "",
		true, false, false); got != want {
		t.Errorf("read %s, want %s", got, want)
	}
	var all []string
	for _, row := range append(append(r.Objects("l"), r.Objects("one")...), r.Objects("none")...) {
		all = append(all, row.Scalar("q"))
	}
	if got := strings.Join(all, "|"); got != "1||2|3" || r.Err() != nil {
		t.Errorf("the lists hold %s, error %v", got, r.Err())
	}
}

// The first field of another type is named, wherever it is, and its value is not.
func TestAnotherType(t *testing.T) {
	for row, want := range map[string]string{`{"t":{"name":"Jo Secret"}}`: `"t"`, `{"s":["Jo Secret"]}`: `"s"`,
		`"Jo Secret"`:       "whole record",
		`{"o":"Jo Secret"}`: `"o"`, `{"l":[{"t":["Jo Secret"]}]}`: `"l.t"`, `{"l":["Jo Secret"]}`: `"l"`,
		`{"f":"Jo Secret"}`: `"f"`, `{"n":"Jo Secret","t":1}`: `"n"`} {
		r := ParseRow([]byte(row))
		r.Number("n")
		if text := r.Text("t") + r.Scalar("s") + r.Text("o.t") + fmt.Sprint(r.Bool("f")); strings.Contains(text, "Jo") {
			t.Errorf("%s is read as %s", row, text)
		}
		for _, inner := range r.Objects("l") {
			inner.Text("t")
		}
		if err := r.Err(); sources.FaultCodeOf(err) != sources.FaultSchema || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "Secret") {
			t.Errorf("%s: the error is %v, want a schema fault that names %s and nothing that the record holds", row,
				err, want)
		}
	}
}

func FuzzList(f *testing.F) {
	for _, s := range []string{`{"jobs":[{"id":1}],"meta":{}}`, `[1,2]`, `<html>`, `{"jobs":[`, "{}",
		`{"jobs":{"jobs":[]}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, key := range []string{"", "jobs"} {
			rows, _, err := ParseList(body, key)
			for _, row := range rows {
				if !json.Valid(row) {
					t.Errorf("row %q is not JSON", row)
				}
			}
			if err == nil && !json.Valid(bytes.TrimPrefix(body, []byte("\ufeff"))) {
				t.Errorf("List took %q, which is not JSON", body)
			}
		}
	})
}

func BenchmarkList(b *testing.B) {
	body := []byte(`{"jobs":[` + strings.Repeat(`{"id":1,"title":"Care worker","text":"`+strings.Repeat("words ", 500)+
		`"},`, 200) + `{}]}`)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, _, err := ParseList(body, "jobs"); err != nil {
			b.Fatal(err)
		}
	}
}
