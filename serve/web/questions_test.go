package web_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"labour/serve/internal/headlesstest"
	"labour/snapshots/snaptest"
)

// mostClicks is how many clicks and choices lead from the first page to an answer.
const mostClicks = 5

// visitor is somebody who has never been here. Each click, and each field that is filled
// in, counts.
type visitor struct {
	*tab
	clicks  int
	scripts bool
}

// follow clicks what leads to another page.
func (v *visitor) follow(t *testing.T, selector string) {
	t.Helper()
	v.clicks++
	if _, err := chromedp.RunResponse(v.ctx, chromedp.Click(selector)); err != nil {
		t.Fatalf("%s: %v", selector, err)
	}
}

// open clicks what unfolds on the page.
func (v *visitor) open(t *testing.T, selector string) {
	t.Helper()
	v.clicks++
	v.do(t, chromedp.Click(selector))
}

// fill types into a field or a list.
func (v *visitor) fill(t *testing.T, selector, text string) {
	t.Helper()
	v.clicks++
	v.do(t, chromedp.Focus(selector), chromedp.SendKeys(selector, text))
}

// sees fails unless the page has the words in the element.
func (v *visitor) sees(t *testing.T, selector, words string) {
	t.Helper()
	said := chromedp.Evaluate[string](fmt.Sprintf(
		`(document.querySelector(%q) || {textContent: "nothing"}).textContent`, selector))
	if got := run(t, v.tab, said); !strings.Contains(got, words) {
		t.Errorf("%s says %q, want %q", selector, got, words)
	}
}

// questions are those of a first visit, each with the way to its answer.
func questions() map[string]func(t *testing.T, v *visitor) {
	camden := func(t *testing.T, v *visitor) {
		v.fill(t, "#choose", "Camden")
		v.follow(t, ".choose button")
	}
	return map[string]func(t *testing.T, v *visitor){
		"which skills": func(t *testing.T, v *visitor) {
			camden(t, v)
			v.sees(t, "h1", "Camden")
			v.sees(t, "tbody td data[data-f=adverts_share_pct]", "%")
		},
		"how it changed": func(t *testing.T, v *visitor) {
			v.fill(t, "#find", "sql")
			v.follow(t, "header .find button")
			v.follow(t, `main a[href="/skills/sql"]`)
			v.sees(t, "#breakdown", "How it changed")
			v.sees(t, ".trend text.value", "%")
		},
		"compared with next door": func(t *testing.T, v *visitor) {
			v.follow(t, `header a[href="/places"]`)
			v.follow(t, `main a[href="/places/camden"]`)
			v.fill(t, "#f-with", "Islington")
			if v.scripts {
				run(t, v.tab, chromedp.Poll[bool](`document.querySelector("h1").textContent.includes("Islington")`))
			} else {
				v.follow(t, ".compare button")
			}
			v.sees(t, "h1", "Camden and Islington")
			v.sees(t, "tbody td[data-l='Adverts there'] data", "%")
		},
		"who teaches it": func(t *testing.T, v *visitor) {
			camden(t, v)
			v.follow(t, `main tbody a[href^="/skills/"]`)
			v.open(t, `a[href="#learned"]`)
			v.sees(t, "#learned", "Where it is learned")
			v.sees(t, "#learned ~ p ~ p", "training in that field in Camden")
		},
		"what changed": func(t *testing.T, v *visitor) {
			v.follow(t, `header a[href="/changes"]`)
			v.sees(t, "h1", "What changed in a year")
			v.sees(t, "main .empty", "From January 2027 at the earliest") // the sample is a first edition
		},
		"take it home": func(t *testing.T, v *visitor) {
			camden(t, v)
			link := run(t, v.tab, chromedp.AttributeValue(".take a[download]", "href"))
			v.clicks++
			if link.Value != "/csv/whole/skills-unmet?place=camden" {
				t.Errorf("the list leads to %q", link.Value)
			}
		},
		"why believe it": func(t *testing.T, v *visitor) {
			v.open(t, "header nav details summary")
			v.follow(t, `header a[href="/docs/methods"]`)
			v.sees(t, "#quality", "How good it is")
			v.sees(t, "main", "in 100")
		},
	}
}

