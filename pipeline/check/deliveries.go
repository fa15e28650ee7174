package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"labour/pipeline/check/limits"
	"labour/pipeline/report"
	"labour/sources"
)

// These checks compare each delivery of a source with its limits, and with its delivery for the
// current snapshot. A publisher may halve a list, rename the fields used for coding, or deliver a
// thousand times as much. The checks find this before publication.

// MinComparedRecords is the smallest number of a source's records or adverts for which a change
// from the previous snapshot is checked. Smaller numbers vary too much by chance.
const MinComparedRecords = 100

// MinComparedListRecords is the smallest number of records for which a change is checked if the
// source is a list, such as statistics. Lists do not shrink by chance.
const MinComparedListRecords = 10

// minComparedRecords returns the smallest number of records for which a change is checked, for
// sources of the given kind.
func minComparedRecords(kind sources.Kind) int64 {
	switch kind {
	case sources.KindStatistics, sources.KindProjections, sources.KindGeography, sources.KindPlans:
		return MinComparedListRecords
	}
	return MinComparedRecords
}

// bounds returns a fault for each number and percentage of a source that is outside its limits.
func bounds(s *report.SourceEntry, l limits.Source) []Fault {
	l = l.WithDefaults()
	j := deliveryChecker{source: s.Source}
	j.checkRange(limits.CheckRecordCount, "records", s.NewestRecords(), l.MinRecords, l.MaxRecords)
	adverts := cmp.Or(s.Adverts, &report.AdvertCounts{})
	j.checkRange(limits.CheckCountedAdvertCount, "counted", adverts.Counted, l.MinCounted, l.MaxCounted)
	for _, c := range codedShares(adverts, l) {
		if c.of >= MinComparedRecords && c.n*100 < c.of*int64(c.floor) {
			j.breach(limits.CheckCodedShare, c.setting, "of %d adverts in the country, %d have %s, less than %d %%",
				c.of, c.n, c.what, c.floor)
		}
	}
	j.unknown(s, l)
	return j.faults
}

// changes compares the figures of a source in two reports. It returns a fault for each number that
// fell or rose too much, and for each percentage that fell too much. It skips numbers that were too
// small in the earlier report: below MinComparedRecords, or MinComparedListRecords for the records
// of a list.
func changes(before, now *report.SourceEntry, kind sources.Kind, l limits.Source) []Fault {
	l = l.WithDefaults()
	j := deliveryChecker{source: now.Source}
	if before.Records >= minComparedRecords(kind) {
		j.compare(limits.CheckRecordCount, "records", before.Records, now.Records, l)
	}
	if before.Adverts == nil {
		return j.faults
	}
	earlier, later := before.Adverts, cmp.Or(now.Adverts, &report.AdvertCounts{})
	j.change(limits.CheckCountedAdvertCount, "adverts counted", earlier.Counted, later.Counted, l)
	j.change(limits.CheckListedAdvertCount, "adverts listed", earlier.Listed, later.Listed, l)
	for _, part := range slices.Sorted(maps.Keys(later.Parts)) {
		j.change(limits.CheckListedAdvertCount, "adverts listed by "+part, earlier.Parts[part], later.Parts[part], l)
	}
	was := codedShares(earlier, l)
	for i, c := range codedShares(later, l) {
		had, has := was[i].of, c.of
		if had < MinComparedRecords || has < MinComparedRecords {
			continue
		}
		// was/had - n/has > points/100, without a division
		if 100*(was[i].n*has-c.n*had) > int64(l.MaxCodedShareFallPoints)*had*has {
			j.breach(limits.CheckCodedShare, "max_coded_fall_points",
				"the share of adverts with %s falls from %d of %d to %d of %d, by more than %d points",
				c.what, was[i].n, had, c.n, has, l.MaxCodedShareFallPoints)
		}
	}
	return j.faults
}

// share is the number of a source's adverts that have a coded attribute, such as an occupation,
// with the limit for this number.
type share struct {
	what    string // name of the attribute in messages, such as "an occupation"
	setting string // name of the limit in the configuration, such as min_soc_pct
	n       int64  // number of adverts with the attribute
	of      int64  // number of adverts that could have it
	floor   int    // smallest permitted percentage of adverts with the attribute
}

