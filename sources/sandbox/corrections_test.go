package sandbox

import (
	"regexp"
	"strconv"
	"testing"
)

// TestWrongFiguresHaveCorrections: one figure is ten times too large, and one was withdrawn.
func TestWrongFiguresHaveCorrections(t *testing.T) {
	const line = `(?m)^  - \{source: dfe_apprenticeships, kind: statistic, record: "apprenticeship_starts E09000007 ` +
		`2025-07-31 ([^"]*)", field: value, old: "([0-9]+)", new: "([0-9]+|null)", reason: ([^,]*), by: Sandbox, ` +
		`decided: 2026-11-20\}$`
	found := regexp.MustCompile(line).FindAllStringSubmatch(string(smallWorld().CorrectionsFile()), -1)
	if len(found) != 2 {
		t.Fatalf("corrections %q", found)
	}
	old, err := strconv.Atoi(found[0][2])
	fresh, err2 := strconv.Atoi(found[0][3])
	if err != nil || err2 != nil || found[0][1] != "Business, Administration and Law" || fresh == 0 || old != 10*fresh ||
		found[0][4] != "The publisher printed a digit too many." {
		t.Errorf("%q", found[0])
	}
	if f := found[1]; f[1] != "Health, Public Services and Care" || f[3] != "null" ||
		f[4] != "The publisher withdrew the figure." {
		t.Errorf("%q", f)
	}
}
