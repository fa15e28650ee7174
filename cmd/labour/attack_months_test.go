package main

import (
	"path/filepath"
	"testing"
)

// TestSandboxMonthsAreUseful runs the pipeline on the sandbox at twelve month ends in a row,
// in one data directory, crawls after each and compares with the truth of that month.
func TestSandboxMonthsAreUseful(t *testing.T) {
	longOnly(t)
	const months = 12
	size, _ := attackedSize()
	dir, err := runOnWorld(size)
	if err != nil {
		t.Fatal(err)
	}
	p, err := publishedIn(dir)
	if err != nil {
		t.Fatal(err)
	}
	p.t, p.data = t, filepath.Join(t.TempDir(), "data") // not that of the world, which is of the last day
	p.options.Data = p.data
	var all utility
	for month := range months {
		p.runOn(t, testDay.AddDate(0, month+1-months, 0))
		if p.service == nil {
			p.serve()
		} else {
			p.reload()
		}
		s := newAttackedSandbox(t, p)
		s.readFile()
		s.crawl()
		var u utility
		for skill := range s.adverts {
			u.add(t, s.figures(skill))
		}
		t.Logf("%v: of %d counts of 5 or more, %d are numbers and %d withdrawn", s.o.peopleAsOf, u.large, u.numbers, u.withdrawn)
		s.shares()
		all.large, all.withdrawn = all.large+u.large, all.withdrawn+u.withdrawn
		if u.withdrawn*500 > u.large || u.large < 1000 {
			t.Errorf("utility: %+v", u)
		}
	}
	t.Logf("in all %d counts of 5 or more, %d withdrawn", all.large, all.withdrawn)
}
