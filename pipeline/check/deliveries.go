package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"labour/pipeline/counting"
	"labour/sources"
	"labour/sources/platform"
)

// These checks compare each delivery of a source with its limits, and with its delivery for the
// current snapshot. A publisher may halve a list, rename the fields used for coding, or deliver a
// thousand times as much. The checks find this before publication.

// SourceReport is the entry on one source in the report of a snapshot.
type SourceReport struct {
	Key string `json:"source"`
	// number of records read from the source, without records about people
	Records int64            `json:"records"`
	Faults  map[string]int64 `json:"faults"` // number of faulty records, by code of the fault
	Samples []sources.Fault  `json:"fault_samples"`
	// per cent of the source's records about people that could not be used; Faults does not count
	// them
	FaultyPeoplePct int `json:"people_faulty_pct"`
	// per cent of the skills named in records about people that the register does not have
	UnknownSkillsPct int `json:"people_unknown_skills_pct"`
	// per cent of the records of the platform's feed that are faulty, by kind of record
	FaultyPctByKind map[platform.Kind]int `json:"faulty_pct_by_kind"`
	// numbers of adverts; nil if the source delivers no adverts
	Adverts *AdvertCounts `json:"adverts"`
	// TakenOver is true if the run did not read the source: the entry is then a copy from the
	// report of the previous snapshot, and was checked with it.
	TakenOver bool `json:"taken_over"`
}

// AdvertCounts holds how many adverts of a source were read, counted, excluded and coded.
type AdvertCounts struct {
	Read int64 `json:"read"`
	// number of adverts in the newest fetch; for a source that lists only live adverts, all live
	// ones
	Listed int64 `json:"listed"`
	// number of adverts in the newest fetch, by part of the source, such as a job board
	Parts    map[string]int64          `json:"listed_parts,omitempty"`
	Counted  int64                     `json:"counted"`
	Excluded map[counting.Reason]int64 `json:"excluded"`
	// number of counted adverts in the United Kingdom; the coded adverts below are a part of it
	InUK   int64 `json:"in_uk"`
	Placed int64 `json:"placed"` // adverts in the United Kingdom with at least one council
	// adverts in the United Kingdom without a council but with a larger area
	OnlyInArea int64 `json:"in_area"`
	WithSOC    int64 `json:"with_soc"`
	WithSector int64 `json:"with_sector"`
	WithSkill  int64 `json:"with_skill"` // adverts in the United Kingdom with at least one skill
	// adverts with neither text nor a list of skills; left out of shares of adverts with a skill
	NoText int64 `json:"no_text"`
}

