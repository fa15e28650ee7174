package jsonrows

import (
	"strings"
	"testing"

	"labour/sources"
)

// TestErrorsOfListsSayWhatIsMissing: the key, the object or the list.
func TestErrorsOfListsSayWhatIsMissing(t *testing.T) {
	for body, says := range map[string]string{`{"a":1}`: `the body is a JSON object without "jobs"`,
		`[1]`: "the JSON is not an object where", `{"jobs":{}}`: "the JSON is not a list where",
		`{"jobs":null}`: "the JSON is not a list where", `{"jobs":[1}`: "the JSON breaks off or is malformed"} {
		if rows, _, err := ParseList([]byte(body), "jobs"); len(rows) > 0 || err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%s: %s, %v; want %s", body, rows, err, says)
		}
	}
	_, rest, err := ParseList([]byte(`{"jobs":[],"total":"x"}`), "jobs")
	if err != nil || rest.HasField("jobs") || rest.Number("total") != "" ||
		sources.FaultCodeOf(rest.Err()) != sources.FaultSchema {
		t.Errorf("%v, %v", err, rest.Err())
	}
}

// TestListsOfMixedTypesAreNotReadInPart: a list with one text and one number is no list of texts.
func TestListsOfMixedTypesAreNotReadInPart(t *testing.T) {
	r := ParseRow([]byte(`{"a":["x",1]}`))
	if got := r.Strings("a"); got != nil || sources.FaultCodeOf(r.Err()) != sources.FaultSchema {
		t.Errorf("%q, %v; want nothing and a schema fault", got, r.Err())
	}
}

// TestFirstErrorOfARecordStays, also of the objects inside it.
func TestFirstErrorOfARecordStays(t *testing.T) {
	r := ParseRow([]byte(`{"a":{"b":[{"c":1}]},"d":1,"n":null}`))
	if r.Err() != nil || r.HasField("n") || !r.HasField("d") || r.Text("n") != "" || r.Scalar("n") != "" {
		t.Fatal(r.Err())
	}
	for _, inner := range r.Objects("a.b") {
		if inner.Text("c") != "" {
			t.Error("a number is read as a text")
		}
	}
	first := r.Err()
	if first == nil || !strings.Contains(first.Error(), `field "a.b.c" has another type`) {
		t.Errorf("%v", first)
	}
	if r.Text("d"); r.Err() != first {
		t.Errorf("another error took its place: %v", r.Err())
	}
}
