package chart

import (
	"strings"
	"testing"
)

// A drawing as a file has its colours without variables, and lines of text that fit.
func TestFileStandsAlone(t *testing.T) {
	sheet := ":root {\n  --ink: #111; --paper: #fff; --sans: sans-serif; --accent: #0b5;\n}\n@media dark { :root { --ink: #eee; } }\n" +
		".dumbbell .dot, .trend .dot { fill: var(--accent); }\n.trend .chart { width: 46rem; }\n.chart .middle { text-anchor: middle; }\np { color: var(--ink); }"
	style := Style(sheet)
	for _, want := range []string{".trend .dot { fill: #0b5; }", ".chart .middle { text-anchor: middle; }", "fill: #111"} {
		if !strings.Contains(style, want) {
			t.Errorf("no %q in %s", want, style)
		}
	}
	if strings.Contains(style, "var(") || strings.Contains(style, "46rem") || strings.Contains(style, "p {") {
		t.Errorf("more than the colours of drawings: %s", style)
	}
	svg := string(File{Title: "A & B", Drawing: `<svg class="chart" viewBox="0 0 10 90" width="10" height="90"></svg>`, Style: style,
		Key: []KeyLine{{`<svg class="key" width="28" height="18"></svg>`, "1 to 2"}}, Lines: []string{strings.Repeat("word ", 40)}}.SVG())
	if got := strings.Count(svg, `class="line"`); got != 4 {
		t.Errorf("%d lines, want the key and three of the text", got)
	}
	for _, want := range []string{"<title>A &amp; B</title>", `height="270"`, `<svg x="20" y="64" class="chart"`} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in %s", want, svg)
		}
	}
}
