package web_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"labour/serve/internal/headlesstest"
)

// TestPictures takes a picture of every page in every look, and prints each, for
// review after a change. It is asked for with headlesstest.ScreenshotDirEnv, and
// with dataEnv it pictures a larger snapshot.
func TestPictures(t *testing.T) {
	if os.Getenv(headlesstest.ScreenshotDirEnv) == "" {
		t.Skipf("%s names no directory for pictures", headlesstest.ScreenshotDirEnv)
	}
	b := newTab(t, newSite(t), true)
	for _, width := range []int64{1280, 390} {
		for _, scheme := range []string{"light", "dark"} {
			headlesstest.SetAppearance(t, b.ctx, width, scheme)
			for n, path := range pictured() {
				b.do(t, chromedp.Navigate(b.base+path))
				headlesstest.Screenshot(t, b.ctx, fmt.Sprintf("%02d%s-%d-%s", n, nameOfPicture(path), width, scheme))
			}
		}
	}
	headlesstest.SetAppearance(t, b.ctx, 1280, "light")
	for n, path := range pictured() {
		b.do(t, chromedp.Navigate(b.base+path))
		// as it is printed
		headlesstest.SavePicture(t, fmt.Sprintf("%02d%s.pdf", n, nameOfPicture(path)), func() ([]byte, error) {
			printed, err := chromedp.Call(b.ctx, page.PrintToPDF,
				page.PrintToPDFParams{PaperWidth: 8.27, PaperHeight: 11.69})
			return printed.Data, err
		})
	}
}

// pictured are the pages that are pictured. Of a snapshot that is not the small one,
// a skill that any has stands for SQL.
func pictured() []string {
	list := append(kindsOfPage(), "/docs/api")
	if os.Getenv(dataEnv) == "" {
		return list
	}
	for i := range list {
		list[i] = strings.Replace(list[i], "/skills/sql", "/skills/customer-care", 1)
	}
	return list
}

func nameOfPicture(path string) string {
	return strings.NewReplacer("/", "_", "?", "-", "&", "-", "=", "-").Replace(path)
}
