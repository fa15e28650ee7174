package main

import (
	"testing"

	"labour/sources"
)

// TestExampleAdvertsAreThreeAWeek: the newest one is of yesterday, and none is of today or later.
func TestExampleAdvertsAreThreeAWeek(t *testing.T) {
	today := sources.Date{Year: 2026, Month: 11, Day: 20}
	if got, want := postedOn(0, today), today.AddDays(-1); got != want {
		t.Errorf("the newest advert is of %s, not of %s", got, want)
	}
	weeks := map[sources.Date]int{}
	for n := range 30 {
		posted, week := postedOn(n, today), 0
		for day := today; posted.String() < day.String(); week++ {
			day = day.AddDays(-7)
		}
		weeks[today.AddDays(-7*week)]++
	}
	for from, n := range weeks {
		if n != 3 {
			t.Errorf("%d adverts in the week from %s", n, from)
		}
	}
	if len(weeks) != 10 {
		t.Errorf("30 adverts in %d weeks", len(weeks))
	}
}

// TestExampleApplicationsAreDecidedAfterTwoWeeks: an application has its outcome from the day after the decision
// on, and one in four is hired.
func TestExampleApplicationsAreDecidedAfterTwoWeeks(t *testing.T) {
	today := sources.Date{Year: 2026, Month: 11, Day: 20}
	outcomes := map[string]int{}
	for n := range 4 * exampleAdverts {
		outcome := exampleApplication(n, today)["outcome"]
		isDecided := postedOn(n%exampleAdverts, today).AddDays(14).Before(today)
		if (outcome != "pending") != isDecided {
			t.Errorf("application %d is %s, decided: %t", n, outcome, isDecided)
		}
		outcomes[outcome.(string)]++
	}
	if outcomes["hired"] == 0 || outcomes["turned_down"] < 2*outcomes["hired"] || outcomes["pending"] == 0 {
		t.Errorf("the outcomes are %v", outcomes)
	}
}