// SourceLimits holds the limits for what one source delivers. 0 means the default. A limit for a
// fall or rise (Pct) is in per cent of the number in the previous snapshot. A limit for the fall of
// a share is in percentage points.
type SourceLimits struct {
	MinRecords int64 `yaml:"min_records"` // smallest permitted number of records; 0 = none
	MaxRecords int64 `yaml:"max_records"` // largest permitted number of records; 0 = no limit
	MinCounted int64 `yaml:"min_counted"` // smallest permitted number of counted adverts; 0 = none
	// largest permitted number of counted adverts; 0 = no limit
	MaxCounted int64 `yaml:"max_counted"`

	// largest fall, in per cent, of records, counted adverts, listed adverts and published counts
	// of people; 0 = 40
	MaxFallPct int `yaml:"max_fall_pct"`
	// largest rise, in per cent, of records, counted adverts, listed adverts and published counts
	// of people; 0 = 900
	MaxRisePct int `yaml:"max_rise_pct"`

	// smallest share, in per cent, of adverts in the country with a council; 0 = none
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

// WithDefaults returns a copy of the limits in which limits that are zero have their defaults.
func (l SourceLimits) WithDefaults() SourceLimits {
	l.MaxFallPct = cmp.Or(l.MaxFallPct, 40)
	l.MaxRisePct = cmp.Or(l.MaxRisePct, 900)
	l.MaxCodedShareFallPoints = cmp.Or(l.MaxCodedShareFallPoints, 20)
	l.MaxUnknownPct = cmp.Or(l.MaxUnknownPct, 5)
	return l
}

// Validate returns an error that names the first limit that is out of range. It returns nil if
// there is none.
func (l SourceLimits) Validate() error {
	for _, p := range []struct {
		name  string
		value int
	}{{"max_fall_pct", l.MaxFallPct}, {"min_placed_pct", l.MinWithCouncilPct}, {"min_soc_pct", l.MinWithOccupationPct},
		{"min_sector_pct", l.MinWithSectorPct},
		{"min_skill_pct", l.MinWithSkillPct}, {"max_coded_fall_points", l.MaxCodedShareFallPoints},
		{"max_unknown_pct", l.MaxUnknownPct}} {
		if p.value < 0 || p.value > 100 {
			return fmt.Errorf("%s must be 0 to 100", p.name)
		}
	}
	switch {
	case l.MaxRisePct < 0:
		return fmt.Errorf("max_rise_pct must not be negative")
	case !isRange(l.MinRecords, l.MaxRecords):
		return fmt.Errorf("min_records and max_records must not be negative, nor the floor above the ceiling")
	case !isRange(l.MinCounted, l.MaxCounted):
		return fmt.Errorf("min_counted and max_counted must not be negative, nor the floor above the ceiling")
	}
	return nil
}

// isRange reports whether floor is not negative and ceiling is not below floor. A ceiling of 0
// means that there is no upper limit.
func isRange(floor, ceiling int64) bool {
	return floor >= 0 && (ceiling == 0 || ceiling >= floor)
}

// MinComparedRecords is the smallest number of records or adverts for which changes and shares are
// checked. If a source has fewer, its numbers vary too much.
const MinComparedRecords = 100

// bounds returns a fault for each number and share of a source that is outside its limits.
func bounds(s SourceReport, l SourceLimits) []Fault {
	l = l.WithDefaults()
	j := judge{of: s.Key}
	j.between(CheckRecordCount, "records", s.Records, l.MinRecords, l.MaxRecords)
	if s.Adverts == nil {
		s.Adverts = &AdvertCounts{}
	}
	j.between(CheckCountedAdverts, "counted", s.Adverts.Counted, l.MinCounted, l.MaxCounted)
	for _, c := range s.Adverts.shares(l) {
		if s.Adverts.InUK >= MinComparedRecords && c.n*100 < s.Adverts.InUK*int64(c.floor) {
			j.breach(CheckCodedShare, c.setting, "of %d adverts in the country, %d have %s, less than %d %%", s.Adverts.InUK,
				c.n,
				c.what, c.floor)
		}
	}
	j.unknown(s, l)
	return j.found
}

// changes returns a fault for each number of a source that fell or rose by more than its limit from
// one report to the next. It also returns a fault for each share that fell by more than its limit.
// A number that was below MinComparedRecords in the earlier report is not compared.
func changes(before, now SourceReport, l SourceLimits) []Fault {
	l = l.WithDefaults()
	j := judge{of: now.Key}
	j.change(CheckRecordCount, "records", before.Records, now.Records, l)
	if before.Adverts == nil {
		return j.found
	}
	if now.Adverts == nil {
		now.Adverts = &AdvertCounts{}
	}
	j.change(CheckCountedAdverts, "adverts counted", before.Adverts.Counted, now.Adverts.Counted, l)
	j.change(CheckListedAdverts, "adverts listed", before.Adverts.Listed, now.Adverts.Listed, l)
	for _, part := range slices.Sorted(maps.Keys(now.Adverts.Parts)) {
		j.change(CheckListedAdverts, "adverts listed by "+part, before.Adverts.Parts[part], now.Adverts.Parts[part], l)
	}
	had, has := before.Adverts.InUK, now.Adverts.InUK
	if had < MinComparedRecords || has < MinComparedRecords {
		return j.found
	}
	was := before.Adverts.shares(l)
	for i, c := range now.Adverts.shares(l) {
		// was/had - n/has > points/100, without a division
		if 100*(was[i].n*has-c.n*had) > int64(l.MaxCodedShareFallPoints)*had*has {
			j.breach(CheckCodedShare, "max_coded_fall_points",
				"the share of adverts with %s falls from %d of %d to %d of %d, by more than %d points",
				c.what, was[i].n, had, c.n, has, l.MaxCodedShareFallPoints)
		}
	}
	return j.found
}

// share holds the number of adverts with one coded attribute, such as an occupation, and the limit
// for their share in per cent.
type share struct {
	what, setting string
	n             int64
	floor         int
}

func (a *AdvertCounts) shares(l SourceLimits) []share {
	return []share{
		{"a council", "min_placed_pct", a.Placed, l.MinWithCouncilPct},
		{"an occupation", "min_soc_pct", a.WithSOC, l.MinWithOccupationPct},
		{"a sector", "min_sector_pct", a.WithSector, l.MinWithSectorPct},
		{"a skill", "min_skill_pct", a.WithSkill, l.MinWithSkillPct},
	}
}

// judge collects the faults found in what one source delivered.
type judge struct {
	of    string
	found []Fault
}

func (j *judge) breach(check, setting, format string, args ...any) {
	j.found = append(j.found, Fault{Check: check, Subject: j.of, LimitSetting: "drift." + j.of + "." + setting,
		Text: fmt.Sprintf("source %s: ", j.of) + fmt.Sprintf(format, args...) + "; look at what the publisher changed"})
}

func (j *judge) between(check, name string, n, floor, ceiling int64) {
	if n < floor {
		j.breach(check, "min_"+name, "%s is %d, below its floor of %d", name, n, floor)
	}
	if ceiling > 0 && n > ceiling {
		j.breach(check, "max_"+name, "%s is %d, above its ceiling of %d", name, n, ceiling)
	}
}

func (j *judge) change(check, name string, before, now int64, l SourceLimits) {
	switch {
	case before < MinComparedRecords:
	case now*100 < before*int64(100-l.MaxFallPct):
		j.breach(check, "max_fall_pct", "%s fall from %d to %d, by more than %d %%", name, before, now, l.MaxFallPct)
	case now*100 > before*int64(100+l.MaxRisePct):
		j.breach(check, "max_rise_pct", "%s rise from %d to %d, by more than %d %%", name, before, now, l.MaxRisePct)
	}
}

// unknown adds a fault if a source has too many unknown columns, categories and codes and missing
// columns, counted together. The fault's message lists them.
func (j *judge) unknown(s SourceReport, l SourceLimits) {
	n := s.Faults["unknown_column"] + s.Faults["missing_column"] + s.Faults["unknown_code"]
	tooFewToJudge := s.Records > 0 && s.Records < MinComparedRecords
	if n == 0 || tooFewToJudge || n*100 <= s.Records*int64(l.MaxUnknownPct) {
		return
	}
	j.breach(CheckUnknownCodes, "max_unknown_pct",
		"%d columns, categories or codes of %d records are not known and were not used; %s", n, s.Records,
		s.Details("unknown_column", "missing_column", "unknown_code"))
}

// Details returns the texts of the source's sample faults whose code is among the given codes.
func (s SourceReport) Details(codes ...string) string {
	var list []string
	for _, f := range s.Samples {
		if slices.Contains(codes, string(f.Code)) {
			list = append(list, f.Detail)
		}
	}
	return strings.Join(list, "; ")
}

// allBounds returns the faults for numbers and shares outside their limits in one report. It skips
// a source whose entry was copied from the previous report (TakenOver). A source that has limits
// but is not in the report counts as one that delivered nothing.
func allBounds(now []SourceReport, limits map[string]SourceLimits) (found []Fault) {
	for _, s := range now {
		if !s.TakenOver {
			found = append(found, bounds(s, limits[s.Key])...)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(limits)) {
		if at(now, key) < 0 {
			found = append(found, bounds(SourceReport{Key: key}, limits[key])...)
		}
	}
	return found
}

// allChanges returns the faults for every source that changed by more than its limits from one
// report to the next. A source that is in only one of the reports is not compared.
func allChanges(before, now []SourceReport, limits map[string]SourceLimits) (found []Fault) {
	for _, s := range now {
		if i := at(before, s.Key); i >= 0 {
			found = append(found, changes(before[i], s, limits[s.Key])...)
		}
	}
	return found
}

func at(list []SourceReport, key string) int {
	return slices.IndexFunc(list, func(s SourceReport) bool { return s.Key == key })
}
