package formats_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/serve/api"
	"labour/serve/formats"
	"labour/serve/formats/formatstest"
	"labour/snapshots/figure"
)

// texts are as awkward as texts can be.
func texts() *rapid.Generator[string] {
	return rapid.OneOf(rapid.StringMatching(`[a-z ]{0,8}`), rapid.String(),
		rapid.StringMatching(`['=+@,;"\r\n\t＝－é-]{0,4}[a-z]?`))
}

// fill draws a value of any type of a row.
func fill(t *rapid.T, v reflect.Value) {
	moment := func() time.Time { return time.Unix(rapid.Int64Range(-1e9, 4e9).Draw(t, "time"), 0) }
	some := func() bool { return rapid.Bool().Draw(t, "some") }
	tenths := func() *figure.Tenths {
		n := figure.Tenths(rapid.Int64Range(-9999, 99999).Draw(t, "tenths"))
		return &n
	}
	switch p := v.Addr().Interface().(type) {
	case *api.Date:
		*p = api.DateOf(moment())
	case *api.Timestamp:
		*p = api.TimestampOf(moment())
	case *api.NullableDate:
		if some() {
			at := moment()
			p.T = &at
		}
	case *api.NullableTimestamp:
		if some() {
			at := moment()
			p.T = &at
		}
	case *api.Count:
		p.Count = figure.CountOf(rapid.Int64Range(-1, 9).Draw(t, "count"))
	case *api.Share:
		p.Tenths = *tenths()
	case *api.Percent:
		if some() {
			p.Tenths = tenths()
		}
	case *api.Score:
		if n := rapid.Int64Range(0, 10000).Draw(t, "score"); some() {
			p.TenThousandths = &n
		}
	case *api.EmbargoedPosition: // in no file
	case *api.Keys:
		*p = rapid.SliceOfN(rapid.StringMatching(`[a-z_]{1,6}`), 0, 3).Draw(t, "keys")
	default:
		fillKind(t, v)
	}
}

func fillKind(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(texts().Draw(t, "text"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "int"))
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "some") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	default:
		panic(v.Type())
	}
}

// Whatever the rows hold, the three formats say the same.
func TestFormatsSayTheSame(t *testing.T) {
	t.Run("skills-unmet", sameOf[api.SkillsUnmetRow])
	t.Run("skills-gaps", sameOf[api.SkillsGapsRow])
	t.Run("course-demand", sameOf[api.CourseDemandRow])
	t.Run("evidence", sameOf[api.EvidenceRow])
	t.Run("sources", sameOf[api.SourcesRow])
	t.Run("regions", sameOf[api.RegionsRow])
	t.Run("jobs", sameOf[api.JobsRow])
	t.Run("demand", sameOf[api.DemandRow])
	t.Run("trends", sameOf[api.TrendsRow])
	t.Run("outlook", sameOf[api.OutlookRow])
	t.Run("reach", sameOf[api.ReachRow])
	t.Run("signals", sameOf[api.SignalsRow])
	t.Run("priorities", sameOf[api.PrioritiesRow])
}

func sameOf[R any](t *testing.T) {
	layout, err := formats.NewLayout[R]()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		rows := make([]R, rapid.IntRange(0, 3).Draw(rt, "rows"))
		for i := range rows {
			fill(rt, reflect.ValueOf(&rows[i]).Elem())
		}
		answer := api.Envelope[R, api.Meta]{Data: rows, AttributionNotice: api.AttributionNotice,
			Meta:    api.Meta{Snapshot: "2026-11-20.1", Returned: len(rows)},
			Sources: sourcesOf(rows)}
		body, csv, parquet := write(t, layout, answer)
		formatstest.CheckEqual(t, body, csv, parquet)
		if t.Failed() {
			rt.Fatalf("%s\n%s", body, csv)
		}
	})
}

// sourcesOf names the source of every row, and one that no row names.
func sourcesOf[R any](rows []R) []api.Source {
	if len(rows) == 0 {
		return []api.Source{}
	}
	out := []api.Source{{Key: "behind all", AttributionStatement: "Source: all of it."}}
	seen := map[string]bool{}
	for i := range rows {
		if f := reflect.ValueOf(&rows[i]).Elem().FieldByName("SourceKey"); f.IsValid() && !seen[f.String()] {
			seen[f.String()] = true
			out = append(out, api.Source{Key: f.String(), AttributionStatement: fmt.Sprintf("Source: %q.", f.String())})
		}
	}
	return out
}

func write[R any](t testing.TB, layout *formats.Layout[R],
	answer api.Envelope[R, api.Meta]) (body, csv, parquet []byte) {
	t.Helper()
	var inJSON, inCSV, inParquet bytes.Buffer
	f := formats.Response[R]{Endpoint: "/v1/labour/x", Rows: answer.Data,
		Sources: answer.Sources, ResponseMeta: answer.Meta}
	if err := errors.Join(json.NewEncoder(&inJSON).Encode(answer), layout.WriteCSV(&inCSV, f),
		layout.WriteParquet(&inParquet, f)); err != nil {
		t.Fatal(err)
	}
	return inJSON.Bytes(), inCSV.Bytes(), inParquet.Bytes()
}

