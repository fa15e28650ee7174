package serve

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/serve/webhooks"
)

// Struct tags cannot name a constant, so seven of them list the types of events. Each list is that of
// package webhooks. Only a message and its delivery may also be a test.
func TestDocumentListsTheSameEventTypes(t *testing.T) {
	types := webhooks.EventTypes()
	mayBeTest := []string{"/components/schemas/WebhookMessage/properties/type",
		"/components/schemas/WebhookDelivery/properties/event_type"}
	found := map[string][]string{}
	collectEnums(documentOf(t), "", types[0], found)
	for place, got := range found {
		want := types
		if slices.Contains(mayBeTest, place) {
			want = append(slices.Clone(types), webhooks.TestEventType)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", place, diff)
		}
	}
	if len(found) < 7 {
		t.Errorf("only %d lists were found", len(found))
	}
}

// collectEnums adds to found the lists of permitted values that contain value, by their place in the
// OpenAPI document.
func collectEnums(node any, place, value string, found map[string][]string) {
	switch node := node.(type) {
	case map[string]any:
		for key, child := range node {
			if list, isList := child.([]any); isList && key == "enum" && slices.Contains(list, any(value)) {
				for _, v := range list {
					found[place] = append(found[place], fmt.Sprint(v))
				}
			}
			collectEnums(child, place+"/"+key, value, found)
		}
	case []any:
		for i, child := range node {
			collectEnums(child, fmt.Sprintf("%s/%d", place, i), value, found)
		}
	}
}
