package jsonrows

import (
	"strings"
	"testing"

	json1 "github.com/go-json-experiment/json/v1"
	"pgregory.net/rapid"
)

// TestRowIsWhatTheStandardReads: a field that can be read gives what encoding/json
// gives, and one that cannot is empty and an error.
func TestRowIsWhatTheStandardReads(t *testing.T) {
	names := []string{"text", "number", "flag", "texts", "nested", "other"}
	values := []string{"null", "true", "1", "-2.5", `"1"`, `"x"`, `"a\u00e9\n"`, `"\ud800"`, `"2e5"`, "[]", "{}",
		`["a","b"]`, `[1,null]`,
		`{"text":"n"}`, `{"text":3,"more":["m"]}`, `{"text":null}`, `[{"text":"t"}]`}
	rapid.Check(t, func(t *rapid.T) {
		var members []string
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 5, rapid.ID).Draw(t, "names") {
			members = append(members, `"`+name+`": `+rapid.SampledFrom(values).Draw(t, "value"))
		}
		text := "{" + strings.Join(members, ", ") + "}"
		same := func(field string, got, want any, r Row, err error) {
			a, _ := json1.Marshal(got)
			b, _ := json1.Marshal(want)
			if (r.Err() == nil) != (err == nil) || err == nil && string(a) != string(b) {
				t.Fatalf("%s of %s is %s, %v; want %s, %v", field, text, a, r.Err(), b, err)
			}
		}
		r := ParseRow([]byte(text))
		var a struct {
			Text string `json:"text"`
		}
		err := json1.Unmarshal([]byte(text), &a)
		same("text", r.Text("text"), a.Text, r, err)
		r = ParseRow([]byte(text))
		var b struct {
			Number json1.Number `json:"number"`
		}
		err = json1.Unmarshal([]byte(text), &b)
		same("number", r.Number("number").String(), b.Number.String(), r, err)
		r = ParseRow([]byte(text))
		var c struct {
			Flag  bool     `json:"flag"`
			Texts []string `json:"texts"`
		}
		err = json1.Unmarshal([]byte(text), &c)
		same("flag and texts", []any{r.Bool("flag"), r.Strings("texts")}, []any{c.Flag, c.Texts}, r, err)
		r = ParseRow([]byte(text))
		var d struct {
			Nested struct {
				Text string `json:"text"`
			} `json:"nested"`
		}
		err = json1.Unmarshal([]byte(text), &d)
		same("nested", r.Text("nested.text"), d.Nested.Text, r, err)
	})
}