func ptr[T any](v T) *T { return &v }

// The CSV file of a partner, byte by byte.
func TestCSVIsWrittenAsDocumented(t *testing.T) {
	layout, err := formats.NewLayout[api.SkillsUnmetRow]()
	if err != nil {
		t.Fatal(err)
	}
	row := api.SkillsUnmetRow{Rank: 1, Skill: "a", SkillName: `=1+1, "x"`, Level: 2, LevelName: "'quoted",
		SourceKey: "platform", AdvertsShare: api.Share{Tenths: 120}, AdvertsBase: "5-19",
		AdvertsMargin: api.Share{Tenths: 302},
		TurnedDown:    api.Count{Count: figure.CountOf(3)}, Difference: api.Percent{Tenths: ptr(figure.Tenths(-45))},
		Score: api.Score{TenThousandths: ptr(int64(55400))}}
	bucketed := api.SkillsUnmetRow{TurnedDown: api.Count{Count: figure.CountOf(0)}, Bucket: ptr(""),
		BucketName: ptr("-5"), SourceKey: "platform"}
	_, csv, _ := write(t, layout, api.Envelope[api.SkillsUnmetRow, api.Meta]{Data: []api.SkillsUnmetRow{row, bucketed},
		Sources: []api.Source{
			{Key: "employer_boards", AttributionStatement: "Source: employers."},
			{Key: "platform", AttributionStatement: "Source: Example Works."}}})
	want := strings.Join([]string{
		"rank,skill,skill_name,level,level_name,source_key,adverts_share_pct,adverts_base,adverts_share_margin_pct," +
			"people_below_share_pct,people_turned_down,people_turned_down_status,hired_with_skill_pct," +
			"turned_down_with_skill_pct,difference_pct_points,score,bucket,bucket_name,area_kind,attribution_statement",
		`1,a,"'=1+1, ""x""",2,''quoted,platform,12.0,5-19,30.2,,<5,under_5,,,-4.5,5.5400,,,,Source: employers. Source: ` +
			`Example Works.`,
		`0,,,0,,platform,0.0,,0.0,,0,number,,,,,','-5,,Source: employers. Source: Example Works.`,
	}, "\n") + "\n"
	if diff := cmp.Diff(want, string(csv)); diff != "" {
		t.Error(diff)
	}
}

func TestOddRowsAreRefused(t *testing.T) {
	type unnamed struct{ A string }
	type listed struct {
		A []int `json:"a"`
	}
	type maybe struct {
		A *struct{} `json:"a"`
	}
	for name, err := range map[string]error{"no name": second(formats.NewLayout[unnamed]()),
		"list of numbers": second(formats.NewLayout[listed]()), "object or null": second(formats.NewLayout[maybe]())} {
		if err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

var errUnwritable = errors.New("no JSON")

// unwritten is a text that is not written.
type unwritten string

func (unwritten) MarshalJSON() ([]byte, error) { return nil, errUnwritable }

type unwritable struct {
	Text unwritten `json:"text"`
}

// A row that is no JSON is an error in every format, and no file that lacks it.
func TestRowsThatCannotBeWrittenAreErrors(t *testing.T) {
	layout, err := formats.NewLayout[unwritable]()
	if err != nil {
		t.Fatal(err)
	}
	f := formats.Response[unwritable]{Endpoint: "/v1/labour/evidence", Rows: []unwritable{{}}}
	table, err := layout.Table(f)
	if !reflect.ValueOf(table).IsZero() {
		t.Errorf("a table with the rows %+v", table)
	}
	var out bytes.Buffer
	for name, err := range map[string]error{"table": err, "workbook": layout.WriteWorkbook(&out, f),
		"CSV": layout.WriteCSV(&out, f), "Parquet": layout.WriteParquet(&out, f)} {
		if !errors.Is(err, errUnwritable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func second[A any](_ A, err error) error { return err }

func benchmark(b *testing.B, write func(*formats.Layout[api.EvidenceRow], formats.Response[api.EvidenceRow]) error) {
	layout, err := formats.NewLayout[api.EvidenceRow]()
	if err != nil {
		b.Fatal(err)
	}
	rows := make([]api.EvidenceRow, 200)
	for i := range rows {
		rows[i] = api.EvidenceRow{ID: fmt.Sprint(i), Title: "Occupations in demand", Statement: "Demand is critical.",
			SourceKey: "platform", PublishedOn: api.DateOf(time.Unix(0, 0))}
	}
	f := formats.Response[api.EvidenceRow]{Endpoint: "/v1/labour/evidence", Rows: rows,
		Sources: []api.Source{{Key: "platform", AttributionStatement: "Source: Example Works."}}}
	for b.Loop() {
		if err := write(layout, f); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCSV(b *testing.B) {
	benchmark(b, func(l *formats.Layout[api.EvidenceRow], f formats.Response[api.EvidenceRow]) error {
		return l.WriteCSV(&bytes.Buffer{}, f)
	})
}

func BenchmarkParquet(b *testing.B) {
	benchmark(b, func(l *formats.Layout[api.EvidenceRow], f formats.Response[api.EvidenceRow]) error {
		return l.WriteParquet(&bytes.Buffer{}, f)
	})
}
