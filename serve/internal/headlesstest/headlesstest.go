// Package headlesstest runs web pages in a headless browser for tests. It also checks their accessibility
// with axe-core. If the browser or axe-core is not installed, the test is skipped.
package headlesstest

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// testTimeout is the time limit of a test that uses a browser: 10 minutes.
const testTimeout = 10 * time.Minute

// StartBrowser starts a headless browser with an empty page of 1280 by 900 pixels, and returns its
// chromedp context. If scripts is false, the browser runs no scripts of pages. It is closed at the
// end of the test.
func StartBrowser(t testing.TB, scripts bool) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testTimeout)
	t.Cleanup(cancel)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(findBrowser(t)))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	if !scripts {
		if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
			t.Fatal(err)
		}
	}
	return ctx
}

// findBrowser returns the path of an installed Chromium or Chrome. It skips the test if there is none.
func findBrowser(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium is installed (apt-get install chromium)")
	return ""
}

// SetAppearance sets the width of the browser window in pixels, and its colour scheme: "light" or
// "dark".
func SetAppearance(t testing.TB, ctx context.Context, width int64, scheme string) {
	t.Helper()
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	if err == nil {
		err = chromedp.Do(ctx, chromedp.EmulateViewport(width, 900))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// AxeCore is the JavaScript source of axe-core, a library that checks web pages for accessibility.
type AxeCore string

// ReadAxeCore reads axe-core from the directory bin of the repository. root is the path of the
// repository. ReadAxeCore skips the test if axe-core is not installed.
func ReadAxeCore(t testing.TB, root string) AxeCore {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "bin", "axe-core", "axe.min.js"))
	if err != nil {
		t.Skipf("axe-core is not there (npm pack axe-core, unpacked to bin/axe-core): %v", err)
	}
	return AxeCore(text)
}

// axeScript is a script that uses axe-core to check the current page for accessibility. The rules are
// those of WCAG 2.2, levels A and AA.
const axeScript = `axe.run(document,
	{runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]}).then(r =>
	JSON.stringify(r.violations.map(v => v.id + " (" + v.help + ")\n" + v.nodes.slice(0, 3).map(n =>
		n.html.slice(0, 160) + " " + (n.failureSummary || "").slice(0, 200)).join("\n"))))`

// Violations opens all sections of the current page, and checks its accessibility. It returns one
// text for each rule that the page breaks.
func (a AxeCore) Violations(t testing.TB, ctx context.Context) []string {
	t.Helper()
	script := `for (const d of document.querySelectorAll("details")) d.open = true;` + string(a) + "; true"
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](script)); err != nil {
		t.Fatal(err)
	}
	said, err := chromedp.Run(ctx, chromedp.Evaluate[string](axeScript, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	if err := json.Unmarshal([]byte(said), &found); err != nil {
		t.Fatal(err)
	}
	return found
}

// ScreenshotDirEnv is the environment variable that names a directory for screenshots. If it is not
// set, no screenshots are taken.
const ScreenshotDirEnv = "LABOUR_PAGES_SHOTS"

// Screenshot writes a picture of the whole page to the file NAME.png, where NAME is name. The file
// is in the directory that ScreenshotDirEnv names. If that is not set, Screenshot does nothing.
func Screenshot(t testing.TB, ctx context.Context, name string) {
	t.Helper()
	SavePicture(t, name+".png", func() ([]byte, error) { return chromedp.Run(ctx, chromedp.FullScreenshot(100)) })
}

// SavePicture writes the picture that draw returns to the file name, in the directory that
// ScreenshotDirEnv names. If that is not set, SavePicture does nothing.
func SavePicture(t testing.TB, name string, draw func() ([]byte, error)) {
	t.Helper()
	dir := os.Getenv(ScreenshotDirEnv)
	if dir == "" {
		return
	}
	drawn, err := draw()
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name), drawn, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
