package report

import (
	"labour/sources"
	"labour/sources/platform"
)

// shareFrom is the smallest number of records about people for which the report states the
// percentage of faulty records in whole per cent. One per cent of so many records is at least 10
// records.
const shareFrom = 1_000

// fewestForAnyShare is the smallest number of records about people for which the report states a
// share of faulty records. Below shareFrom it states only whether at least half, or all, were
// faulty.
const fewestForAnyShare = 20

// lineCounts counts the lines of one kind of record in the platform's feed.
type lineCounts struct {
	read   int64 // records that were read
	faulty int64 // lines with a fault
	// faulty lines that were read nevertheless, without another record that they name
	faultyRead int64
}

// total returns the number of all lines.
func (c lineCounts) total() int64 { return c.read + c.faulty - c.faultyRead }

// skillCounts counts the skills that records about people name, for one kind of record.
type skillCounts struct {
	records int64 // records that name a skill
	named   int64
	unknown int64 // of the named ones, those that the register does not have
}

// Received returns the number of records read from the source, including those about people. The
// number must be shown only to the operator and never published.
func (s *SourceEntry) Received() int64 {
	all := s.Records
	for kind, lines := range s.lines {
		if hasUnpublishedCount(kind) {
			all += lines.read
		}
	}
	return all
}

// UnknownSkills returns the number of skills that the source's records about people name and the
// register does not have. Show this number only to the operator, and never publish it.
func (s *SourceEntry) UnknownSkills() (unknown int64) {
	for _, counts := range s.skills {
		unknown += counts.unknown
	}
	return unknown
}

// AddRecord counts one record that was read from the source. Records about people are counted
// separately by kind, since their number is never published.
func (s *SourceEntry) AddRecord(r sources.Record) {
	kind := platform.KindOfRecord(r)
	if !hasUnpublishedCount(kind) {
		s.Records++
	}
	lines := s.lines[kind]
	lines.read++
	s.lines[kind] = lines
}

// addFaultyLine counts the fault of a single line of the platform's feed. It ignores any other fault, and
// applications of residents who are not in the feed.
func (s *SourceEntry) addFaultyLine(f sources.Fault) {
	kind, ok := kindOfLine(f)
	if !ok || f.Code == sources.FaultUnknownResident {
		return
	}
	lines := s.lines[kind]
	lines.faulty++
	if f.Code.IsOfUsedRecord() {
		lines.faultyRead++
	}
	s.lines[kind] = lines
}

// AddSkills counts the skills that one record about people names. namedCount is their number, and
// unknownCount is how many of them are not in the register. kind is the kind of the record.
func (s *SourceEntry) AddSkills(kind platform.Kind, namedCount, unknownCount int) {
	if namedCount == 0 {
		return
	}
	counts := s.skills[kind]
	counts.records++
	counts.named += int64(namedCount)
	counts.unknown += int64(unknownCount)
	s.skills[kind] = counts
}

// tellShares sets the shares of faulty lines and unknown skills in the entry that is published.
func (s *SourceEntry) tellShares(told *SourceEntry) {
	for kind, lines := range s.lines {
		switch {
		case lines.faulty == 0:
		case hasUnpublishedCount(kind):
			told.PeopleFaultyPct = max(told.PeopleFaultyPct, peoplePct(lines.faulty, lines.total(), lines.total()))
		default:
			if told.FaultyPctByKind == nil {
				told.FaultyPctByKind = map[platform.Kind]int64{}
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
// about people from which both were counted. An exact percentage of few records would disclose
// their number. Below shareFrom records, the result is therefore 0, 50 or 100. Below
// fewestForAnyShare records, it is always 0.
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

// hasUnpublishedCount reports whether the number of records of a kind is never published. It is true
// for residents, applications and events: their numbers would show what people do. The comments of
// this package call all three records about people.
func hasUnpublishedCount(kind platform.Kind) bool {
	return kind.IsAboutPeople() || kind == platform.KindEvents
}

// ofPerson reports whether a fault is in a single record of a file about people. Such a fault gives
// the line or the id of the record.
func ofPerson(f sources.Fault) bool {
	kind, ok := kindOfLine(f)
	return ok && hasUnpublishedCount(kind)
}

// kindOfLine returns the kind of the record in which a fault is. ok is false if the fault is not in a single
// record of the platform's feed, given by line or id.
func kindOfLine(f sources.Fault) (kind platform.Kind, ok bool) {
	kind, ok = platform.KindOfFile(f.Object)
	return kind, ok && f.Where != "" && f.Source == platform.Key
}