// tasks are those of an adviser, a planner, a journalist, a councillor and an employer, each with
// the way to its answer.
func tasks() map[string]func(t *testing.T, v *visitor) {
	return map[string]func(t *testing.T, v *visitor){
		"next job of a carer": func(t *testing.T, v *visitor) {
			v.fill(t, "#find", "carer")
			v.follow(t, "header .find button")
			v.follow(t, `main a[href="/occupations/6135"]`)
			v.open(t, `a[href="#next"]`)
			v.sees(t, ".nextjobs li", "Construction and building trades")
			v.sees(t, ".nextjobs li", "shared skills")
			v.sees(t, "#forecasts ~ ul", "to a gap")
		},
		"which courses to plan": func(t *testing.T, v *visitor) {
			v.follow(t, `header a[href="/plan"]`)
			v.fill(t, "#f-place", "Camden")
			if v.scripts {
				run(t, v.tab, chromedp.Poll[bool](`document.querySelector("h1").textContent.includes("Camden")`))
			} else {
				v.follow(t, ".filters button")
			}
			v.sees(t, "h1", "Camden")
			v.sees(t, "tbody td[data-l=Forecast]", "source")
		},
		"is the number real": func(t *testing.T, v *visitor) {
			v.fill(t, "#choose", "Camden")
			v.follow(t, ".choose button")
			v.follow(t, `main tbody a[href^="/skills/"]`)
			v.sees(t, ".lead data.margin", "±")
			v.sees(t, ".lead data.base", "adverts")
			v.follow(t, `.stamp a[href="/docs/methods"]`)
			v.sees(t, "h1", "Methods")
		},
		"one page for a meeting": func(t *testing.T, v *visitor) {
			v.follow(t, `header a[href="/places"]`)
			v.follow(t, `main a[href="/places/camden"]`)
			v.follow(t, `main a[href="/places/camden/brief"]`)
			v.sees(t, ".said li", "The most unmet skill is")
			v.sees(t, ".address", "?snapshot=")
		},
		"what rivals ask for": func(t *testing.T, v *visitor) {
			v.fill(t, "#find", "programmers")
			v.follow(t, "header .find button")
			v.follow(t, `main a[href="/occupations/2134"]`)
			v.sees(t, "tbody td.adverts", "%")
		},
	}
}

// TestSevenQuestionsAndFiveTasks: somebody who has never been here finds the answer to each
// question of a first visit, and does each task of those who come back, within five clicks, wide
// and narrow, with scripts and without. The short form tries the wide page with scripts and the
// narrow one without.
func TestSevenQuestions(t *testing.T) {
	data := t.TempDir()
	before := snaptest.DefaultContent(t, "2026-09-30")
	for i := range before.Adverts { // SQL was asked for less often
		if r := &before.Adverts[i]; r.Skill == "sql" {
			r.Adverts = min(r.Adverts, 1)
		}
	}
	snaptest.BuildSnapshot(t, data, "2026-09-30", before)
	snaptest.BuildSnapshot(t, data, "2026-11-20", whoPlanAlone(t))
	s := siteThrough(t, data, sameLive, carersAreFound)
	ways := questions()
	maps.Copy(ways, tasks())
	for _, scripts := range []bool{true, false} {
		b := newTab(t, s, scripts)
		for _, width := range []int64{1280, 390} {
			if scripts != (width == 1280) && !long() {
				continue
			}
			headlesstest.SetAppearance(t, b.ctx, width, "light")
			for name, way := range ways {
				t.Run(fmt.Sprintf("%s, scripts %v, %d", name, scripts, width), func(t *testing.T) {
					v := &visitor{tab: b, scripts: scripts}
					b.do(t, chromedp.Navigate(b.base+"/"))
					way(t, v)
					if t.Logf("%d clicks", v.clicks); v.clicks > mostClicks {
						t.Errorf("%d clicks", v.clicks)
					}
				})
			}
		}
		b.quiet(t)
	}
}
