package corrections

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"labour/sources"
)

func correction(kind, record, field, old, fresh string) Correction {
	return Correction{Source: "s", Kind: kind, Record: record, Field: field, Old: old, New: fresh, Reason: "r",
		DecidedBy:  "b",
		DecidedDay: "2026-11-01"}
}

func TestApply(t *testing.T) {
	day := sources.Date{Year: 2025, Month: 7, Day: 31}
	start := sources.Statistic{Metric: "apprenticeship_starts", RegionCode: "E92000001", PeriodEnd: day,
		SubjectArea: "All of it", Value: 100}
	list := []Correction{
		correction("statistic", "apprenticeship_starts E92000001 2025-07-31 All of it", "value", "100", "<5"),
		correction("area", "council W06000001", "name", "Mon", "Isle of Anglesey"),
		correction("area", "council W06000001", "name_welsh", "", "Ynys Môn"),
		correction("area", "council E09000007", "name", "Camdem", "Camden"),
		correction("area", "council E09000008", "name", "Croyden", "Croydon"),
		correction("area", "county E09000008", "name", "Croyden", "Croydon"),
	}
	if err := ValidateList(list); err != nil {
		t.Fatal(err)
	}
	s := NewSet(list)
	for _, tt := range []struct{ in, want sources.Record }{
		{start, sources.Statistic{Metric: start.Metric, RegionCode: start.RegionCode, PeriodEnd: day,
			SubjectArea: "All of it", Symbol: sources.SymbolUnderFive}},
		{sources.Area{Kind: "council", Code: "W06000001", Name: "Mon"},
			sources.Area{Kind: "council", Code: "W06000001", Name: "Isle of Anglesey", NameWelsh: "Ynys Môn"}},
		{sources.Area{Kind: "council", Code: "E09000007", Name: "Camden Town"},
			sources.Area{Kind: "council", Code: "E09000007", Name: "Camden Town"}},
		{sources.Area{Kind: "council", Code: "E09000007", Name: "Camdem"}, // an older extract
			sources.Area{Kind: "council", Code: "E09000007", Name: "Camden"}},
		{sources.Area{Kind: "council", Code: "E09000008", Name: "Croyden"},
			sources.Area{Kind: "council", Code: "E09000008", Name: "Croydon"}},
		{sources.Advert{ID: "a-1", Title: "Cook"}, sources.Advert{ID: "a-1", Title: "Cook"}},
		{sources.Resident{ID: "a-1"}, sources.Resident{ID: "a-1"}},
	} {
		if got := s.Apply("s", tt.in); fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%+v became %+v, want %+v", tt.in, got, tt.want)
		}
	}
	misspelt := sources.Area{Kind: "council", Code: "E09000008", Name: "Croyden"}
	if got := s.Apply("other", misspelt); got != misspelt {
		t.Errorf("a record of another source was corrected: %+v", got)
	}
	var outcomes []Outcome
	s.ForEachOutcome(func(_ Correction, o Outcome) { outcomes = append(outcomes, o) })
	if want := []Outcome{OutcomeApplied, OutcomeApplied, OutcomeApplied, OutcomeOldValueDiffers, OutcomeApplied,
		OutcomeRecordNotFound}; !slices.Equal(outcomes, want) {
		t.Errorf("outcomes %v, want %v", outcomes, want)
	}
}

func TestCheckTellsEverythingAtOnce(t *testing.T) {
	bad := []Correction{
		{}, correction("resident", "r-1", "borough", "a", "b"), correction("area", "a-1", "code", "a", "b"),
		correction("statistic", "x", "value", "100", "3"), correction("advert", "a-1", "title", "a", "b"),
		correction("area", "a-1", "name", "same", "same"), correction("evidence", "e", "signal", "gap", "none"),
		correction("area", "a-9", "name", "a", "b"), correction("area", "a-9", "name", "c", "d"),
		correction("statistic", "y", "value", "3", "100"),
	}
	err := ValidateList(bad)
	for _, part := range []string{"corrections[0]: source and record", "reason and by", `decided ""`,
		`corrections[1]: kind "resident" must be one of area, statistic`, `field "code" of area`, `corrections[3]: new: "3" must be 0`, `corrections[9]: old: "3" must be 0`,
		`corrections[4]: kind "advert"`, "old and new are the same", `corrections[6]: kind "evidence"`,
		"corrections[8]: name of a-9 is corrected twice"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("nothing says %q in:\n%v", part, err)
		}
	}
}

