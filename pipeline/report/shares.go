package report

import (
	"labour/sources"
	"labour/sources/platform"
)

// shareFrom is the smallest number of records about people for which the report gives the share of
// faulty records, in whole per cent. With fewer records, one per cent would be fewer than 10
// records.
const shareFrom = 1_000

// fewestForAnyShare is the smallest number of records about people for which the report gives a
// share of faulty records. Below 1,000 records, the share is only 0, 50 or 100 per cent, rounded
// down.
const fewestForAnyShare = 20

// lineCounts counts the lines of one kind of record in the platform's feed, such as residents.
type lineCounts struct {
	read   int64 // records that were read
	faulty int64 // lines with a fault
	// faulty lines whose record was used nevertheless, because only another record that it names is
	// unknown
	faultyRead int64
}

// total returns the number of lines, with and without faults.
func (c lineCounts) total() int64 { return c.read + c.faulty - c.faultyRead }

// skillCounts counts the skills in one kind of record about people, such as residents.
type skillCounts struct {
	records int64 // number of records that name a skill
	named   int64 // number of skills that the records name
	unknown int64 // number of named skills that the register does not have
}

// ReceivedRecords returns the number of records read from the source. It includes records about
// people, so it must only be shown to the operator.
func (s *SourceEntry) ReceivedRecords() int64 {
	all := s.Records
	for kind, lines := range s.lines {
		if hasUnpublishedCount(kind) {
			all += lines.read
		}
	}
	return all
}

// UnknownSkills returns the number of skills in records about people that the register does not
// have. It must only be shown to the operator.
func (s *SourceEntry) UnknownSkills() (unknown int64) {
	for _, counts := range s.skills {
		unknown += counts.unknown
	}
	return unknown
}

// AddRecord counts a record that was read from the source. Records about people are counted
// separately, because their number is never published.
func (s *SourceEntry) AddRecord(r sources.Record) {
	kind := platform.KindOfRecord(r)
	if !hasUnpublishedCount(kind) {
		s.Records++
	}
	lines := s.lines[kind]
	lines.read++
	s.lines[kind] = lines
}

// addFaultyLine counts a fault of a single line of the platform's feed. It ignores other faults,
// and applications of unknown residents.
func (s *SourceEntry) addFaultyLine(f sources.Fault) {
	kind, ok := kindOfLine(f)
	if !ok || f.Code == sources.FaultUnknownResident {
		return
	}
	lines := s.lines[kind]
	lines.faulty++
	if f.Code.KeepsRecord() {
		lines.faultyRead++
	}
	s.lines[kind] = lines
}

// AddSkills counts the skills in one record about people. namedCount is the number of its skills.
// unknownCount is the number of them that the register does not have. kind is the kind of record,
// such as residents.
func (s *SourceEntry) AddSkills(kind platform.RecordKind, namedCount, unknownCount int) {
	if namedCount == 0 {
		return
	}
	counts := s.skills[kind]
	counts.records++
	counts.named += int64(namedCount)
	counts.unknown += int64(unknownCount)
	s.skills[kind] = counts
}

// tellShares sets the published shares of faulty lines and of unknown skills in told, which is the
// copy of s for publication.
func (s *SourceEntry) tellShares(told *SourceEntry) {
	for kind, lines := range s.lines {
		switch {
		case lines.faulty == 0:
		case hasUnpublishedCount(kind):
			told.PeopleFaultyPct = max(told.PeopleFaultyPct, peoplePct(lines.faulty, lines.total(), lines.total()))
		default:
			if told.FaultyPctByKind == nil {
				told.FaultyPctByKind = map[platform.RecordKind]int64{}
			}
			told.FaultyPctByKind[kind] = 100 * lines.faulty / lines.total()
		}
	}
	for _, counts := range s.skills {
		told.PeopleUnknownSkillsPct = max(told.PeopleUnknownSkillsPct,
			peoplePct(counts.unknown, counts.named, counts.records))
	}
}

// peoplePct returns part as a percentage of total, rounded down. records is the number of records
// about people in which part and total were counted. An exact percentage of few records would
// disclose their number. The result is 0, 50 or 100 below 1,000 records, and 0 below 20 records.
func peoplePct(part, total, records int64) int64 {
	switch pct := 100 * part / max(total, 1); {
	case records < fewestForAnyShare:
		return 0
	case records < shareFrom:
		return pct / 50 * 50
	default:
		return pct
	}
}

// hasUnpublishedCount reports whether the number of records of a kind must not be published. It
// returns true for residents, applications and events, because their numbers show what people do.
// In this package, "records about people" means records of these three kinds.
func hasUnpublishedCount(kind platform.RecordKind) bool {
	return kind.IsAboutPeople() || kind == platform.KindEvents
}

// ofPerson reports whether a fault is in a single record about people.
func ofPerson(f sources.Fault) bool {
	kind, ok := kindOfLine(f)
	return ok && hasUnpublishedCount(kind)
}

// kindOfLine returns the kind of record that has the fault, such as residents. ok is false if the
// fault is not in a single record of the platform's feed.
func kindOfLine(f sources.Fault) (kind platform.RecordKind, ok bool) {
	kind, ok = platform.KindOfFile(f.Object)
	return kind, ok && f.Where != "" && f.Source == platform.Key
}
