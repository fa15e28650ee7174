package platform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"
)

// schemaOf compiles the schema of a kind, with formats asserted.
func schemaOf(t testing.TB, k RecordKind) *jsonschema.Schema {
	t.Helper()
	b, err := os.ReadFile("schema/" + string(k) + ".json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	name := string(k) + ".json"
	if err := c.AddResource(name, doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile(name)
}

// examples are the lines of FEED.md's example of each kind.
func examples(t testing.TB) map[RecordKind][]string {
	t.Helper()
	md, err := os.ReadFile("FEED.md")
	if err != nil {
		t.Fatal(err)
	}
	found := map[RecordKind][]string{}
	block := regexp.MustCompile("(?s)```json\n(.*?)\n```")
	for _, k := range RecordKinds() {
		_, section, ok := strings.Cut(string(md), fmt.Sprintf("\n## `%s`\n", k))
		if !ok {
			t.Fatalf("FEED.md has no section on %s", k)
		}
		section, _, _ = strings.Cut(section, "\n## ")
		m := block.FindStringSubmatch(section)
		if m == nil {
			t.Fatalf("FEED.md has no example of %s", k)
		}
		found[k] = strings.Split(m[1], "\n")
	}
	return found
}

func TestFeedDocument(t *testing.T) {
	md, err := os.ReadFile("FEED.md")
	if err != nil {
		t.Fatal(err)
	}
	for k, lines := range examples(t) {
		schema := schemaOf(t, k)
		shown := map[string]bool{}
		for _, line := range lines {
			doc, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
			if err != nil {
				t.Fatalf("%s: %v in %s", k, err, line)
			}
			if err := schema.Validate(doc); err != nil {
				t.Errorf("%s: %v", k, err)
			}
			if _, _, err := decoded(k, line); err != nil {
				t.Errorf("%s is refused: %v", line, err)
			}
			names(doc, "", shown)
		}
		_, section, _ := strings.Cut(string(md), fmt.Sprintf("\n## `%s`\n", k))
		section, _, _ = strings.Cut(section, "\n## ")
		for _, name := range properties(schema, "") {
			if !strings.Contains(section, "| `"+name+"` |") {
				t.Errorf("FEED.md does not explain %s of %s", name, k)
			}
			if !shown[name] {
				t.Errorf("no example in FEED.md shows %s of %s", name, k)
			}
		}
	}
}

// names notes the properties of an example.
func names(v any, prefix string, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, x := range v {
			into[prefix+name] = true
			names(x, prefix+name, into)
		}
	case []any:
		for _, x := range v {
			names(x, prefix+"[].", into)
		}
	}
}

// properties lists the properties of a schema: `skills`, `skills[].level`.
func properties(s *jsonschema.Schema, prefix string) []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		all = append(all, prefix+name)
		if p.Items2020 != nil {
			all = append(all, properties(p.Items2020, prefix+name+"[].")...)
		}
	}
	return all
}

// agree checks that the parser and the schema say the same about a line.
func agree(t interface{ Fatalf(string, ...any) }, k RecordKind, schema *jsonschema.Schema, line []byte) bool {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err != nil {
		t.Fatalf("the test made no JSON: %v in %s", err, line)
	}
	broken := schema.Validate(doc)
	_, _, refused := decoded(k, string(line))
	if (broken == nil) != (refused == nil) {
		t.Fatalf("%s\nthe schema says: %v\nthe parser says: %v", line, broken, refused)
	}
	return refused == nil
}

// pool has values at the edges of every rule.
var pool = []any{
	nil, true, false, "", " ", "a", "A", "a-b", "a--b", "-a", "a-", "a_b", "a.b:c", "a b", "jo@works.example", "é",
	"\u0000", " a", "a ", "a\tb", "a\u007f", "Other Co", "\u00a0a",
	strings.Repeat("a", 100), strings.Repeat("a", 101), strings.Repeat("é", 200), strings.Repeat("é", 201),
	strings.Repeat("a", 200),
	strings.Repeat("a", 201), strings.Repeat("𝔘", 200), strings.Repeat("e", 5000), strings.Repeat("e", 5001),
	"http://a", "https://a", "http://", "ftp://a", "https://a b", "https://é", "HTTP://a",
	"https://" + strings.Repeat("a", 1992), "https://" + strings.Repeat("a", 1993),
	"2026-10-31", "2026-02-29", "2024-02-29", "1900-02-29", "2000-02-29", "2026-13-01", "2026-00-01", "2026-01-00",
	"2026-11-31", "1899-12-31", "1900-01-01",
	"2199-12-31", "2200-01-01", "2026-1-1", "20261031", "2026-10-31T09:30:00Z", "2026-10-31t09:30:00Z",
	"2026-10-31T09:30:00z", "2026-10-31T24:00:00Z",
	"2026-10-31T23:59:60Z", "2016-12-31T23:59:60Z", "2026-10-31T09:60:00Z", "2026-10-31T09:30:00",
	"2026-10-31T09:30:00.1Z", "2026-10-31T09:30:00.Z",
	"2026-10-31T09:30:00.123456789Z", "2026-10-31T09:30:00.1234567890Z", "2026-10-31T09:30:00+01:00",
	"2026-10-31T09:30:00-23:59", "2026-10-31T09:30:00+24:00",
	"2026-10-31T09:30:00+0100", "2026-02-30T09:30:00Z", "2026-10-31 09:30:00Z", "2026-10-31T09:30:00+01:00Z",
	"E09000007", "X09000007", "E0900007", "2136", "0136", "213", "21360", "hired", "turned_down", "withdrawn",
	"pending", "Hired", "job", "apprenticeship", "training",
	"platform", "employer_board", "job_board", "aggregator", "unknown", "click.recorded", "application.created",
	json.Number("0"), json.Number("1"), json.Number("2"), json.Number("5"), json.Number("6"), json.Number("7"),
	json.Number("8"), json.Number("9"), json.Number("-1"), json.Number("-0"),
	json.Number("3.0"), json.Number("3.5"), json.Number("30e-1"), json.Number("0.3e1"), json.Number("3e-1"),
	json.Number("1e9"), json.Number("1000000001"), json.Number("1e12"),
	json.Number("1000000000001"), json.Number("9223372036854775808"), json.Number("1e30"), json.Number("0e5"),
	json.Number("0.0"), json.Number("2.00000000000000000001"),
	json.Number("500"), json.Number("501"), []any{}, map[string]any{}, []any{"a"}, []any{nil}, []any{map[string]any{}},
	[]any{"camden", "a b"},
	many(500, "a"), many(501, "a"),
}

