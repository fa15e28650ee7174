package jsonlist

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	json1 "github.com/go-json-experiment/json/v1"
	"pgregory.net/rapid"

	"labour/sources"
)

// slowWalk is Walk token by token with a decoder of JSON: the rows and the other
// members up to the first fault, and its code.
func slowWalk(body []byte, key string) (rows []string, others map[string]string, code sources.FaultCode) {
	d := jsontext.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, []byte("\ufeff"))),
		jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	others = map[string]string{}
	list := func() sources.FaultCode {
		t, err := d.ReadToken()
		if err != nil {
			return sources.FaultNotJSON
		} else if t.Kind() != '[' {
			return sources.FaultNotExpected
		}
		for d.PeekKind() != ']' {
			v, err := d.ReadValue()
			if err != nil {
				return sources.FaultNotJSON
			}
			rows = append(rows, string(v))
		}
		if _, err := d.ReadToken(); err != nil {
			return sources.FaultNotJSON
		}
		return ""
	}
	switch {
	case sources.AcceptJSON("", body) != nil:
		return nil, nil, sources.FaultNotExpected
	case key == "":
		code = list()
	default:
		if t, err := d.ReadToken(); err != nil {
			return nil, nil, sources.FaultNotJSON
		} else if t.Kind() != '{' {
			return nil, nil, sources.FaultNotExpected
		}
		found := false
		for code == "" && d.PeekKind() != '}' {
			t, err := d.ReadToken()
			if err != nil {
				return rows, others, sources.FaultNotJSON
			}
			if name := t.String(); name == key {
				found = true
				code = list()
			} else if v, err := d.ReadValue(); err != nil {
				return rows, others, sources.FaultNotJSON
			} else {
				others[name] = string(v)
			}
		}
		if code == "" {
			if _, err := d.ReadToken(); err != nil {
				code = sources.FaultNotJSON
			} else if !found {
				code = sources.FaultNotExpected
			}
		}
	}
	if code == "" {
		if _, err := d.ReadToken(); err != io.EOF {
			code = sources.FaultNotJSON
		}
	}
	return rows, others, code
}

// sameAsSlow compares Walk with slowWalk.
func sameAsSlow(t interface {
	Helper()
	Errorf(string, ...any)
}, body []byte, key string) {
	t.Helper()
	var rows []string
	others, err := Walk(body, key, func(_ int, row []byte) error {
		rows = append(rows, string(row))
		return nil
	})
	wantRows, wantOthers, code := slowWalk(body, key)
	if !reflect.DeepEqual(rows, wantRows) || sources.CodeOf(err) != code {
		t.Errorf("Walk(%.300q, %q) = %q and %v, want %q and code %q", body, key, rows, err, wantRows, code)
	}
	for name, want := range wantOthers {
		if got := string(others[name]); err == nil && key != "" && got != want {
			t.Errorf("Walk(%.300q, %q): member %q is %q, want %q", body, key, name, got, want)
		}
	}
}

// jsonPieces are what bodies are drawn from, whole and broken.
var jsonPieces = []string{"{", "}", "[", "]", ",", ":", " ", "\n", "\"", "\\", "\"jobs\"", "\"jobs\":[", "\"a\":", "\"\\u006aobs\":", "{\"id\":1}", "{\"id\":", "1", "-0.5e+3",
	"01", "1.", "1e", "-", "true", "null", "tru", "\"x\\n\\u00e9 long enough to be read in eights\"", "\"\\ud800\"", "\"\\u00g0\"", "\"\\x\"", "\"\xff\"", "\"\x01\"", "\x00", "\ufeff", "\"£¢!\"", "{}", "[]"}

func TestWalkTakesWhatADecoderTakes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := strings.Join(rapid.SliceOfN(rapid.SampledFrom(jsonPieces), 0, 20).Draw(t, "body"), "")
		body = rapid.SampledFrom([]string{"", "[", "{\"jobs\":[", "{\"a\":1,\"jobs\":["}).Draw(t, "begin") + body +
			rapid.SampledFrom([]string{"", "]", "]}", "],\"meta\":{\"total\":1}}"}).Draw(t, "end")
		sameAsSlow(t, []byte(body), "")
		sameAsSlow(t, []byte(body), "jobs")
	})
}

// TestDeepRows: a row may be as deep as a decoder goes, and no deeper.
func TestDeepRows(t *testing.T) {
	for _, depth := range []int{1, deepest - 2, deepest - 1, deepest, deepest + 1} {
		row := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		sameAsSlow(t, []byte("["+row+"]"), "")
		sameAsSlow(t, []byte("{\"jobs\":["+row+"]}"), "jobs")
		sameAsSlow(t, []byte("{\"a\":"+row+",\"jobs\":[]}"), "jobs")
	}
}

// drawn has a field of each form that publishers' rows have.
type drawn struct {
	ID     Scalar `json:"id"`
	Title  string `json:"title"`
	Number Number `json:"number"`
	Listed *bool  `json:"listed"`
	Place  *float64
	Nested struct {
		Name string   `json:"name"`
		More []string `json:"more"`
	} `json:"nested"`
	Many  Many[Scalar] `json:"many"`
	Lists []struct {
		Text string `json:"text"`
	} `json:"lists"`
}

// TestRowIsWhatTheStandardReads: a row that can be read gives what encoding/json
// gives, and one that cannot gives the fields that it can read.
func TestRowIsWhatTheStandardReads(t *testing.T) {
	names := []string{"id", "title", "Title", "TITLE", "number", "listed", "place", "nested", "name", "more", "many", "lists", "text", "other"}
	values := []string{"null", "true", "1", "-2.5", `"1"`, `"x"`, `"a\u00e9\n"`, `"\ud800"`, `"2e5"`, "[]", "{}", `["a","b"]`, `[1,null]`, `{"name":"n"}`, `{"name":3,"more":["m"]}`,
		`[{"text":"t"},{"TEXT":"u"}]`, `[{"text":[]}]`, `{"more":[1]}`}
	rapid.Check(t, func(t *rapid.T) {
		var members []string
		for range rapid.IntRange(0, 6).Draw(t, "members") {
			members = append(members, `"`+rapid.SampledFrom(names).Draw(t, "name")+`": `+rapid.SampledFrom(values).Draw(t, "value"))
		}
		row := []byte("{" + strings.Join(members, ", ") + "}")
		var got, want drawn
		err, wantErr := Row(row, &got), json1.Unmarshal(row, &want)
		if !reflect.DeepEqual(got, want) || (err == nil) != (wantErr == nil) {
			t.Fatalf("Row(%s) = %+v, %v; want %+v, %v", row, got, err, want, wantErr)
		}
		var wrong *json1.UnmarshalTypeError
		if err != nil && errors.As(wantErr, &wrong) && wrong.Field != "" && !strings.Contains(err.Error(), wrong.Field) {
			t.Fatalf("Row(%s): %v does not name the field %s", row, err, wrong.Field)
		}
	})
}

// TestRecordedBodies walks recorded answers both ways.
func TestRecordedBodies(t *testing.T) {
	root, bodies := filepath.Join("..", "..", "..", "shared", "data"), 0
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		body, err := os.ReadFile(path)
		for _, key := range []string{"", "jobs", "features", "vacancies"} {
			sameAsSlow(t, body, key)
		}
		bodies++
		return err
	})
	if bodies == 0 {
		t.Skipf("no recorded answers in ../shared/data: %v", err)
	}
	t.Logf("%d bodies", bodies)
}
