package skill

import (
	"slices"
	"testing"
)

// TestWhereAPhraseStopsToReachBack: "not needed" takes back what stands before it, up to its reach, to a pause or
// an opening bracket, and to an earlier phrase that begins a clause of its own. Other phrases do not stop it.
func TestWhereAPhraseStopsToReachBack(t *testing.T) {
	for kind := cueKind(0); kind <= cueBreak+20; kind++ {
		s := &MatchBuffers{tokens: make([]token, 9), hits: []hit{{start: 0}, {start: 2}, {start: 4}, {start: 7}, {start: 8}},
			cues: []cue{{kind: kind, start: 3, end: 4}, {start: 8, end: 9}}}
		s.dropBefore(1, 7)
		want := []bool{false, true, true, true, false}
		if kind == cueBreak || kind == cueNeed || kind == cueNotBefore {
			want[1] = false
		}
		if got := dropped(s); !slices.Equal(got, want) {
			t.Errorf("after a phrase of kind %d: dropped %v, want %v", kind, got, want)
		}
	}
	for _, gap := range []gap{gapPause, gapOpen} {
		s := &MatchBuffers{tokens: make([]token, 9), hits: []hit{{start: 4}, {start: 5}, {start: 6}},
			cues: []cue{{start: 8, end: 9}}}
		s.tokens[5].gap = gap
		s.dropBefore(0, 7)
		if got, want := dropped(s), []bool{false, true, true}; !slices.Equal(got, want) {
			t.Errorf("after gap %d: dropped %v, want %v", gap, got, want)
		}
	}
}

func dropped(s *MatchBuffers) []bool {
	var all []bool
	for _, h := range s.hits {
		all = append(all, h.dropped)
	}
	return all
}
