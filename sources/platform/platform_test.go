package platform

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"labour/sources"
	"labour/sources/sourcetest"
)

func gzipped(t testing.TB, s string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, s); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zstandard(t testing.TB, s string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(s), nil))
}

// feed is every example of FEED.md, in all three compressions.
func feed(t testing.TB) map[string]string {
	all := examples(t)
	body := func(k RecordKind) string { return strings.Join(all[k], "\n") + "\n" }
	return map[string]string{
		"/index.json": `{"files":["adverts-2026-10.ndjson","applications.ndjson.gz","boroughs.ndjson","events-1.ndjson.zst",
			"pathways.ndjson","residents-a.ndjson.zst","residents-b.ndjson","s106.ndjson"]}`,
		"/adverts-2026-10.ndjson": body(KindAdverts), "/applications.ndjson.gz": gzipped(t, body(KindApplications)),
		"/boroughs.ndjson": body(KindBoroughs), "/events-1.ndjson.zst": zstandard(t, body(KindEvents)),
		"/pathways.ndjson": body(KindPathways), "/residents-a.ndjson.zst": zstandard(t, all[KindResidents][0]),
		"/residents-b.ndjson": all[KindResidents][1], "/s106.ndjson": body(KindS106),
	}
}

func TestSuite(t *testing.T) {
	sourcetest.Run(t, sourcetest.Case{
		NewSource: func(base string) sources.Source {
			return New(Config{FeedAddress: base, Name: "London Works"})
		},
		Publisher:    sourcetest.ServeBodies(feed(t)),
		WantTerms:    sources.Terms{MayFetch: true, MayCount: true, MayRepublish: true},
		CheckRecords: wantExamples,
	})
}

func wantExamples(t *testing.T, records []sources.Record) {
	t.Helper()
	want := []sources.Record{
		sources.Borough{Slug: "camden", Name: "Camden", Code: "E09000007"},
		sources.Advert{Source: "platform", ID: "ad-1001", Listed: true, Employer: "Example Care Ltd", Title: "Care worker",
			Kind: "job", Posted: sources.Date{Year: 2026, Month: 10, Day: 31}},
		sources.Advert{Source: "platform", ID: "ad-1002", Origin: sources.OriginPlatform, Listed: true,
			Employer: "Example Rail plc", Title: "Rail engineering apprentice", Requisition: "R-77",
			ApplyURL: "https://works.example/apply/1002", Link: "https://works.example/jobs/1002", Kind: "apprenticeship",
			Posted: sources.Date{Year: 2026, Month: 10, Day: 2}, Closes: sources.Date{Year: 2026, Month: 11, Day: 30},
			Locations: []sources.Location{{Slug: "camden"}, {Slug: "islington"}, {Text: "Watford Junction"}},
			Route:     "engineering-and-manufacturing", SOC: "5223", CourseLevel: 3, SalaryText: "£18,500 a year",
			Wanted: []sources.ListedSkill{{Skill: "fault-finding", Level: 2}, {Skill: "Teamwork"}},
			Text:   "You learn to maintain trains."},
	}
	if len(records) != 11 {
		t.Fatalf("%d records, want 11", len(records))
	}
	applications := []sources.Record{
		sources.Application{ID: "ap-1", Resident: "r-5f2c", Advert: "ad-1002", Outcome: sources.OutcomePending,
			AppliedAt: time.Date(2026, 10, 5, 9, 30, 0, 0, time.UTC)},
		sources.Application{ID: "ap-2", Resident: "r-90aa", Advert: "ad-1002", Outcome: sources.OutcomeTurnedDown,
			AppliedAt: time.Date(2026, 10, 6, 17, 2, 11, 0, time.UTC), RecordedAt: time.Date(2026, 10, 20, 8, 0, 0, 0, time.UTC),
			Skills: []sources.RequiredSkill{{Skill: "fault-finding", AskedLevel: 2, TurnedDownFor: true},
				{Skill: "teamwork", AskedLevel: 2, HeldLevel: 3}}},
	}
	// In the order of reading, whatever the files are called: residents and applications come last.
	if diff := cmp.Diff(append(want, applications...), append(records[:3:3], records[9:11]...)); diff != "" {
		t.Error(diff)
	}
	if got := records[7].(sources.Resident); !cmp.Equal(got,
		sources.Resident{ID: "r-5f2c", Borough: "camden", SeekingWork: true,
			SectorSought: "engineering-and-manufacturing", Skills: []sources.SkillLevel{{Skill: "fault-finding", Level: 1}}}) {
		t.Errorf("resident: %+v", got)
	}
	if got := records[6].(sources.S106Development); got.ContributionsGBP != 250000 || got.LocalPeopleEmployed != 12 {
		t.Errorf("development: %+v", got)
	}
}

// memory is an Opener over bodies in memory.
type memory map[string]string

func (m memory) Open(o sources.ArchivedObject) (sources.Body, error) {
	return io.NopCloser(strings.NewReader(m[o.Name])), nil
}