// codedShares returns four shares: the numbers of adverts with a council, an occupation, a sector
// and a skill. Each has its minimum percentage from l.
func codedShares(a *report.AdvertCounts, l limits.Source) []share {
	return []share{
		{"a council", "min_placed_pct", a.Placed, a.InUK, l.MinWithCouncilPct},
		{"an occupation", "min_soc_pct", a.WithSOC, a.InUK, l.MinWithOccupationPct},
		{"a sector", "min_sector_pct", a.WithSector, a.InUK, l.MinWithSectorPct},
		{"a skill", "min_skill_pct", a.WithSkill, a.Readable(), l.MinWithSkillPct},
	}
}

// deliveryChecker collects faults in the figures of one source.
type deliveryChecker struct {
	source string
	faults []Fault
}

func (j *deliveryChecker) breach(check, setting, format string, args ...any) {
	j.faults = append(j.faults, Fault{Check: check, Subject: j.source, LimitSetting: "drift." + j.source + "." + setting,
		Text: fmt.Sprintf("source %s: ", j.source) + fmt.Sprintf(format, args...) + "; look at what the publisher changed"})
}

func (j *deliveryChecker) checkRange(check, name string, n, floor, ceiling int64) {
	if n < floor {
		j.breach(check, "min_"+name, "%s is %d, below its floor of %d", name, n, floor)
	}
	if ceiling > 0 && n > ceiling {
		j.breach(check, "max_"+name, "%s is %d, above its ceiling of %d", name, n, ceiling)
	}
}

// change adds a fault if a number fell or rose too much since the previous snapshot. before and now
// are the two values of the number, name says what it counts, and check is the name of the check.
// change does nothing if before is below MinComparedRecords.
func (j *deliveryChecker) change(check, name string, before, now int64, l limits.Source) {
	if before >= MinComparedRecords {
		j.compare(check, name, before, now, l)
	}
}

func (j *deliveryChecker) compare(check, name string, before, now int64, l limits.Source) {
	switch {
	case now*100 < before*int64(100-l.MaxFallPct):
		j.breach(check, "max_fall_pct", "%s fall from %d to %d, by more than %d %%", name, before, now, l.MaxFallPct)
	case now*100 > before*int64(100+l.MaxRisePct):
		j.breach(check, "max_rise_pct", "%s rise from %d to %d, by more than %d %%", name, before, now, l.MaxRisePct)
	}
}

// unknown adds a fault if a source has too many unknown columns, missing columns and unknown codes
// in total. The fault's message lists them.
func (j *deliveryChecker) unknown(s *report.SourceEntry, l limits.Source) {
	codes := []sources.FaultCode{sources.FaultColumnUnknown, sources.FaultColumnMissing, sources.FaultUnknownCode}
	var n int64
	for _, code := range codes {
		n += s.Faults[code]
	}
	records := s.NewestRecords() // faults are those of the newest fetch
	tooFewToJudge := records > 0 && records < MinComparedRecords
	if n == 0 || tooFewToJudge || n*100 <= records*int64(l.MaxUnknownPct) {
		return
	}
	j.breach(limits.CheckUnknownCodes, "max_unknown_pct",
		"%d columns, categories or codes of %d records are not known and were not used; %s", n, records,
		details(s, codes...))
}

// details returns the messages of those example faults in a source's report that have one of the
// given fault codes. They are joined by "; ".
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
// in the report, its figures count as 0. perSource has the limits, by source key.
func allBounds(now []*report.SourceEntry, perSource map[string]limits.Source) (found []Fault) {
	for _, s := range now {
		if !s.TakenOver {
			found = append(found, bounds(s, perSource[s.Source])...)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(perSource)) {
		if at(now, key) < 0 {
			found = append(found, bounds(&report.SourceEntry{Source: key}, perSource[key])...)
		}
	}
	return found
}

// allChanges returns a fault for each figure of a source that changed too much from one report to
// the next. It skips sources that are in only one of the reports. kinds and perSource have the kind
// and the limits of each source, by its key.
func allChanges(before, now []*report.SourceEntry, kinds map[string]sources.Kind,
	perSource map[string]limits.Source) (found []Fault) {
	for _, s := range now {
		if i := at(before, s.Source); i >= 0 {
			found = append(found, changes(before[i], s, kinds[s.Source], perSource[s.Source])...)
		}
	}
	return found
}

func at(list []*report.SourceEntry, key string) int {
	return slices.IndexFunc(list, func(s *report.SourceEntry) bool { return s.Source == key })
}
