package jsonrows

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"labour/sources"
)

func TestWalk(t *testing.T) {
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
		{"web page", "<!doctype html><p>Gone</p>", "jobs", "", "", sources.FaultNotExpected},
		{"nothing", " \n", "jobs", "", "", sources.FaultNotExpected},
		{"a sentence", "Service unavailable", "jobs", "", "", sources.FaultNotExpected},
		{"list without key", `[1]`, "jobs", "", "", sources.FaultNotExpected},
		{"object without list", `{"error":"x"}`, "jobs", "", "error", sources.FaultNotExpected},
		{"list is null", `{"jobs":null}`, "jobs", "", "", sources.FaultNotExpected},
		{"object in place of a bare list", `{"ok":false}`, "", "", "", sources.FaultNotExpected},
		{"breaks off", `{"jobs":[{"id":1},{"id"`, "jobs", "", "", sources.FaultNotJSON},
		{"breaks off after the list", `{"jobs":[1]`, "jobs", "", "", sources.FaultNotJSON},
		{"more after the end", `[1] [2]`, "", "", "", sources.FaultNotJSON},
	} {
		t.Run(c.name, func(t *testing.T) {
			var rows []string
			others, err := Walk([]byte(c.body), c.key, func(i int, row []byte) error {
				if i != len(rows) {
					t.Errorf("row %d is called number %d", len(rows), i)
				}
				rows = append(rows, string(row))
				return nil
			})
			if got := strings.Join(rows, "|"); got != c.rows {
				t.Errorf("rows %q, want %q", got, c.rows)
			}
			if code := sources.CodeOf(err); code != c.code {
				t.Errorf("error %v has code %q, want %q", err, code, c.code)
			}
			for _, name := range strings.FieldsFunc(c.others, func(r rune) bool { return r == ',' }) {
				if _, ok := others[name]; !ok {
					t.Errorf("member %q is missing among the others %v", name, others)
				}
			}
		})
	}
}

func TestWalkEndsWithTheCallersError(t *testing.T) {
	stop := errors.New("stop")
	seen := 0
	_, err := Walk([]byte(`[1,2,3]`), "", func(int, []byte) error { seen++; return stop })
	if !errors.Is(err, stop) || seen != 1 {
		t.Errorf("error %v after %d rows, want the caller's own after 1", err, seen)
	}
}

func TestScalarAndMany(t *testing.T) {
	var v struct {
		A, B, C, D Scalar
		M, N, O    Many[Scalar]
	}
	in := `{"A":12,"B":"12","C":null,"D":true,"M":["a",1],"N":"b","O":null}`
	if err := json.Unmarshal([]byte(in), &v); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(v), "{12 12  true [a 1] [b] []}"; got != want {
		t.Errorf("decoded %s, want %s", got, want)
	}
}

func TestRowNeverRepeatsTheValue(t *testing.T) {
	var v struct {
		Title string
		ID    Scalar
	}
	for _, row := range []string{`{"Title":{"name":"Jo Secret"}}`, `{"ID":["Jo Secret"]}`, `"Jo Secret"`} {
		err := Row([]byte(row), &v)
		if sources.CodeOf(err) != sources.FaultSchema {
			t.Errorf("Row(%s) = %v, want a schema fault", row, err)
		} else if strings.Contains(err.Error(), "Secret") {
			t.Errorf("the fault %q repeats what the record holds", err)
		}
	}
}

func FuzzWalk(f *testing.F) {
	for _, s := range []string{`{"jobs":[{"id":1}],"meta":{}}`, `[1,2]`, `<html>`, `{"jobs":[`, "{}", `{"jobs":{"jobs":[]}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, key := range []string{"", "jobs"} {
			_, err := Walk(body, key, func(_ int, row []byte) error {
				if !json.Valid(row) {
					t.Errorf("row %q is not JSON", row)
				}
				return nil
			})
			if err == nil && !json.Valid(bytes.TrimPrefix(body, []byte("\ufeff"))) {
				t.Errorf("Walk took %q, which is not JSON", body)
			}
		}
	})
}

func BenchmarkWalk(b *testing.B) {
	body := []byte(`{"jobs":[` + strings.Repeat(`{"id":1,"title":"Care worker","text":"`+strings.Repeat("words ", 500)+`"},`, 200) + `{}]}`)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := Walk(body, "jobs", func(int, []byte) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
