package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"labour/pipeline/report"
	"labour/sources"
)

// These checks compare each delivery of a source with its limits, and with its delivery for the
// current snapshot. A publisher may halve a list, rename the fields used for coding, or deliver a
// thousand times as much. The checks find this before publication.

// SourceLimits holds the limits for the figures of one source. Limits for a fall or rise are in per
// cent of the previous snapshot's number. Limits for the fall of a percentage are in percentage
// points.
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

// WithDefaults returns a copy of the limits. In the copy, limits that are 0 have their defaults.
func (l SourceLimits) WithDefaults() SourceLimits {
	l.MaxFallPct = cmp.Or(l.MaxFallPct, 40)
	l.MaxRisePct = cmp.Or(l.MaxRisePct, 900)
	l.MaxCodedShareFallPoints = cmp.Or(l.MaxCodedShareFallPoints, 20)
	l.MaxUnknownPct = cmp.Or(l.MaxUnknownPct, 5)
	return l
}

// Validate returns an error if a limit is out of range. The error names the first such limit.
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

// isRange reports whether floor and ceiling are a valid range: floor is not negative, and ceiling
// is not below floor. A ceiling of 0 means no upper limit.
func isRange(floor, ceiling int64) bool {
	return floor >= 0 && (ceiling == 0 || ceiling >= floor)
}

// MinComparedRecords is the number of a source's records or adverts from which changes are checked.
// Smaller numbers vary too much by chance.
const MinComparedRecords = 100

// MinComparedListRecords is the number of records from which changes are checked for a source that
// is a list, such as statistics. Lists do not shrink by chance.
const MinComparedListRecords = 10

// minComparedRecords returns the number of a source's records from which changes are checked.
func minComparedRecords(kind sources.Kind) int64 {
	switch kind {
	case sources.KindStatistics, sources.KindProjections, sources.KindGeography, sources.KindPlans:
		return MinComparedListRecords
	}
	return MinComparedRecords
}

// bounds returns a fault for each number and percentage of a source that is outside its limits.
func bounds(s *report.SourceEntry, l SourceLimits) []Fault {
	l = l.WithDefaults()
	j := deliveryChecker{of: s.Source}
	j.checkRange(CheckRecordCount, "records", s.Records, l.MinRecords, l.MaxRecords)
	adverts := cmp.Or(s.Adverts, &report.AdvertCounts{})
	j.checkRange(CheckCountedAdverts, "counted", adverts.Counted, l.MinCounted, l.MaxCounted)
	for _, c := range codedShares(adverts, l) {
		if adverts.InUK >= MinComparedRecords && c.n*100 < adverts.InUK*int64(c.floor) {
			j.breach(CheckCodedShare, c.setting, "of %d adverts in the country, %d have %s, less than %d %%",
				adverts.InUK, c.n, c.what, c.floor)
		}
	}
	j.unknown(s, l)
	return j.faults
}

// changes compares the figures of a source in two reports. It returns a fault for each number that
// fell or rose too much, and for each percentage that fell too much. It skips numbers that were too
// small in the earlier report: below MinComparedRecords, or MinComparedListRecords for the records
// of a list.
func changes(before, now *report.SourceEntry, kind sources.Kind, l SourceLimits) []Fault {
	l = l.WithDefaults()
	j := deliveryChecker{of: now.Source}
	if before.Records >= minComparedRecords(kind) {
		j.compare(CheckRecordCount, "records", before.Records, now.Records, l)
	}
	if before.Adverts == nil {
		return j.faults
	}
	earlier, later := before.Adverts, cmp.Or(now.Adverts, &report.AdvertCounts{})
	j.change(CheckCountedAdverts, "adverts counted", earlier.Counted, later.Counted, l)
	j.change(CheckListedAdverts, "adverts listed", earlier.Listed, later.Listed, l)
	for _, part := range slices.Sorted(maps.Keys(later.Parts)) {
		j.change(CheckListedAdverts, "adverts listed by "+part, earlier.Parts[part], later.Parts[part], l)
	}
	had, has := earlier.InUK, later.InUK
	if had < MinComparedRecords || has < MinComparedRecords {
		return j.faults
	}
	was := codedShares(earlier, l)
	for i, c := range codedShares(later, l) {
		// was/had - n/has > points/100, without a division
		if 100*(was[i].n*has-c.n*had) > int64(l.MaxCodedShareFallPoints)*had*has {
			j.breach(CheckCodedShare, "max_coded_fall_points",
				"the share of adverts with %s falls from %d of %d to %d of %d, by more than %d points",
				c.what, was[i].n, had, c.n, has, l.MaxCodedShareFallPoints)
		}
	}
	return j.faults
}

