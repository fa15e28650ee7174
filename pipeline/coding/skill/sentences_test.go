package skill

import (
	"slices"
	"strings"
	"testing"
)

// TestSentences holds rules by kind: sections that a bare heading opens again, stop phrases that
// hide no wording of another skill, joined posts, training of staff, lists of key words, other
// senses, and what is a colleague's, an agency's, the employer's or a benefit. Half of the
// sentences ask for nothing.
func TestSentences(t *testing.T) {
	r, nothing := load(t), 0
	rows := rowsOf(t, "sentences.tsv")
	for _, f := range rows {
		title, text, ok := strings.Cut(f[2], "||")
		if !ok {
			title, text = "", title
		}
		found := slugs(r.AppendRequiredSkills(nil, &MatchBuffers{}, title, strings.ReplaceAll(text, `\n`, "\n")))
		if f[1] == "-" {
			nothing++
			if len(found) > 0 {
				t.Errorf("%s: %q asks for %v", f[0], f[2], found)
			}
		} else if !slices.Contains(found, f[1]) {
			t.Errorf("%s: %q asks for %v, want %s", f[0], f[2], found, f[1])
		}
	}
	if len(rows) < 200 || nothing < 100 {
		t.Errorf("%d sentences; %d of them ask for nothing", len(rows), nothing)
	}
}
