package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labour/serve/labourdata"
	"labour/snapshots/figure"
)

func encode(t testing.TB, v any) string {
	t.Helper()
	var e Encoder
	var b bytes.Buffer
	if err := e.Encode(&b, v); err != nil {
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
		{Count{figure.CountOf(0)}, `0`}, {Count{figure.CountOf(4)}, `"<5"`}, {Count{figure.CountOf(5)}, `5`}, {Count{}, `null`},
		{Share{0}, `0.0`}, {Share{120}, `12.0`}, {Share{123}, `12.3`}, {Share{1000}, `100.0`},
		{Percent{nil}, `null`}, {Percent{tenths(0)}, `0`}, {Percent{tenths(120)}, `12`}, {Percent{tenths(-5)}, `-0.5`}, {Percent{tenths(-30)}, `-3`},
		{Score{nil}, `null`}, {Score{ptr(int64(0))}, `0.00`}, {Score{ptr(int64(554))}, `5.54`}, {Score{ptr(int64(10000))}, `100.00`},
		{DateOf(at), `"2026-11-21"`}, {TimestampOf(at), `"2026-11-21T00:30:00Z"`},
		{MaybeTimestamp{nil}, `null`}, {MaybeTimestamp{&at}, `"2026-11-21T00:30:00Z"`},
	} {
		if got := encode(t, tt.v); got != tt.want {
			t.Errorf("%T %v: %s, want %s", tt.v, tt.v, got, tt.want)
		}
	}
}

// text draws texts that need escapes as often as ones that do not.
func text() *rapid.Generator[string] {
	return rapid.OneOf(rapid.StringMatching(`[a-z ]{0,8}`), rapid.String(), rapid.StringMatching(`[<>&"\\é\x00-\x1f\x{2028}]{0,6}`),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 6), func(b []byte) string { return string(b) }))
}

func maybe[T any](g *rapid.Generator[T]) *rapid.Generator[*T] { return rapid.Ptr(g, true) }

// sample draws an answer with every kind of field.
func sample(t *rapid.T) Envelope[SkillsUnmetRow, PeopleMeta] {
	at := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "at"), 0)
	e := Envelope[SkillsUnmetRow, PeopleMeta]{AttributionNotice: AttributionNotice,
		Meta: PeopleMeta{Meta{DateOf(at), TimestampOf(at), text().Draw(t, "snapshot"), 1, 2, maybe(text()).Draw(t, "cursor")}, MaybeDateOf(at)}}
	percent := maybe(rapid.Custom(func(t *rapid.T) figure.Tenths { return figure.Tenths(rapid.Int64Range(-1000, 1000).Draw(t, "tenths")) }))
	for range rapid.IntRange(0, 3).Draw(t, "rows") {
		e.Data = append(e.Data, FromSkillsUnmet(labourdata.SkillsUnmetRow{
			Rank: rapid.Int().Draw(t, "rank"), Skill: text().Draw(t, "skill"), SkillName: text().Draw(t, "name"),
			AdvertsShare: figure.Tenths(rapid.Int64Range(0, 1000).Draw(t, "share")), PeopleBelow: percent.Draw(t, "below"),
			TurnedDown: figure.CountOf(rapid.Int64Range(-1, 10).Draw(t, "down")), Score: maybe(rapid.Int64Range(0, 10000)).Draw(t, "score"),
			Bucket: maybe(text()).Draw(t, "bucket"),
		}))
		e.Sources = append(e.Sources, FromSource(labourdata.Source{Key: text().Draw(t, "key")}))
	}
	return e
}

// The encoder writes what encoding/json writes.
func TestEncoderAgreesWithEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOf(text())
		for _, v := range []any{
			sample(t),
			Error{Code: text().Draw(t, "code"), RetryAfterSeconds: maybe(rapid.Int64()).Draw(t, "retry"), Details: []Fault{{Allowed: list.Draw(t, "allowed")}, {}}},
			Error{}, FromSkillsGaps(labourdata.SkillsGapsRow{PointingSources: list.Draw(t, "keys"), BaseYear: maybe(rapid.Int()).Draw(t, "year")}),
			SourcesRow{Stale: rapid.Bool().Draw(t, "stale")}, CourseDemandRow{}, RegionsRow{NameWelsh: maybe(text()).Draw(t, "welsh")},
			map[string]string{"a": text().Draw(t, "map")}, []byte(nil), nil, struct{ A any }{1},
		} {
			var want bytes.Buffer
			j := json.NewEncoder(&want)
			j.SetEscapeHTML(false)
			if err := j.Encode(v); err != nil {
				t.Fatal(err)
			}
			var e Encoder
			var got bytes.Buffer
			if err := e.Encode(&got, v); err != nil || got.String() != want.String() {
				t.Fatalf("%T (%v):\n got %s\nwant %s", v, err, got.String(), want.String())
			}
		}
	})
}

// The rows are appended and not left to encoding/json, else the encoder is idle.
func TestEveryAnswerHasAPlan(t *testing.T) {
	for _, v := range []any{
		Envelope[SkillsUnmetRow, PeopleMeta]{}, Envelope[CourseDemandRow, Meta]{}, Envelope[SkillsGapsRow, Meta]{},
		Envelope[EvidenceRow, Meta]{}, Envelope[SourcesRow, Meta]{}, Envelope[RegionsRow, Meta]{}, ErrorBody{}, Health{}, Readiness{},
	} {
		var e Encoder
		if err := e.Encode(&bytes.Buffer{}, v); err != nil {
			t.Fatal(err)
		}
		e.plans.Range(func(k, p any) bool {
			if p.(appender) == nil {
				t.Errorf("%v is left to encoding/json", k)
			}
			return true
		})
	}
}

func benchmarkRows() Envelope[SkillsUnmetRow, PeopleMeta] {
	e := Envelope[SkillsUnmetRow, PeopleMeta]{AttributionNotice: AttributionNotice, Sources: []Source{{Key: "platform"}}}
	for i := range 50 {
		e.Data = append(e.Data, FromSkillsUnmet(labourdata.SkillsUnmetRow{
			Rank: i + 1, Skill: "spreadsheets", SkillName: "Spreadsheets", Level: 3, LevelName: "Working", SourceKey: "platform", AdvertsShare: 123,
			PeopleBelow: tenths(300), TurnedDown: figure.CountOf(int64(i)), HiredWith: tenths(500), TurnedDownWith: tenths(400), Difference: tenths(100), Score: ptr(int64(369)),
		}))
	}
	return e
}

func BenchmarkEncode50Rows(b *testing.B) {
	rows := benchmarkRows()
	var e Encoder
	var out bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		out.Reset()
		if err := e.Encode(&out, rows); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodingJSON50Rows(b *testing.B) {
	rows := benchmarkRows()
	var out bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		out.Reset()
		if err := encodeSlowly(&out, rows); err != nil {
			b.Fatal(err)
		}
	}
}
