// Package report defines report.json, a run's report in its snapshot: how many records were read,
// counted and left out, and why. It has no counts of people.
package report

import (
	"maps"
	"slices"
	"strings"

	"labour/pipeline/counting"
	"labour/snapshots"
	"labour/snapshots/diff"
	"labour/sources"
	"labour/sources/platform"
)

// faultSamples is the largest number of faults of each code that the report lists for a source.
// Further faults are only counted.
const faultSamples = 20

// Report is the content of a snapshot's report.json. It has no counts of people, and no faults of
// single records about people. It may list faults of other single records, such as adverts.
type Report struct {
	AsOf sources.Date `json:"as_of"`
	// key of the only source that a light run has read; empty for a whole run
	OnlySource string         `json:"only,omitempty"`
	Fetched    []FetchResult  `json:"fetched,omitempty"`
	Sources    []*SourceEntry `json:"sources"`
	// sentence of the specification for each reason not to count an advert, by the reason's name
	Rules map[string]string `json:"rules"`
	// number of rows of each table, by the table's name
	Tables map[string]int64 `json:"tables"`
	// number of rows of each embargoed dataset, open or not
	Embargoed map[string]int64 `json:"embargoed"`
	// number of published counts in the table people, by their form: number or under_5
	People map[string]int64 `json:"people_figures"`
	// Withheld has the number of unpublished counts of people, by the rule that withheld them.
	Withheld map[string]int64 `json:"people_withheld"`
	// Changes has the number of rows of each table that differ from the previous snapshot.
	Changes []diff.TableTotals `json:"changes,omitempty"`
	// Remarks are messages that the operator should read, although nothing failed.
	Remarks []string `json:"remarks,omitempty"`
	// Quarter is the period and protection of the counts of people; nil without people.
	Quarter *snapshots.People `json:"people,omitempty"`
	// PeopleWithdrawn are the counts of people that are withdrawn from publication.
	PeopleWithdrawn []snapshots.PeopleWithdrawal `json:"people_withdrawn,omitempty"`
	// Exceptions are the operator's acknowledgements of faults, from the configuration.
	Exceptions []snapshots.Exception `json:"exceptions,omitempty"`
}

// SourceEntry is the report on one source. It counts the source's records and faults.
type SourceEntry struct {
	Source string `json:"source"`
	// number of records read, without those about people
	Records int64 `json:"records"`
	// number of these records that only older fetches of the source have, such as adverts that are
	// no longer listed
	PastRecords int64 `json:"past_records,omitempty"`
	// lines of the platform's feed, by kind of record; those about people are shown only to the
	// operator, by ReceivedRecords
	lines   map[platform.RecordKind]lineCounts
	Faults  map[sources.FaultCode]int64 `json:"faults"`
	Samples []sources.Fault             `json:"fault_samples,omitempty"`
	// number of faults of single records about people, by code; never written to a snapshot
	peopleFaults map[sources.FaultCode]int64
	// percentage of faulty records, rounded down. It is calculated for residents, for applications
	// and for events, and this is the largest percentage. For a kind with fewer than 1,000 records,
	// the percentage is only 0, 50 or 100.
	PeopleFaultyPct int64 `json:"people_faulty_pct,omitempty"`
	// percentage of the named skills that are not in the register, rounded down. It is calculated
	// for residents and for applications, and this is the larger percentage. If fewer than 1,000
	// records name skills, the percentage is only 0, 50 or 100.
	PeopleUnknownSkillsPct int64 `json:"people_unknown_skills_pct,omitempty"`
	// per cent of the records that are faulty, by kind, without records about people
	FaultyPctByKind map[platform.RecordKind]int64 `json:"faulty_pct_by_kind,omitempty"`
	// skills that records about people name, by kind of record
	skills  map[platform.RecordKind]skillCounts
	Adverts *AdvertCounts `json:"adverts,omitempty"`
	// parts of the source that were taken from an older fetch, by name
	Carried []CarriedForwardPart `json:"carried,omitempty"`
	// true if this run did not read the source: the entry is a copy from the previous snapshot's
	// report
	TakenOver bool `json:"taken_over,omitempty"`
}

// New returns an empty report for a run whose figures are as of the given date.
func New(asOf sources.Date) *Report {
	r := &Report{AsOf: asOf, Rules: map[string]string{}, Tables: map[string]int64{}, Embargoed: map[string]int64{},
		People: map[string]int64{}, Withheld: map[string]int64{}}
	for _, rule := range counting.ExclusionRules() {
		r.Rules[string(rule.Reason)] = rule.Sentence
	}
	return r
}

// NewestRecords returns the number of records in the newest fetch of the source.
func (s *SourceEntry) NewestRecords() int64 { return s.Records - s.PastRecords }

