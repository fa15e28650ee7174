package chart

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write file.css again")

// file.css is made of the stylesheet of the pages.
func TestFileStyleIsThatOfThePages(t *testing.T) {
	sheet, err := os.ReadFile("../static/style.css")
	if err != nil {
		t.Fatal(err)
	}
	want := styleOf(string(sheet))
	if *update {
		if err := os.WriteFile("file.css", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile("file.css"); err != nil || string(got) != want {
		t.Errorf("file.css is old (%v): run this test with -update", err)
	}
}

var (
	rule  = regexp.MustCompile(`([^{}]+)\{([^{}]*(?:fill|stroke|text-anchor)[^{}]*)\}`)
	named = regexp.MustCompile(`(--[a-z0-9-]+): ([^;]+);`)
	// screens are the rules for some screens only, such as those of phones: a file is drawn at one size.
	screens = regexp.MustCompile(`@media[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}`)
)

// styleOf is the rules of a stylesheet that colour drawings, for light paper. A file of its
// own has no other stylesheet, and many programs know no variables.
func styleOf(sheet string) string {
	root, _, _ := strings.Cut(sheet, "}")
	sheet = screens.ReplaceAllString(sheet, "")
	var values []string
	for _, n := range named.FindAllStringSubmatch(root, -1) {
		values = append(values, "var("+n[1]+")", n[2])
	}
	var out strings.Builder
	out.WriteString(
		".sheet { fill: var(--paper); }\n.title { font: 600 19px var(--sans); fill: var(--ink); }\n" +
			".line { font: 400 13px var(--sans); fill: var(--ink); }\n")
	for _, r := range rule.FindAllStringSubmatch(sheet, -1) {
		selector, body := strings.TrimSpace(r[1]), r[2]
		for _, of := range []string{".chart ", ".trend .", ".map path", ".map .", ".key rect"} {
			if strings.Contains(selector, of) {
				out.WriteString(selector + " {" + body + "}\n")
				break
			}
		}
	}
	return strings.NewReplacer(values...).Replace(out.String())
}

// A drawing as a file has its colours without variables, and lines of text that fit.
func TestFileStandsAlone(t *testing.T) {
	sheet := ":root {\n  --ink: #111; --paper: #fff; --sans: sans-serif; --accent: #0b5;\n}\n" +
		"@media dark { :root { --ink: #eee; } }\n" +
		"@media (max-width: 9rem) { p { color: red; } .map .name { stroke-width: 40px; } }\n" +
		".dumbbell .dot, .trend .dot { fill: var(--accent); }\n.trend .chart { width: 46rem; }\n" +
		".chart .middle { text-anchor: middle; }\np { color: var(--ink); }"
	style := styleOf(sheet)
	for _, want := range []string{".trend .dot { fill: #0b5; }", ".chart .middle { text-anchor: middle; }",
		"fill: #111"} {
		if !strings.Contains(style, want) {
			t.Errorf("no %q in %s", want, style)
		}
	}
	for _, extra := range []string{"var(", "46rem", "40px", "p {"} {
		if strings.Contains(style, extra) {
			t.Errorf("%q is no colour of a drawing: %s", extra, style)
		}
	}
	svg := string(SVGFile{Title: "A & B", Drawing: `<svg class="chart" viewBox="0 0 10 90" width="10" height="90"></svg>`,
		Legend: []LegendLine{{`<svg class="key" width="28" height="18"></svg>`, "1 to 2"}},
		Lines:  []string{strings.Repeat("word ", 40)}}.SVG())
	if got := strings.Count(svg, `class="line"`); got != 4 {
		t.Errorf("%d lines, want the key and three of the text", got)
	}
	for _, want := range []string{"<title>A &amp; B</title>", `height="270"`, `<svg x="20" y="64" class="chart"`} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in %s", want, svg)
		}
	}
}