// share is the number of adverts with a coded attribute, such as an occupation. It also has the
// minimum percentage of adverts with the attribute.
type share struct {
	what, setting string
	n             int64
	floor         int
}

// codedShares returns the numbers of adverts with a council, an occupation, a sector and a skill.
// Each has its minimum percentage.
func codedShares(a *report.AdvertCounts, l SourceLimits) []share {
	return []share{
		{"a council", "min_placed_pct", a.Placed, l.MinWithCouncilPct},
		{"an occupation", "min_soc_pct", a.WithSOC, l.MinWithOccupationPct},
		{"a sector", "min_sector_pct", a.WithSector, l.MinWithSectorPct},
		{"a skill", "min_skill_pct", a.WithSkill, l.MinWithSkillPct},
	}
}

// deliveryChecker collects faults in the figures of one source.
type deliveryChecker struct {
	of     string
	faults []Fault
}

func (j *deliveryChecker) breach(check, setting, format string, args ...any) {
	j.faults = append(j.faults, Fault{Check: check, Subject: j.of, LimitSetting: "drift." + j.of + "." + setting,
		Text: fmt.Sprintf("source %s: ", j.of) + fmt.Sprintf(format, args...) + "; look at what the publisher changed"})
}

func (j *deliveryChecker) checkRange(check, name string, n, floor, ceiling int64) {
	if n < floor {
		j.breach(check, "min_"+name, "%s is %d, below its floor of %d", name, n, floor)
	}
	if ceiling > 0 && n > ceiling {
		j.breach(check, "max_"+name, "%s is %d, above its ceiling of %d", name, n, ceiling)
	}
}

// change compares two numbers of adverts or people. It skips those that were below
// MinComparedRecords.
func (j *deliveryChecker) change(check, name string, before, now int64, l SourceLimits) {
	if before >= MinComparedRecords {
		j.compare(check, name, before, now, l)
	}
}

func (j *deliveryChecker) compare(check, name string, before, now int64, l SourceLimits) {
	switch {
	case now*100 < before*int64(100-l.MaxFallPct):
		j.breach(check, "max_fall_pct", "%s fall from %d to %d, by more than %d %%", name, before, now, l.MaxFallPct)
	case now*100 > before*int64(100+l.MaxRisePct):
		j.breach(check, "max_rise_pct", "%s rise from %d to %d, by more than %d %%", name, before, now, l.MaxRisePct)
	}
}

// unknown adds a fault if a source has too many unknown columns, missing columns and unknown codes
// in total. The fault's message lists them.
func (j *deliveryChecker) unknown(s *report.SourceEntry, l SourceLimits) {
	codes := []sources.FaultCode{sources.FaultColumnUnknown, sources.FaultColumnMissing, sources.FaultUnknownCode}
	var n int64
	for _, code := range codes {
		n += s.Faults[code]
	}
	tooFewToJudge := s.Records > 0 && s.Records < MinComparedRecords
	if n == 0 || tooFewToJudge || n*100 <= s.Records*int64(l.MaxUnknownPct) {
		return
	}
	j.breach(CheckUnknownCodes, "max_unknown_pct",
		"%d columns, categories or codes of %d records are not known and were not used; %s", n, s.Records,
		details(s, codes...))
}

// details returns the messages of a source's sample faults that have one of the given fault codes.
func details(s *report.SourceEntry, codes ...sources.FaultCode) string {
	var list []string
	for _, f := range s.Samples {
		if slices.Contains(codes, f.Code) {
			list = append(list, f.Detail)
		}
	}
	return strings.Join(list, "; ")
}

// allBounds returns a fault for each figure outside its limits in one report. It skips sources
// whose figures were copied from the previous report (TakenOver). If a source has limits but is not
// in the report, its figures count as 0.
func allBounds(now []*report.SourceEntry, limits map[string]SourceLimits) (found []Fault) {
	for _, s := range now {
		if !s.TakenOver {
			found = append(found, bounds(s, limits[s.Source])...)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(limits)) {
		if at(now, key) < 0 {
			found = append(found, bounds(&report.SourceEntry{Source: key}, limits[key])...)
		}
	}
	return found
}

// allChanges returns a fault for each figure of a source that changed too much from one report to
// the next. It skips sources that are in only one of the reports. kinds has the kind of each source,
// by its key.
func allChanges(before, now []*report.SourceEntry, kinds map[string]sources.Kind,
	limits map[string]SourceLimits) (found []Fault) {
	for _, s := range now {
		if i := at(before, s.Source); i >= 0 {
			found = append(found, changes(before[i], s, kinds[s.Source], limits[s.Source])...)
		}
	}
	return found
}

func at(list []*report.SourceEntry, key string) int {
	return slices.IndexFunc(list, func(s *report.SourceEntry) bool { return s.Source == key })
}