func (m memory) extract(names ...string) sources.Extract {
	x := sources.Extract{Source: Key}
	for _, n := range names {
		x.Objects = append(x.Objects, sources.ArchivedObject{Name: n})
	}
	return x
}

// collect reads files given as name, body, name, body, …, and leaves out the
// faults on kinds that the test does not need.
func collect(t *testing.T, pairs ...string) ([]sources.Record, []sources.Fault) {
	t.Helper()
	m, names := memory{}, []string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
		names = append(names, pairs[i])
	}
	records, faults, err := sourcetest.ReadExtract(New(Config{}), m.extract(names...), m)
	if err != nil {
		t.Fatal(err)
	}
	var kept []sources.Fault
	for _, f := range faults {
		if f.Object != IndexObjectName || m[IndexObjectName] != "" && f.Code != sources.FaultFileMissing {
			kept = append(kept, f)
		}
	}
	return records, kept
}

const (
	good   = `{"slug":"camden","name":"Camden","code":"E09000007"}`
	second = `{"slug":"brent","name":"Brent","code":"E09000005"}`
	site   = `{"id":"s-1","borough":"camden","obligations":9,"jobs_created":9,"apprenticeships_started":9,` +
		`"local_people_employed":9,"training_places":9,"contributions_gbp":9}`
)

// A kind of records that is mostly faulty is not read to its end: a small file can unpack to millions
// of lines. Its other files are not read either, but other kinds are. A kind that is mostly good is
// read whole, however many lines are bad.
func TestAFeedThatIsNone(t *testing.T) {
	const bad = 2 * maxFaults
	var half strings.Builder
	for i := range bad {
		fmt.Fprintf(&half, `{"slug":"b%[1]d","name":"B","code":"E08%06[1]d"}`+"\n{}\n", i)
	}
	read := func(body string) (faults []sources.Fault, sites int) {
		m := memory{"boroughs.ndjson": gzipped(t, body), "boroughs-2.ndjson": "{}", "s106.ndjson": site + "\n"}
		records, faults, err := sourcetest.ReadExtract(New(Config{Kinds: []RecordKind{KindBoroughs, KindS106}}),
			m.extract("boroughs.ndjson", "boroughs-2.ndjson", "s106.ndjson"), m)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			if _, ok := r.(sources.S106Development); ok {
				sites++
			}
		}
		return faults, sites
	}
	faults, sites := read(strings.Repeat("{}\n", 5*bad))
	want := sources.Fault{Source: Key, Object: "boroughs.ndjson", Code: sources.FaultSchema,
		Detail: "more than half of the lines of the feed's boroughs cannot be used; the rest is not read"}
	if n := len(faults); n > bad || faults[n-1] != want || sites != 1 {
		t.Errorf("no good line: %d faults, the last %+v; %d sites", n, faults[n-1], sites)
	}
	if faults, sites := read(half.String()); len(faults) < bad || sites != 1 {
		t.Errorf("half of it good: %d faults, %d sites", len(faults), sites)
	}
}

func TestOneBadLineCostsNoOther(t *testing.T) {
	long := `{"slug":"` + strings.Repeat("a", maxLine) + `"}`
	for name, c := range map[string]struct {
		line string
		code sources.FaultCode
		says []string
	}{
		"not JSON":    {`{"slug":`, sources.FaultNotJSON, []string{"not JSON"}},
		"two objects": {good + good, sources.FaultNotJSON, nil},
		"trailing":    {good + ` {`, sources.FaultNotJSON, nil},
		"not UTF-8":   {"{\"slug\":\"\xff\"}", sources.FaultNotJSON, []string{"UTF-8"}},
		"a list":      {`[]`, sources.FaultSchema, []string{"object"}},
		"null":        {`null`, sources.FaultSchema, nil},
		"unknown": {`{"slug":"a","name":"A","code":"E09000007","population":7}`, sources.FaultSchema,
			[]string{`"population"`, "unknown"}},
		"personal": {`{"slug":"a","name":"A","code":"E09000007","contact_email":"x"}`, sources.FaultSchema,
			[]string{`"contact_email"`, "personal data"}},
		"missing": {`{"slug":"a"}`, sources.FaultSchema, []string{`"name"`, `"code"`}},
		"twice": {`{"slug":"a","slug":"b","name":"A","code":"E09000007"}`, sources.FaultSchema,
			[]string{"given twice"}},
		"null property": {`{"slug":null,"name":"A","code":"E09000007"}`, sources.FaultSchema,
			[]string{"slug is null", "leave"}},
		"wrong type": {`{"slug":7,"name":"A","code":"E09000007"}`, sources.FaultSchema,
			[]string{"slug must be a string"}},
		"too long": {long, sources.FaultSchema, []string{fmt.Sprint(maxLine)}},
		"the code of another": {`{"slug":"a","name":"A","code":"E09000007"}`, sources.FaultBadValue,
			[]string{"another borough of this feed has the code E09000007"}},
		"the id of another": {good, sources.FaultBadValue, []string{"duplicate id", "first is kept"}},
	} {
		t.Run(name, func(t *testing.T) {
			records, faults := collect(t, "boroughs.ndjson", good+"\r\n\n"+c.line+"\n"+second)
			want := []sources.Record{sources.Borough{Slug: "camden", Name: "Camden", Code: "E09000007"},
				sources.Borough{Slug: "brent", Name: "Brent", Code: "E09000005"}}
			if diff := cmp.Diff(want, records); diff != "" {
				t.Error(diff)
			}
			if len(faults) != 1 || faults[0].Code != c.code || faults[0].Where != "line 3" ||
				faults[0].Object != "boroughs.ndjson" {
				t.Fatalf("faults %+v, want one %s on line 3", faults, c.code)
			}
			for _, s := range c.says {
				if !strings.Contains(faults[0].Detail, s) {
					t.Errorf("%q does not say %q", faults[0].Detail, s)
				}
			}
		})
	}
}

