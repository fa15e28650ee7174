package jsonrows

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	json1 "github.com/go-json-experiment/json/v1"
	"pgregory.net/rapid"
)

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
