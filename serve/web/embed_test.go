package web_test

import (
	"html"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// offered matches the frame that a page offers, with its address and height.
var offered = regexp.MustCompile(`&lt;iframe src="http://[^/]*([^"]*)".*? height="(\d+)"`)

// TestFramesHoldTheirCharts: the frame that a page offers is as high as the chart with its caption
// and its sources needs, from the narrowest phone up, so that nothing of them is cut off.
func TestFramesHoldTheirCharts(t *testing.T) {
	s := newSite(t)
	b := newTab(t, s, true)
	for _, page := range []string{"/skills/python", "/skills/python?place=camden", "/skills/sql?by=place",
		"/skills/sql?by=place&map=residents"} {
		found := offered.FindStringSubmatch(s.get(t, page).Body.String())
		if found == nil {
			t.Fatalf("%s offers no frame", page)
		}
		path := html.UnescapeString(html.UnescapeString(found[1]))
		height, _ := strconv.ParseInt(found[2], 10, 64)
		for _, width := range []int64{320, 390, 600, 1000} {
			b.do(t, chromedp.EmulateViewport(width, height), chromedp.Navigate(b.base+path))
			needed := run(t, b, chromedp.Evaluate[int64]("document.documentElement.scrollHeight"))
			if needed > height {
				t.Errorf("%s needs %d pixels in a frame %d wide and %d high", path, needed, width, height)
			}
		}
	}
}

// TestFramesNameTheirPeriod: a line by quarter is headed with its quarters, and not with the 12 months of its page.
func TestFramesNameTheirPeriod(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/embed/skills/sql", "/embed/skills/sql?place=camden&window=3"} {
		heading := text(elements(s.page(t, path), "h1")[0])
		if !strings.Contains(heading, "last eight quarters") || strings.Contains(heading, "last 12 months") {
			t.Errorf("%s is headed %q", path, heading)
		}
	}
}
