package sources

import (
	"io"
	"strings"
	"testing"
)

// A body longer than the bound is an error, not a shorter body.
func TestBoundedReader(t *testing.T) {
	for n, whole := range map[int]bool{0: true, 9: true, 10: true, 11: false, 1000: false} {
		got, err := io.ReadAll(BoundedReader(strings.NewReader(strings.Repeat("x", n)), 10))
		if whole && (err != nil || len(got) != n) || !whole && (FaultCodeOf(err) != FaultSchema || len(got) != 10) {
			t.Errorf("%d bytes under a bound of 10: %d, %v", n, len(got), err)
		}
	}
}

func TestCheckXMLSize(t *testing.T) {
	long := strings.Repeat("x", maxXMLText)
	for name, c := range map[string]struct {
		text string
		ok   bool
	}{
		"a feed": {`<?xml version="1.0"?><!-- c > --><rss><item a="1"><b/><![CDATA[ <p> ]]></item></rss>`,
			true},
		"no XML":              {"text", true},
		"breaks off":          {"<rss><item", true},
		"many elements":       {"<r>" + strings.Repeat("<a></a>", 100_000) + "</r>", true},
		"deep":                {strings.Repeat("<a>", maxXMLDepth+1), false},
		"deepest":             {strings.Repeat("<a>", maxXMLDepth), true},
		"longest tag":         {"<" + strings.Repeat("a", maxXMLTag-2) + ">", true},
		"longer tag":          {"<" + strings.Repeat("a", maxXMLTag-1) + ">", false},
		"longest CDATA":       {"<![CDATA[" + long[len("<![CDATA[]]>"):] + "]]>", true},
		"longer CDATA":        {"<![CDATA[" + long[len("<![CDATA[]]>"):] + "x]]>", false},
		"empty ones are flat": {strings.Repeat("<a/>", 1000), true},
		"attributes":          {"<a " + strings.Repeat(`b="" `, maxXMLTag) + "/>", false},
		"text":                {"<a>" + long + "</a>", true},
		"long text":           {"<a>" + long + "x</a>", false},
		"long CDATA":          {"<a><![CDATA[" + long + "]]></a>", false},
		"breaks off long":     {"<a " + long, false},
	} {
		if err := CheckXMLSize([]byte(c.text)); (err == nil) != c.ok || err != nil && FaultCodeOf(err) != FaultWrongFormat {
			t.Errorf("%s: %v", name, err)
		}
	}
}
