package web_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"labour/serve/internal/headlesstest"
)

// pageOfPDF is an object of a PDF that is one page.
var pageOfPDF = regexp.MustCompile(`/Type\s*/Page\b[^s]`)

// TestBriefIsOneSheet: the brief of a place prints on one sheet of A4, with its sentences, bars,
// line, map with a legend, caveats, the statements of its sources word for word and its address.
func TestBriefIsOneSheet(t *testing.T) {
	s := newSite(t)
	b := newTab(t, s, true)
	b.do(t, chromedp.Navigate(b.base+"/places/camden/brief"))
	printed, err := chromedp.Call(b.ctx, page.PrintToPDF, page.PrintToPDFParams{PaperWidth: 8.27, PaperHeight: 11.69})
	if err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv(headlesstest.ScreenshotDirEnv); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, "brief.pdf"), printed.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(pageOfPDF.FindAll(printed.Data, -1)); n != 1 {
		t.Errorf("the brief prints on %d sheets", n)
	}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
		t.Fatal(err)
	}
	b.do(t, chromedp.EmulateViewport(703, 1000))
	headlesstest.Screenshot(t, b.ctx, "brief-printed")
	for part, selector := range map[string]string{"sentences": ".said li", "bars": ".bar rect",
		"line": ".trend path.trace", "legend": ".legend li",
		"map": "svg.map path", "caveats": ".caveats li", "statements": "q.statement", "address": ".brief .address"} {
		seen := run(t, b,
			chromedp.Evaluate[int](`[...document.querySelectorAll("`+selector+
				`")].filter(e => e.getClientRects().length > 0).length`))
		if want := map[string]int{"sentences": 3, "caveats": 2}[part]; seen == 0 || want > 0 && seen != want {
			t.Errorf("%s: %d are printed", part, seen)
		}
	}
	if said := run(t, b, chromedp.Text(".brief .address")); !strings.Contains(said,
		b.base+"/places/camden/brief?snapshot=") {
		t.Errorf("the address to check is %q", said)
	}
}