// The reason of a correction is one line of at most 300 characters, because headers and pages show
// it. A block of text in YAML ends with a line break.
func TestReasonIsOneLine(t *testing.T) {
	for reason, ok := range map[string]bool{
		"A digit is wrong.": true, "A digit is wrong.\n": true, strings.Repeat("é", 300): true,
		strings.Repeat("é", 301): false, "A digit\nis wrong.": false, "A\tdigit": false, "A\r": false,
	} {
		c := correction("area", "a-1", "name", "a", "b")
		c.Reason = reason
		if err := ValidateList([]Correction{c}); (err == nil) != ok {
			t.Errorf("%q: %v", reason, err)
		}
	}
}

// A correction may be decided on the day itself, and not later.
func TestDecidedInTheFuture(t *testing.T) {
	list := []Correction{correction("area", "a-1", "name", "a", "b"), correction("area", "a-2", "name", "a", "b")}
	list[1].DecidedDay = "2026-11-02"
	if err := CheckNotDecidedAfter(list, sources.Date{Year: 2026, Month: 11, Day: 2}); err != nil {
		t.Error(err)
	}
	err := CheckNotDecidedAfter(list, sources.Date{Year: 2026, Month: 11, Day: 1})
	if err == nil || err.Error() != "corrections[1]: decided 2026-11-02 is in the future, after 2026-11-01" {
		t.Error(err)
	}
}

// A name is not corrected to nothing, but a Welsh name can be removed.
func TestEmptyNames(t *testing.T) {
	for _, tt := range []struct{ kind, field, want string }{
		{"area", "name", "corrections[0]: new: a name must not be empty"},
		{"statistic", "region_name", "corrections[0]: new: a name must not be empty"},
		{"area", "name_welsh", ""},
	} {
		for _, fresh := range []string{"", " "} {
			err := ValidateList([]Correction{correction(tt.kind, "r-1", tt.field, "a", fresh)})
			if (err == nil) != (tt.want == "") || err != nil && err.Error() != tt.want {
				t.Errorf("%s %q: %v, want %q", tt.field, fresh, err, tt.want)
			}
		}
	}
}

// Each of the four things that a correction must name is asked for by itself.
func TestEachPartIsAskedFor(t *testing.T) {
	for part, change := range map[string]func(*Correction){
		"source": func(c *Correction) { c.Source = "" }, "record": func(c *Correction) { c.Record = "" },
		"reason": func(c *Correction) { c.Reason = " " }, "by": func(c *Correction) { c.DecidedBy = "" },
	} {
		c := correction("area", "council E09000007", "name", "Camdem", "Camden")
		change(&c)
		if err := ValidateList([]Correction{c}); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("without %s: %v", part, err)
		}
	}
}

// A count is corrected to 0, a whole number from 5 to the bound of all counts, <5 or null, and
// printed again as it was given.
func TestCountsAtTheirEdges(t *testing.T) {
	for value, taken := range map[string]bool{"0": true, "5": true, "10": true, "<5": true, "null": true,
		"1000000000": true, "1000000001": false, "5000000000000000": false,
		"1": false, "4": false, "-1": false, "1a": false, "5.0": false, "": false} {
		c := correction("statistic", "apprenticeship_starts E92000001 2025-07-31 Total", "value", "100", value)
		if err := ValidateList([]Correction{c}); (err == nil) != taken {
			t.Errorf("%q: %v, taken is %t", value, err, taken)
		}
		if !taken {
			continue
		}
		var s sources.Statistic
		if err := setPrinted(&s, value); err != nil || printValue(s) != value {
			t.Errorf("%q is printed again as %q, %v", value, printValue(s), err)
		}
	}
}

// A corrected field changes and no other does, whatever the record holds; what does
// not say the old value stays as it is.
func TestOnlyTheFieldChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, names := rapid.SampledFrom([]string{"", "a", "b"}), []string{"name", "name_welsh"}
		in := sources.Area{Kind: "council", Code: "a-1", Name: text.Draw(t, "name"), NameWelsh: text.Draw(t, "Welsh")}
		c := correction("area", "council a-1", rapid.SampledFrom(names).Draw(t, "field"), text.Draw(t, "old"), "new")
		out := NewSet([]Correction{c}).Apply("s", in)
		was, _ := fieldValue(in, c.Field)
		for _, field := range names {
			want, _ := fieldValue(in, field)
			if field == c.Field && was == c.Old {
				want = "new"
			}
			if got, _ := fieldValue(out, field); got != want {
				t.Fatalf("%s is %q, want %q, by %+v", field, got, want, c)
			}
		}
	})
}

