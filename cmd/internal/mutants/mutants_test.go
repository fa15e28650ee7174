package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// texts are the faults of a text, as file:line and what is changed.
func texts(t *testing.T, name, text string) (all []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	sites, err := sitesOfFile(path, "all")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sites {
		changed, err := s.mutatedSource()
		if err != nil {
			t.Fatal(err)
		}
		if string(changed) == text {
			t.Errorf("%s changes nothing", s)
		}
		_, what, _ := strings.Cut(s.String(), ":")
		all = append(all, what)
	}
	return all
}

func TestFaultsOfGo(t *testing.T) {
	got := texts(t, "a.go", `package a

func f(n int, ok bool) int {
	if n > 5 && !ok {
		return 0
	}
	n++
	g(true)
	return n + 1
}
`)
	want := []string{"4 left out: if n > 5 && !ok {", "7 left out: n++", "8 left out: g(true)",
		"9 left out: return n + 1", "4 && → ||",
		"4 > → >=", "4 5 → 6", "4 ! left out", "5 left out: return 0", "5 0 → 1", "8 true → false", "9 + → -",
		"9 1 → 2"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestFaultsOfSQL(t *testing.T) {
	got := texts(t, "a.sql", `-- Not 5 > 4 here, AND not here.
SELECT DISTINCT min(a), 'x = 5' FROM t LEFT JOIN u ON t.n = u.n
WHERE orders >= $after
  AND band IS NOT NULL
ORDER BY a DESC LIMIT 5`)
	want := []string{"2 DISTINCT → ", "2 min( → max(", "2 LEFT JOIN → JOIN", "2 = → <>", "3 >= → >", "4 AND → OR",
		"4 IS NOT NULL → IS NULL",
		"5 DESC → ", "5 5 → 6", "4 left out: AND band IS NOT NULL"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestKeysAreLeftOutOfAnOrder: each of several, with the comma after it or before the last one. An order by one
// key stays.
func TestKeysAreLeftOutOfAnOrder(t *testing.T) {
	const text = "SELECT a\nFROM t\nORDER BY a, b, c;\n"
	path := filepath.Join(t.TempDir(), "a.sql")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	sites, err := sitesOfFile(path, "sql")
	if err != nil {
		t.Fatal(err)
	}
	var changed []string
	for _, s := range sites {
		after, err := s.mutatedSource()
		if err != nil {
			t.Fatal(err)
		}
		_, order, _ := strings.Cut(strings.TrimSpace(string(after)), "ORDER BY ")
		changed = append(changed, strings.TrimSpace(order))
	}
	if want := []string{"b, c;", "a, c;", "a, b;"}; !slices.Equal(changed, want) {
		t.Errorf("%q, want %q", changed, want)
	}
	if got := texts(t, "b.sql", "SELECT a\nFROM t\nORDER BY a"); len(got) != 0 {
		t.Errorf("of one key: %q", got)
	}
}

// Faults of some lines are those of these lines only.
func TestFaultsOfLines(t *testing.T) {
	all := []site{{file: "a/b.go", line: 4}, {file: "a/b.go", line: 14}, {file: "a/c.go", line: 4}}
	one := tester{at: []string{"b.go:4"}}
	if got := one.sitesInLines(slices.Clone(all)); len(got) != 1 || got[0] != all[0] {
		t.Errorf("%v", got)
	}
	if got := (&tester{}).sitesInLines(slices.Clone(all)); len(got) != len(all) {
		t.Errorf("no line is asked for: %v", got)
	}
}

// A fault that a test notices is killed, one that none notices survives, and one that does not
// compile is none.
func TestFaultsMeetTests(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module tried\n\ngo 1.24\n",
		"a.go":   "package tried\n\nfunc more(n int) bool {\n\treturn n > 5\n}\n",
		"a_test.go": `package tried

import "testing"

func TestMore(t *testing.T) {
	if !more(6) {
		t.Error(6)
	}
}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	sites, err := sitesOf(t.Context(), ".", "all")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]outcome{}
	tests := tester{timeout: 60e9}
	for _, s := range sites {
		what, _, err := tests.testWith(t.Context(), ".", s)
		if err != nil {
			t.Fatal(err)
		}
		got[s.String()] = what
	}
	for fault, want := range map[string]outcome{"a.go:4 > → >=": survived, "a.go:4 5 → 6": killed,
		"a.go:4 left out: return n > 5": invalid} {
		if got[fault] != want {
			t.Errorf("%s: %s, want %s", fault, got[fault], want)
		}
	}
}
