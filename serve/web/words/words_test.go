package words_test

import (
	"os"
	"strings"
	"testing"

	"labour/serve/partners/access"
	"labour/serve/web/words"
	"labour/serve/webhooks"
)

// TestLines: a line is a list, a value of it that no other line has, and what it is called.
func TestLines(t *testing.T) {
	text, err := os.ReadFile("words.tsv")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) != 3 || cells[0] == "" || cells[2] == "" {
			t.Fatalf("%q", line)
		}
		if key := cells[0] + "\t" + cells[1]; seen[key] {
			t.Errorf("%q stands twice", key)
		} else {
			seen[key] = true
		}
		if got := words.DisplayName(cells[0], cells[1]); got != cells[2] {
			t.Errorf("%q is called %q", line, got)
		}
	}
}

// TestEveryValueHasWords: what the program can show is named.
func TestEveryValueHasWords(t *testing.T) {
	want := map[string][]string{"fault": {string(webhooks.FaultNone), string(webhooks.FaultHTTPStatus),
		string(webhooks.FaultRedirect),
		string(webhooks.FaultTimeout), string(webhooks.FaultAddressRefused), string(webhooks.FaultConnectionRefused),
		string(webhooks.FaultTLS)},
		"disabled": {string(webhooks.DisabledByPartner), string(webhooks.DisabledByGoneResponse),
			string(webhooks.DisabledByFailures)}}
	for _, s := range access.Scopes() {
		want["scope"] = append(want["scope"], string(s))
	}
	for _, p := range access.Plans() {
		want["plan"] = append(want["plan"], string(p))
	}
	for _, e := range append(webhooks.EventTypes(), webhooks.TestEventType) {
		want["event"] = append(want["event"], string(e))
	}
	for list, values := range want {
		for _, value := range values {
			if words.DisplayName(list, value) == "" {
				t.Errorf("%s %q has no words", list, value)
			}
		}
		if known := words.List(list); len(known) != len(values) {
			t.Errorf("%s: %+v, want %q", list, known, values)
		}
	}
}

func TestNumbersHaveCommasAndAMinusSign(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 1234567: "1,234,567", -5: "−5", -12345: "−12,345",
	} {
		if got := words.FormatNumber(n); got != want {
			t.Errorf("%d is written %q, want %q", n, got, want)
		}
	}
}

func TestACodeIsReadable(t *testing.T) {
	for code, want := range map[string]string{
		"": "", "x": "X", "boards": "Boards", "employer_boards": "Employer boards", "a_b_c": "A b c",
	} {
		if got := words.CodeToText(code); got != want {
			t.Errorf("%q reads %q, want %q", code, got, want)
		}
	}
}

// A value that is not in its list has no name, even if another list has it.
func TestAValueOfAnotherListHasNoName(t *testing.T) {
	for _, c := range [][2]string{{"plan", "nothing"}, {"nothing", "fault"}, {"event", "timeout"}} {
		if got := words.DisplayName(c[0], c[1]); got != "" {
			t.Errorf("%q in %q is called %q, want no name", c[1], c[0], got)
		}
	}
}

// A change of a list that List returned changes only a copy.
func TestAListIsACopy(t *testing.T) {
	words.List("plan")[0].Name = "changed"
	if got := words.List("plan")[0].Name; got == "changed" {
		t.Error("the list of plans is shared with its callers, want a copy")
	}
}
