package intake_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"labour/sources"
	"labour/sources/intake"
	"labour/sources/plaintext"
)

// records are one of each kind that a connector emits.
var records = []sources.Record{sources.Advert{}, sources.Borough{}, sources.Pathway{}, sources.Statistic{},
	sources.Area{}, sources.AreaCodeChange{},
	sources.Boundary{}, sources.Evidence{}, sources.OccupationGroup{}, sources.OccupationTitle{}, sources.Ward{},
	sources.Headline{}, sources.PlanPriority{}}

// fill sets every text of a record, and makes one of everything that it holds several of.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i), text)
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[[]byte]() {
			v.SetBytes([]byte(text))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text)
	}
}

// texts are all texts of a record, by their way.
func texts(v reflect.Value, way string, to map[string]string) {
	switch v.Kind() {
	case reflect.String:
		to[way] = v.String()
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				texts(v.Field(i), way+"."+v.Type().Field(i).Name, to)
			}
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[[]byte]() {
			to[way] = strings.NewReplacer("\x00", "", "\u202e", "").Replace(string(v.Bytes()))
			return
		}
		for i := range v.Len() {
			texts(v.Index(i), fmt.Sprintf("%s[%d]", way, i), to)
		}
	}
}

// No field of any record keeps what no store takes.
func TestEveryTextIsPlain(t *testing.T) {
	// words of this program
	closed := map[string]bool{"Advert.Origin": true, "Statistic.Symbol": true, "Headline.Topics[0]": true}
	for _, r := range records {
		kind := reflect.TypeOf(r)
		v := reflect.New(kind).Elem()
		fill(v, "a\x00\xff\u202eb")
		plain, nameless := intake.CleanRecord(v.Interface().(sources.Record))
		if nameless != "" {
			t.Errorf("%s lost its name", kind.Name())
		}
		found := map[string]string{}
		texts(reflect.ValueOf(plain), kind.Name(), found)
		for way, text := range found {
			if text != "ab" && !closed[way] {
				t.Errorf("%s is %q", way, text)
			}
		}
	}
}

// Words are decoded; ids, codes and addresses stay as they are.
func TestWordsAreDecoded(t *testing.T) {
	a := sources.Advert{ID: "a&amp;b", Link: "https://works.example/?a=1&amp;b=2",
		Title: "Health &amp;amp; Safety\n Officer", Employer: "Marks &amp; Co",
		SalaryText: "&pound;12.50 an hour", Text: "One &lt; two\nR&D",
		Locations: []sources.Location{{Text: "King&#39;s Lynn"}}}
	plain, _ := intake.CleanRecord(a)
	got := plain.(sources.Advert)
	if got.Title != "Health & Safety Officer" || got.Employer != "Marks & Co" || got.SalaryText != "£12.50 an hour" ||
		got.Text != "One < two\nR&D" || got.Locations[0].Text != "King's Lynn" || got.ID != a.ID || got.Link != a.Link {
		t.Errorf("%+v", got)
	}
	if a.Locations[0].Text != "King&#39;s Lynn" {
		t.Error("the connector's own record was changed")
	}
}

// breaking is a source whose connector panics, or emits a record whose name cannot be seen.
type breaking struct{ panics bool }

func (breaking) Info() sources.Info                           { return sources.Info{Key: "broken"} }
func (breaking) Fetch(context.Context, sources.Fetcher) error { return nil }
func (b breaking) Read(_ context.Context, _ sources.Extract, _ sources.Opener, out sources.RecordSink) error {
	if b.panics {
		panic("index out of range")
	}
	out.Fault(sources.Fault{Detail: "cell \x00\xff"})
	return out.Emit(sources.Area{Code: "E09000007", Name: "\u200b\x00"})
}

type collected struct {
	records []sources.Record
	faults  []sources.Fault
}

func (c *collected) Emit(r sources.Record) error { c.records = append(c.records, r); return nil }
func (c *collected) Fault(f sources.Fault)       { c.faults = append(c.faults, f) }

// TestTextsThatCleaningEmpties holds that a record is refused if a required text of it, or the only partner
// of an event, consists of invisible characters.
func TestTextsThatCleaningEmpties(t *testing.T) {
	const blank = "\u200b&#8203;\u202e"
	for name, r := range map[string]sources.Record{
		"partner of an event": sources.Event{ID: "x1", Partner: "\u200b\u202e"},
		"title of a step": sources.Pathway{ID: "x1", Title: "Care", Steps: []sources.PathwayStep{{Title: "One"},
			{Title: blank}}},
		"title of a standard": sources.Pathway{ID: "x1", Title: "Care",
			Standards: []sources.ApprenticeshipStandard{{Code: "ST1", Title: blank}}},
	} {
		if _, nameless := intake.CleanRecord(r); nameless != "x1" {
			t.Errorf("%s: the nameless record is %q", name, nameless)
		}
	}
	if _, nameless := intake.CleanRecord(sources.Event{ID: "x1"}); nameless != "" {
		t.Errorf("an event for every partner is refused: %q", nameless)
	}
}

func TestReadStopsNothing(t *testing.T) {
	var got collected
	if err := intake.ReadCleaned(t.Context(), breaking{true}, sources.Extract{}, nil, &got); sources.FaultCodeOf(
		err) != sources.FaultWrongFormat {
		t.Errorf("a connector that panics: %v", err)
	}
	if err := intake.ReadCleaned(t.Context(), breaking{}, sources.Extract{}, nil, &got); err != nil ||
		len(got.records) != 0 ||
		len(got.faults) != 2 {
		t.Errorf("%v, %+v", err, got)
	}
	for _, f := range got.faults {
		if !utf8.ValidString(f.Detail) || plaintext.FindProblem(f.Detail) != "" {
			t.Errorf("%+v", f)
		}
	}
}
