package limits

import (
	"strings"
	"testing"
)

// TestDefaultsOfSourceLimits holds the defaults that the handbook names, and that a limit that is
// set stays.
func TestDefaultsOfSourceLimits(t *testing.T) {
	if got, want := (Source{}).WithDefaults(), (Source{MaxFallPct: 40, MaxRisePct: 900,
		MaxCodedShareFallPoints: 20, MaxUnknownPct: 5}); got != want {
		t.Errorf("defaults %+v, want %+v", got, want)
	}
	own := Source{MinRecords: 1, MaxRecords: 2, MinCounted: 3, MaxCounted: 4, MaxFallPct: 5, MaxRisePct: 6,
		MinWithCouncilPct: 7, MinWithOccupationPct: 8, MinWithSectorPct: 9, MinWithSkillPct: 10,
		MaxCodedShareFallPoints: 11, MaxUnknownPct: 12}
	if got := own.WithDefaults(); got != own {
		t.Errorf("%+v becomes %+v", own, got)
	}
}

// TestSourceLimitsAtTheirEdges holds every limit of a source at both ends of its range and one past
// them.
func TestSourceLimitsAtTheirEdges(t *testing.T) {
	percent := map[string]func(l *Source, v int){
		"max_fall_pct":          func(l *Source, v int) { l.MaxFallPct = v },
		"min_placed_pct":        func(l *Source, v int) { l.MinWithCouncilPct = v },
		"min_soc_pct":           func(l *Source, v int) { l.MinWithOccupationPct = v },
		"min_sector_pct":        func(l *Source, v int) { l.MinWithSectorPct = v },
		"min_skill_pct":         func(l *Source, v int) { l.MinWithSkillPct = v },
		"max_coded_fall_points": func(l *Source, v int) { l.MaxCodedShareFallPoints = v },
		"max_unknown_pct":       func(l *Source, v int) { l.MaxUnknownPct = v },
	}
	for name, set := range percent {
		for v, want := range map[int]bool{-1: false, 0: true, 100: true, 101: false} {
			var l Source
			set(&l, v)
			err := l.Validate()
			if (err == nil) != want || err != nil && !strings.Contains(err.Error(), name) {
				t.Errorf("%s of %d: %v", name, v, err)
			}
		}
	}
	for _, c := range []struct {
		limits Source
		want   bool
	}{
		{Source{MaxRisePct: 101}, true}, {Source{MaxRisePct: -1}, false},
		{Source{MinRecords: 1}, true}, {Source{MinRecords: -1}, false},
		{Source{MaxRecords: 1, MinRecords: 1}, true}, {Source{MaxRecords: 1, MinRecords: 2}, false},
		{Source{MaxRecords: -1}, false},
		{Source{MinCounted: 1}, true}, {Source{MinCounted: -1}, false},
		{Source{MaxCounted: 1, MinCounted: 1}, true}, {Source{MaxCounted: 1, MinCounted: 2}, false},
		{Source{MaxCounted: -1}, false},
	} {
		if err := c.limits.Validate(); (err == nil) != c.want {
			t.Errorf("%+v: %v", c.limits, err)
		}
	}
}

func TestSourceLimitsTogether(t *testing.T) {
	for _, bad := range []Source{{MaxFallPct: 101}, {MinWithOccupationPct: -1}, {MaxRisePct: -1},
		{MinRecords: 2, MaxRecords: 1}, {MinCounted: 2, MaxCounted: 1}, {MaxRecords: -1}} {
		if bad.Validate() == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
	if err := (Source{MinRecords: 2, MaxRecords: 2, MaxFallPct: 100, MaxRisePct: 5000}).Validate(); err != nil {
		t.Error(err)
	}
}