func many(n int, v any) []any {
	all := make([]any, n)
	for i := range all {
		all[i] = v
	}
	return all
}

// mutate changes one place of a document.
func mutate(t *rapid.T, doc map[string]any, s *jsonschema.Schema) {
	all := properties(s, "")
	name := rapid.SampledFrom(all).Draw(t, "property")
	target := doc
	if list, field, nested := strings.Cut(name, "[]."); nested {
		elements, _ := doc[list].([]any)
		if len(elements) == 0 {
			return
		}
		element, ok := elements[rapid.IntRange(0, len(elements)-1).Draw(t, "element")].(map[string]any)
		if !ok {
			return
		}
		target, name = element, field
	}
	switch rapid.IntRange(0, 9).Draw(t, "change") {
	case 0:
		delete(target, name)
	case 1:
		target[rapid.SampledFrom([]string{"email", "Id", "levels", "name ", "x", ""}).Draw(t, "extra")] = "x"
	case 2:
		if l, ok := target[name].([]any); ok && len(l) > 0 {
			target[name] = many(rapid.SampledFrom([]int{0, 1, 499, 500, 501}).Draw(t, "length"), l[0])
		}
	default:
		target[name] = rapid.SampledFrom(pool).Draw(t, "value")
	}
}

// The parser goes by the schemas; this holds what it makes of them to a validator.
func TestParserAgreesWithSchema(t *testing.T) {
	all := examples(t)
	for _, k := range RecordKinds() {
		t.Run(string(k), func(t *testing.T) {
			schema := schemaOf(t, k)
			accepted, refused := 0, 0
			rapid.Check(t, func(rt *rapid.T) {
				for range 10 {
					line := rapid.SampledFrom(all[k]).Draw(rt, "example")
					var doc map[string]any
					if err := json.Unmarshal([]byte(line), &doc); err != nil {
						rt.Fatal(err)
					}
					for range rapid.IntRange(0, 3).Draw(rt, "changes") {
						mutate(rt, doc, schema)
					}
					changed, err := json.Marshal(doc)
					if err != nil {
						rt.Fatal(err)
					}
					if agree(rt, k, schema, changed) {
						accepted++
					} else {
						refused++
					}
				}
			})
			if accepted == 0 || refused == 0 {
				t.Errorf("%d accepted and %d refused: the test proves nothing", accepted, refused)
			}
		})
	}
}

// Every value of the pool in every place, alone.
func TestParserAgreesAtEveryEdge(t *testing.T) {
	all := examples(t)
	for _, k := range RecordKinds() {
		schema := schemaOf(t, k)
		for _, name := range properties(schema, "") {
			for _, value := range pool {
				var doc map[string]any
				if err := json.Unmarshal([]byte(longest(all[k])), &doc); err != nil {
					t.Fatal(err)
				}
				target, leaf := doc, name
				if list, field, nested := strings.Cut(name, "[]."); nested {
					target, leaf = doc[list].([]any)[0].(map[string]any), field
				}
				target[leaf] = value
				line, err := json.Marshal(doc)
				if err != nil {
					t.Fatal(err)
				}
				agree(t, k, schema, line)
			}
		}
	}
}

func longest(lines []string) string {
	best := ""
	for _, l := range lines {
		if len(l) > len(best) {
			best = l
		}
	}
	return best
}

// A link that no browser follows, or that hides where it goes, is refused, and so is the name of a
// partner that cannot be read.
func TestHiddenLinksAndNamesAreRefused(t *testing.T) {
	link := func(text string) string {
		return fmt.Sprintf(
			`{"id":"a-1","imported_from":"platform","employer":"One","title":"Cook","kind":"job","posted_on":"2026-10-01",`+
				`"boroughs":["camden"],"link":%q}`, text)
	}
	partner := func(name string) string {
		return fmt.Sprintf(`{"id":"e-1","type":"click.recorded","occurred_at":"2026-10-01T07:00:00Z","partner":"%s"}`,
			name)
	}
	for line, want := range map[string]bool{
		link("https://a.example/x?y=1#z"): true, link("http://[::1]:8080/"): true,
		link("https://a.example?q=%20"): true,
		link("http://[::1"):             false, link("https://a@b/"): false, link("https:///x"): false,
		link("https://a.example/%zz"): false,
		partner("South"):              true, partner(`So\u009buth`): false, partner(`So\u202euth`): false,
		partner(`South\u2069`): false,
	} {
		kind := KindAdverts
		if strings.Contains(line, "click.recorded") {
			kind = KindEvents
		}
		if _, _, err := decoded(kind, line); (err == nil) != want {
			t.Errorf("%s: %v", line, err)
		}
	}
}