// EnsureSource returns the report's entry for a source. If there is none, it adds an empty one.
func (r *Report) EnsureSource(key string) *SourceEntry {
	for _, s := range r.Sources {
		if s.Source == key {
			return s
		}
	}
	s := &SourceEntry{Source: key, Faults: map[sources.FaultCode]int64{}, peopleFaults: map[sources.FaultCode]int64{},
		lines: map[platform.RecordKind]lineCounts{}, skills: map[platform.RecordKind]skillCounts{}}
	r.Sources = append(r.Sources, s)
	return s
}

// RecordCountsBySource returns the number of records of each source, by its key. Records about
// people are not included.
func (r *Report) RecordCountsBySource() map[string]int64 {
	records := map[string]int64{}
	for _, s := range r.Sources {
		records[s.Source] = s.Records
	}
	return records
}

// AddTableRowCounts adds the number of rows of each table to the report.
func (r *Report) AddTableRowCounts(files []snapshots.TableFile) {
	for _, file := range files {
		r.Tables[file.Name] = file.Rows
	}
}

// AddEmbargoed adds the number of rows of each embargoed dataset to the report, whether it is open
// or not. It leaves out datasets that were not built.
func (r *Report) AddEmbargoed(states []snapshots.EmbargoedState) {
	for _, s := range states {
		if s.Rows != nil {
			r.Embargoed[s.Name] = *s.Rows
		}
	}
}

// AddChanges adds the number of changed rows of each table to the report. It leaves out unchanged
// tables.
func (r *Report) AddChanges(totals []diff.TableTotals) {
	for _, one := range totals {
		if one.Changes() > 0 {
			r.Changes = append(r.Changes, one)
		}
	}
}

// AddFault counts a fault of the source, and lists the first 20 of each code. Faults of single
// records about people are counted separately, so that Encode can leave them out.
func (s *SourceEntry) AddFault(f sources.Fault) {
	s.Faults[f.Code]++
	alike := s.Faults[f.Code] - s.peopleFaults[f.Code]
	s.addFaultyLine(f)
	if ofPerson(f) {
		s.peopleFaults[f.Code]++
		alike = s.peopleFaults[f.Code]
	}
	if alike <= faultSamples {
		s.Samples = append(s.Samples, f)
	}
}

// AddFaults adds each fault to the report's entry for its source.
func (r *Report) AddFaults(all []sources.Fault) {
	for _, f := range all {
		r.EnsureSource(f.Source).AddFault(f)
	}
}

// AddRemarks adds remarks for the operator to the report, and returns them. It ignores empty texts.
func (r *Report) AddRemarks(texts ...string) []string {
	texts = slices.DeleteFunc(texts, func(text string) bool { return text == "" })
	r.Remarks = append(r.Remarks, texts...)
	return texts
}

// Encode returns the report as JSON for report.json. Equal reports give the same bytes.
func (r *Report) Encode() ([]byte, error) {
	slices.SortFunc(r.Sources, func(a, b *SourceEntry) int { return strings.Compare(a.Source, b.Source) })
	for _, s := range r.Sources { // faults of reading and of coding are added in the order of finding
		slices.SortStableFunc(s.Samples,
			func(a, b sources.Fault) int { return strings.Compare(string(a.Code), string(b.Code)) })
	}
	public := *r
	public.Sources = nil
	for _, s := range r.Sources {
		public.Sources = append(public.Sources, s.withoutPeople())
	}
	return snapshots.EncodeDocument(public)
}

// withoutPeople returns the entry without faults of single records about people. Their number would
// disclose the number of these records. Faults of whole files are kept.
func (s *SourceEntry) withoutPeople() *SourceEntry {
	told := *s
	told.Faults = maps.Clone(s.Faults)
	for code, n := range s.peopleFaults {
		if told.Faults[code] -= n; told.Faults[code] == 0 {
			delete(told.Faults, code)
		}
	}
	told.Samples = slices.DeleteFunc(slices.Clone(s.Samples), ofPerson)
	s.tellShares(&told)
	return &told
}

// Read reads the report of the snapshot in dir.
func Read(dir string) (*Report, error) {
	r, err := snapshots.ReadReport[Report](dir)
	if err != nil {
		return nil, err
	}
	return &r, nil
}

// CopyUnreadSources copies the entries of sources that this run did not read from an earlier
// snapshot's report, so that the report has an entry for every source of the snapshot.
func (r *Report) CopyUnreadSources(from *Report) {
	for _, s := range from.Sources {
		if !slices.ContainsFunc(r.Sources, func(own *SourceEntry) bool { return own.Source == s.Source }) {
			taken := *s
			taken.TakenOver = true
			r.Sources = append(r.Sources, &taken)
		}
	}
}

// DamagedSources returns the keys of the sources whose archived data is damaged or missing, so that
// older data was read. Sources that were copied from the previous report are left out.
func (r *Report) DamagedSources() []string {
	var keys []string
	for _, s := range r.Sources {
		if s.Faults[sources.FaultDamaged] > 0 && !s.TakenOver {
			keys = append(keys, s.Source)
		}
	}
	return keys
}
