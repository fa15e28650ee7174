package api

import (
	"testing"
	"time"

	"labour/snapshots/figure"
)

// TestTimesAreEqual by the point in time, whatever the zone that they are given in.
func TestTimesAreEqual(t *testing.T) {
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	there := noon.In(time.FixedZone("there", 3600))
	if !TimestampOf(noon).Equal(TimestampOf(there)) || TimestampOf(noon).Equal(TimestampOf(noon.Add(1))) {
		t.Error("timestamps are equal by their point in time")
	}
	if !DateOf(noon).Equal(DateOf(there)) || DateOf(noon).Equal(DateOf(noon.Add(1))) {
		t.Error("dates keep the time of day")
	}
}

// TestAdvertsOfAQuarter: those that ask for a skill, of all; none ask for a skill that is not there.
func TestAdvertsOfAQuarter(t *testing.T) {
	q := Quarter{Adverts: 9, AdvertsBySkill: map[string]int64{"sql": 4}}
	for skill, want := range map[string]figure.AdvertSample{"sql": {Requiring: 4, Adverts: 9}, "care": {Adverts: 9}} {
		if got := q.AdvertsRequiring(skill); got != want {
			t.Errorf("%s: %+v, want %+v", skill, got, want)
		}
	}
}
