package labourmarket

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCountsAreRead(t *testing.T) {
	for text, want := range map[string]Count{"0": {}, "15": {Number: 15}, `"<5"`: {UnderFive: true},
		"null": {None: true}} {
		got := Count{Number: 1, None: true}
		if err := json.Unmarshal([]byte(text), &got); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
		if said := got.String(); said != strings.Trim(text, `"`) {
			t.Errorf("%s prints as %s", text, said)
		}
	}
	if err := json.Unmarshal([]byte(`"<6"`), new(Count)); err == nil {
		t.Error("another text was read as a count")
	}
}