func TestFaultNamesThePlaceAndNoValue(t *testing.T) {
	line := `{"id":"Jo Bloggs","borough":"jo@works.example","seeking_work":"07700900123","skills":[{"skill":"a","level":1},{"skill":"b","level":9,"phone":"07700900123"}]}`
	_, faults := collect(t, "residents.ndjson", line)
	if len(faults) != 1 {
		t.Fatalf("%+v", faults)
	}
	for _, s := range []string{"id must", "borough must", "seeking_work must", "skills[1].level must",
		`skills[1] has the property "phone"`} {
		if !strings.Contains(faults[0].Detail, s) {
			t.Errorf("%q does not say %q", faults[0].Detail, s)
		}
	}
	for _, s := range []string{"Bloggs", "works.example", "07700900123"} {
		if strings.Contains(faults[0].Detail, s) {
			t.Errorf("%q holds a person's data", faults[0].Detail)
		}
	}
}

// TestLongNamesOfPropertiesAreShortened at 40 characters.
func TestLongNamesOfPropertiesAreShortened(t *testing.T) {
	whole := strings.Repeat("é", 40)
	for name, want := range map[string]string{whole: `"` + whole + `"`, whole + "x": `"` + whole + `…"`} {
		line := fmt.Sprintf(`{"id":"r-1","borough":"camden","seeking_work":true,%q:1}`, name)
		_, faults := collect(t, "residents.ndjson", line)
		if len(faults) != 1 || !strings.Contains(faults[0].Detail, want) {
			t.Errorf("%+v does not have %s", faults, want)
		}
	}
}

// Many chunks and several workers: the order is that of the lines.
func TestOrderIsThatOfTheLines(t *testing.T) {
	var first, next strings.Builder
	for i := range 20_000 {
		if i%1000 == 7 {
			fmt.Fprintln(&first, `{"broken":`)
			continue
		}
		fmt.Fprintln(&first, application(i))
	}
	for i := 20_000; i < 30_000; i++ {
		fmt.Fprintln(&next, application(i))
	}
	records, faults := collect(t, "applications-1.ndjson", first.String(), "applications-2.ndjson.zst",
		zstandard(t, next.String()))
	if len(records) != 29_980 || len(faults) != 20 || faults[1].Where != "line 1008" {
		t.Fatalf("%d records, %d faults, %+v", len(records), len(faults), faults[:min(2, len(faults))])
	}
	for i, last := 0, -1; i < len(records); i++ {
		var n int
		fmt.Sscanf(records[i].(sources.Application).ID, "ap-%d", &n)
		if n <= last {
			t.Fatalf("record %d is %d after %d", i, n, last)
		}
		last = n
	}
}

// stopper is a sink that gives up.
type stopper struct{ err error }

func (s stopper) Emit(sources.Record) error { return s.err }
func (s stopper) Fault(sources.Fault)       {}

func TestReadStops(t *testing.T) {
	m := memory{"applications.ndjson": strings.Repeat(application(1)+"\n", 10_000)}
	full := errors.New("disk full")
	if err := New(Config{}).Read(context.Background(), m.extract("applications.ndjson"), m,
		stopper{full}); !errors.Is(err, full) {
		t.Errorf("a sink that fails: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := New(Config{}).Read(ctx, m.extract("applications.ndjson"), m, stopper{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func FuzzLine(f *testing.F) {
	for i, k := range RecordKinds() {
		for _, line := range examples(f)[k] {
			f.Add(i, []byte(line))
		}
		for _, line := range oddLines() {
			f.Add(i, []byte(line))
		}
	}
	f.Fuzz(func(t *testing.T, i int, line []byte) {
		k := RecordKinds()[uint(i)%uint(len(RecordKinds()))]
		record, _, err := decoded(k, string(line))
		valid := utf8.Valid(line) && json.Valid(line)
		if errors.Is(err, errSyntax) == valid {
			t.Fatalf("%s\nJSON %v, and the parser says %v", line, valid, err)
		}
		if err == nil && record == nil {
			t.Fatal("no record and no error")
		}
	})
}
