package limits

import (
	"cmp"
	"fmt"
)

// Source holds the limits for the figures of one source. Limits for a fall or rise are in per cent
// of the previous snapshot's number. Limits for the fall of a percentage are in percentage points.
type Source struct {
	MinRecords int64 `yaml:"min_records"` // smallest permitted number of records in the newest fetch; 0 = none
	MaxRecords int64 `yaml:"max_records"` // largest permitted number of records in the newest fetch; 0 = no limit
	MinCounted int64 `yaml:"min_counted"` // smallest permitted number of counted adverts; 0 = none
	// largest permitted number of counted adverts; 0 = no limit
	MaxCounted int64 `yaml:"max_counted"`

	// largest fall, in per cent, of records, counted adverts, listed adverts and published counts
	// of people; 0 = 40
	MaxFallPct int `yaml:"max_fall_pct"`
	// largest rise, in per cent, of records, counted adverts, listed adverts and published counts
	// of people; 0 = 900
	MaxRisePct int `yaml:"max_rise_pct"`

	// smallest share, in per cent, of adverts in the United Kingdom that have a council; 0 = none
	MinWithCouncilPct int `yaml:"min_placed_pct"`
	// smallest share, in per cent, of adverts with an occupation; 0 = none
	MinWithOccupationPct int `yaml:"min_soc_pct"`
	// smallest share, in per cent, of adverts with a sector; 0 = none
	MinWithSectorPct int `yaml:"min_sector_pct"`
	// smallest share, in per cent, of adverts with a skill; 0 = none
	MinWithSkillPct int `yaml:"min_skill_pct"`
	// largest fall, in percentage points, of the share of adverts with a council, occupation,
	// sector or skill; 0 = 20
	MaxCodedShareFallPoints int `yaml:"max_coded_fall_points"`
	// largest number of unknown or missing columns and unknown codes, in per cent of records; 0 =
	// 5
	MaxUnknownPct int `yaml:"max_unknown_pct"`
}

// WithDefaults returns a copy of the limits. In the copy, limits that are 0 have their defaults.
func (s Source) WithDefaults() Source {
	s.MaxFallPct = cmp.Or(s.MaxFallPct, 40)
	s.MaxRisePct = cmp.Or(s.MaxRisePct, 900)
	s.MaxCodedShareFallPoints = cmp.Or(s.MaxCodedShareFallPoints, 20)
	s.MaxUnknownPct = cmp.Or(s.MaxUnknownPct, 5)
	return s
}

// Validate returns an error if a limit is out of range. The error names the first such limit.
func (s Source) Validate() error {
	for _, p := range []struct {
		name  string
		value int
	}{{"max_fall_pct", s.MaxFallPct}, {"min_placed_pct", s.MinWithCouncilPct}, {"min_soc_pct", s.MinWithOccupationPct},
		{"min_sector_pct", s.MinWithSectorPct},
		{"min_skill_pct", s.MinWithSkillPct}, {"max_coded_fall_points", s.MaxCodedShareFallPoints},
		{"max_unknown_pct", s.MaxUnknownPct}} {
		if p.value < 0 || p.value > 100 {
			return fmt.Errorf("%s must be 0 to 100", p.name)
		}
	}
	switch {
	case s.MaxRisePct < 0:
		return fmt.Errorf("max_rise_pct must not be negative")
	case !isRange(s.MinRecords, s.MaxRecords):
		return fmt.Errorf("min_records and max_records must not be negative, nor the floor above the ceiling")
	case !isRange(s.MinCounted, s.MaxCounted):
		return fmt.Errorf("min_counted and max_counted must not be negative, nor the floor above the ceiling")
	}
	return nil
}

// isRange reports whether floor and ceiling are a valid range: floor is not negative, and ceiling
// is not below floor. A ceiling of 0 means no upper limit.
func isRange(floor, ceiling int64) bool {
	return floor >= 0 && (ceiling == 0 || ceiling >= floor)
}