// A number that is not published is corrected as it is printed, and its name is corrected as any
// text is.
func TestStatisticsWithASymbol(t *testing.T) {
	small := sources.Statistic{Value: 0, Symbol: sources.SymbolUnderFive, RegionName: "Kent"}
	missing := sources.Statistic{Value: 0, Symbol: sources.SymbolNotPublished, RegionName: "Kent"}
	number := sources.Statistic{Value: 0, RegionName: "Kent"}
	for _, tt := range []struct {
		in              sources.Statistic
		field, old, new string
		want            sources.Statistic
	}{
		{small, "value", "<5", "12", sources.Statistic{Value: 12, RegionName: "Kent"}},
		{small, "value", "0", "12", small},
		{missing, "value", "null", "0", number},
		{missing, "value", "0", "12", missing},
		{number, "value", "0", "null", missing},
		{number, "value", "0", "<5", small},
		{number, "region_name", "Kent", "Kent and Medway", sources.Statistic{RegionName: "Kent and Medway"}},
		{missing, "region_name", "null", "Kent and Medway", missing},
	} {
		c := correction("statistic", "  0000-00-00 ", tt.field, tt.old, tt.new)
		kind, record := recordName(tt.in)
		c.Record = record
		if got := NewSet([]Correction{c}).Apply("s", tt.in); kind != "statistic" || got != tt.want {
			t.Errorf("%s from %q to %q: %+v became %+v, want %+v", tt.field, tt.old, tt.new, tt.in, got, tt.want)
		}
	}
}

// A field that no correction may name has no value and takes none.
func TestFieldsThatCannotBeCorrected(t *testing.T) {
	for _, r := range []sources.Record{sources.Area{Code: "a-1"}, sources.Statistic{}, sources.AreaCodeChange{From: "a"}} {
		if value, ok := fieldValue(r, "code"); ok || value != "" {
			t.Errorf("%T has the value %q", r, value)
		}
		got, err := withField(r, "code", "b")
		if err == nil || !strings.Contains(err.Error(), `has no field "code"`) || got != r {
			t.Errorf("%+v became %+v, %v", r, got, err)
		}
	}
}

// Of a kind that is not known nothing is said about its field, which may be right.
func TestAnUnknownKindIsOneError(t *testing.T) {
	err := ValidateList([]Correction{correction("resident", "r-1", "borough", "a", "b")})
	want := `corrections[0]: kind "resident" must be one of area, statistic`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	err = ValidateList([]Correction{correction("area", "council E09000007", "nam", "a", "b")})
	want = `corrections[0]: field "nam" of area must be one of name, name_welsh`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestCorrectionsOfOtherSourcesAreRemarks: they have no effect, and are named by their place in the
// configuration.
func TestCorrectionsOfOtherSourcesAreRemarks(t *testing.T) {
	own, other := correction("area", "council W06000001", "name", "a", "b"), correction("job", "1", "title", "a", "b")
	other.Source = "boards"
	effective, remarks := SplitBySource([]Correction{own, other, own}, []sources.Info{{Key: "x"}, {Key: "s"}})
	if !slices.Equal(effective, []Correction{own, own}) || len(remarks) != 1 ||
		!strings.HasPrefix(remarks[0], "corrections[1] is for boards, which is not configured: it has no effect") {
		t.Errorf("%+v, %q", effective, remarks)
	}
}

// TestOutcomesAreExplained: each outcome has a meaning of its own, and an unknown one has none.
func TestOutcomesAreExplained(t *testing.T) {
	for outcome, want := range map[Outcome]string{
		OutcomeApplied:         "the record has the new value",
		OutcomeOldValueDiffers: "the source's value is not the stated old value, or no longer is",
		OutcomeRecordNotFound:  "no such record was read",
		"other":                "",
	} {
		if got := outcome.Explain(); got != want {
			t.Errorf("%s is explained as %q, want %q", outcome, got, want)
		}
	}
}
