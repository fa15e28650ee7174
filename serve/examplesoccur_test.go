package serve

import (
	"slices"
	"strings"
	"testing"

	"labour/snapshots"
)

// members calls f for each member of each object of a document.
func members(v any, f func(name string, value any)) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			f(name, value)
			members(value, f)
		}
	case []any:
		for _, value := range v {
			members(value, f)
		}
	}
}

// shownOf lists the values that a document shows of a field: the examples of its schemas, and
// those of its members in whole answers.
func shownOf(doc any, field string) (shown []any) {
	members(doc, func(name string, value any) {
		if name != field {
			return
		}
		schema, ok := value.(map[string]any)
		if !ok {
			shown = append(shown, value)
			return
		}
		examples, _ := schema["examples"].([]any)
		shown = append(shown, examples...)
	})
	return shown
}

// The document shows no count of people and no name of a level that an answer cannot have. Counts
// of people are rounded to 5.
func TestExamplesCanOccur(t *testing.T) {
	doc := documentOf(t)
	counts := map[string]bool{}
	members(doc, func(name string, value any) {
		forms, _ := at(value, "anyOf").([]any)
		few := func(form any) bool {
			values, _ := at(form, "enum").([]any)
			return slices.Contains(values, any("<5"))
		}
		// The values of other publishers' statistics are rounded as they round them.
		if slices.ContainsFunc(forms, few) && name != "value" && name != "previous_value" {
			counts[name] = true
		}
	})
	if !counts["people_turned_down"] || !counts["residents"] {
		t.Errorf("counts of people are only %v", counts)
	}
	for name := range counts {
		shown := shownOf(doc, name)
		if len(shown) == 0 {
			t.Errorf("there is no example of %s", name)
		}
		for _, value := range shown {
			n, isNumber := value.(float64)
			if value != nil && value != "<5" && !(isNumber && int(n)%5 == 0) {
				t.Errorf("an example of %s is %v", name, value)
			}
		}
	}
	levels := strings.Fields("entry basic working advanced expert " + snapshots.LicenceLevelName)
	for _, value := range shownOf(doc, "level_name") {
		if name, _ := value.(string); !slices.Contains(levels, name) {
			t.Errorf("an example of level_name is %v; there are %s", value, strings.Join(levels, ", "))
		}
	}
}
