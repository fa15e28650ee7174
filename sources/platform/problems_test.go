package platform

import (
	"strings"
	"testing"
)

// TestProblemsOfALineAreListedToALimit: five with their places, and the number of the others.
func TestProblemsOfALineAreListedToALimit(t *testing.T) {
	for n, want := range map[int]string{1: "p1", 2: "p1; p2", 5: "p1; p2; p3; p4; p5",
		6: "p1; p2; p3; p4; p5; and 1 more",
		8: "p1; p2; p3; p4; p5; and 3 more"} {
		p := newParser()
		for i := range n {
			p.problem("p%d", i+1)
		}
		if got := p.refusal().Error(); got != want {
			t.Errorf("%d problems: %s, want %s", n, got, want)
		}
	}
}

// TestPlacesOfProblems: properties are joined by dots, indices are not, and only the problems from
// the first on are inside the step.
func TestPlacesOfProblems(t *testing.T) {
	p := newParser()
	p.problem("before")
	p.problem("inside")
	p.prefixPaths("level", 1)
	p.prefixPaths("[2]", 1)
	p.prefixPaths("skills", 1)
	p.prefixPaths("advert", 1)
	if got, want := p.refusal().Error(), "before; advert.skills[2].level inside"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestRemarksOfALineAreToALimit: five texts, each with what is wrong with it.
func TestRemarksOfALineAreToALimit(t *testing.T) {
	p := newParser()
	if got := p.remark(); got != "" {
		t.Errorf("a line without remarks: %q", got)
	}
	p.noteRemoval(&schema{name: "title"}, "plain")
	p.noteRemoval(&schema{name: "title"}, "a\x00b")
	p.noteRemoval(&schema{name: "summary"}, "R&amp;D")
	want := "title holds control characters, such as NUL; summary holds entities of HTML, such as &amp;: " +
		"the line is read without them; export plain text"
	if got := p.remark(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for range 9 {
		p.noteRemoval(&schema{name: "text"}, "\x00")
	}
	if got := strings.Count(p.remark(), " holds "); got != 5 {
		t.Errorf("%d remarks, want 5", got)
	}
}

// TestContactsInNamesOfProperties are not repeated in the message, which a report quotes.
func TestContactsInNamesOfProperties(t *testing.T) {
	for name, want := range map[string]string{"jane@example.com": `unknown property "[removed]"`,
		"phone 07700   900123": `property "phone [removed]", which looks like personal data`} {
		p := newParser()
		p.unknown(name)
		if got := p.refusal().Error(); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestLongNamesOfPropertiesAreCut after forty letters.
func TestLongNamesOfPropertiesAreCut(t *testing.T) {
	for n, want := range map[int]string{40: strings.Repeat("ä", 40), 41: strings.Repeat("ä", 40) + "…"} {
		p := newParser()
		p.unknown(strings.Repeat("ä", n))
		if got := p.refusal().Error(); !strings.Contains(got, `"`+want+`"`) {
			t.Errorf("%d letters: %s, want %s", n, got, want)
		}
	}
}
