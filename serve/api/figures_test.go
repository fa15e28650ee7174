package api

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"labour/snapshots/figure"
)

func encode(t testing.TB, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func tenths(n figure.Tenths) *figure.Tenths { return &n }
func ptr[T any](v T) *T                     { return &v }

func TestFigures(t *testing.T) {
	at := time.Date(2026, 11, 20, 23, 30, 0, 999, time.FixedZone("", -3600))
	for _, tt := range []struct {
		v    any
		want string
	}{
		{Count{figure.CountOf(0)}, `0`}, {Count{figure.CountOf(4)}, `"<5"`}, {Count{figure.CountOf(5)}, `5`},
		{Count{}, `null`},
		{Share{0}, `0.0`}, {Share{120}, `12.0`}, {Share{123}, `12.3`}, {Share{1000}, `100.0`},
		{Percent{nil}, `null`}, {Percent{tenths(0)}, `0`}, {Percent{tenths(120)}, `12`}, {Percent{tenths(-5)}, `-0.5`},
		{Percent{tenths(-30)}, `-3`},
		{Score{nil}, `null`}, {Score{ptr(int64(0))}, `0.0000`}, {Score{ptr(int64(135975))}, `13.5975`},
		{Score{ptr(int64(1000000))}, `100.0000`},
		{DateOf(at), `"2026-11-21"`}, {TimestampOf(at), `"2026-11-21T00:30:00Z"`},
		{NullableTimestamp{nil}, `null`}, {NullableDateOf(time.Time{}), `null`}, {NullableDateOf(at), `"2026-11-21"`},
		{NullableTimestamp{&at}, `"2026-11-21T00:30:00Z"`},
	} {
		if got := encode(t, tt.v); got != tt.want {
			t.Errorf("%T %v: %s, want %s", tt.v, tt.v, got, tt.want)
		}
	}
}

// TestNullIsNoNumber: NULL in a column is no value, also after one; a text there is an error.
func TestNullIsNoNumber(t *testing.T) {
	var percent Percent
	var score Score
	var moment NullableTime[Timestamp]
	for name, c := range map[string]struct {
		scan  func(any) error
		value any
		none  func() bool
	}{
		"percent": {percent.Scan, int64(12), func() bool { return percent.Tenths == nil }},
		"score":   {score.Scan, int32(12), func() bool { return score.TenThousandths == nil }},
		"time":    {moment.Scan, time.Unix(1e9, 0), func() bool { return moment.T == nil }},
	} {
		if err := c.scan(c.value); err != nil || c.none() {
			t.Errorf("%s: %v is read as nothing, %v", name, c.value, err)
		}
		if err := c.scan(nil); err != nil || !c.none() {
			t.Errorf("%s: NULL is read as a value, %v", name, err)
		}
		if err := c.scan([]int{1}); err == nil {
			t.Errorf("%s: a list is read as a value", name)
		}
	}
}

// Values of a database are read exactly: times from a time or from Unix seconds and kept in UTC,
// numbers from either width, lists from names between commas.
func TestColumnsAreRead(t *testing.T) {
	second := time.Unix(1_795_219_201, 0) // 2026-11-21T00:00:01Z
	summer := second.In(time.FixedZone("BST", 3600))
	at := Timestamp{second.UTC()}
	for _, c := range []struct {
		to    interface{ Scan(any) error }
		value any
		want  any
	}{
		{&Date{}, summer, Date(at)}, {&Timestamp{}, summer, at}, {&Timestamp{}, int64(1_795_219_201), at},
		{&Timestamp{}, int64(0), Timestamp{time.Unix(0, 0).UTC()}},
		{&NullableTimestamp{}, summer, NullableTimestamp{&at.t}},
		{&Share{}, int64(123), Share{123}}, {&Share{}, int32(124), Share{124}}, {&Percent{}, int64(-5), Percent{tenths(-5)}},
		{&Score{}, int32(135975), Score{ptr(int64(135975))}}, {&EmbargoedPosition{}, int64(41), EmbargoedPosition{41}},
		{&Keys{}, "", Keys{}}, {&Keys{}, "a", Keys{"a"}}, {&Keys{"old"}, "b,c_d", Keys{"b", "c_d"}},
	} {
		err := c.to.Scan(c.value)
		if got := reflect.ValueOf(c.to).Elem().Interface(); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%T of %v: %v and %v, want %v", c.to, c.value, got, err, c.want)
		}
	}
	for want, to := range map[string]interface{ Scan(any) error }{"bool is no list of names": &Keys{},
		"bool is no time":         &Date{},
		"bool is no whole number": &Share{}} {
		if err := to.Scan(true); err == nil || err.Error() != want {
			t.Errorf("%T: %v, want %s", to, err, want)
		}
	}
}
