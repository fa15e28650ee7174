// Package report defines report.json, a run's report in its snapshot: how many records were read,
// counted and left out, and why. It has no counts of people.
package report

import (
	"maps"
	"slices"
	"strings"

	"labour/pipeline/check"
	"labour/pipeline/coding"
	"labour/pipeline/coding/place"
	"labour/pipeline/counting"
	"labour/snapshots"
	"labour/snapshots/diff"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
)

// faultSamples is how many faults of one code are listed per source; all are counted.
const faultSamples = 20

// shareFrom is the number of records about people from which the share of faulty ones is written: 1
// per cent is then at least 10 of them.
const shareFrom = 1_000

// Report is the content of report.json of a snapshot. It contains no count of people, and nothing
// about a single advert or person.
type Report struct {
	AsOf sources.Date `json:"as_of"`
	// the only source that was read again; the other tables are those of the previous snapshot
	Only      string            `json:"only,omitempty"`
	Fetched   []FetchResult     `json:"fetched,omitempty"`
	Sources   []*Source         `json:"sources"`
	Rules     map[string]string `json:"rules"`     // reason -> sentence of the specification
	Tables    map[string]int64  `json:"tables"`    // number of rows
	Embargoed map[string]int64  `json:"embargoed"` // number of rows of the embargoed datasets, open or not
	// cells of people_turned_down by printed form: number, under_5
	People map[string]int64 `json:"people_figures"`
	// Withheld counts the unpublished cells by the rule that withheld them.
	Withheld map[string]int64 `json:"people_withheld"`
	// Changes holds how many keys of each table differ from the previous snapshot.
	Changes []diff.TableTotals `json:"changes,omitempty"`
	// Remarks are notes that the operator should read although nothing failed.
	Remarks []string `json:"remarks,omitempty"`
	// Quarter describes the figures of people; nil without people.
	Quarter *snapshots.People `json:"people,omitempty"`
	// PeopleWithdrawn are the withdrawn figures of people.
	PeopleWithdrawn []snapshots.PeopleWithdrawal `json:"people_withdrawn,omitempty"`
	// Exceptions are the acknowledged faults in the configuration.
	Exceptions []snapshots.Exception `json:"exceptions,omitempty"`
}

// Source counts the records of one source by their outcome.
type Source struct {
	Source  string                      `json:"source"`
	Records int64                       `json:"records"` // records that are not about people
	people  int64                       // records about people; only for the operator, see Received
	Faults  map[sources.FaultCode]int64 `json:"faults"`
	Samples []sources.Fault             `json:"fault_samples,omitempty"`
	// Faults of single records about people; no file of a snapshot has their number
	peopleFaults map[sources.FaultCode]int64
	// whole per cent, rounded down, of the records about people that could not be used; 0 below
	// 1,000 records
	PeopleFaultyPct int64 `json:"people_faulty_pct,omitempty"`
	// mentions, in records about people, of skills that are not in the register
	unknownSkills int64
	Adverts       *check.Adverts `json:"adverts,omitempty"`
	Carried       []CarriedPart  `json:"carried,omitempty"` // parts that were served from an older fetch, by name
	// not read: the entry is from the report of the previous snapshot
	TakenOver bool `json:"taken_over,omitempty"`
}

// Received returns the number of records read, including those about people. It must only be shown
// to the operator and never published.
func (s *Source) Received() int64 { return s.Records + s.people }

// UnknownSkills returns the number of skills in records about people that the register of skills
// lacks. It must only be shown to the operator and never published.
func (s *Source) UnknownSkills() int64 { return s.unknownSkills }

// New returns the empty report of a run for a date.
func New(asOf sources.Date) *Report {
	r := &Report{AsOf: asOf, Rules: map[string]string{}, Tables: map[string]int64{}, Embargoed: map[string]int64{},
		People: map[string]int64{}, Withheld: map[string]int64{}}
	for _, rule := range counting.CountingRules() {
		r.Rules[string(rule.Reason)] = rule.Sentence
	}
	return r
}

// SourceEntry returns the report's entry of the source with this key. It adds an empty entry if there is
// none.
func (r *Report) SourceEntry(key string) *Source {
	for _, s := range r.Sources {
		if s.Source == key {
			return s
		}
	}
	s := &Source{Source: key, Faults: map[sources.FaultCode]int64{}, peopleFaults: map[sources.FaultCode]int64{}}
	r.Sources = append(r.Sources, s)
	return s
}

// RecordsBySource returns the number of records of each source, by its key. Records about people are left
// out.
func (r *Report) RecordsBySource() map[string]int64 {
	records := map[string]int64{}
	for _, s := range r.Sources {
		records[s.Source] = s.Records
	}
	return records
}

// AddTables records the number of rows of each table.
func (r *Report) AddTables(files []snapshots.TableFile) {
	for _, file := range files {
		r.Tables[file.Name] = file.Rows
	}
}

// AddEmbargoed adds the number of rows of the embargoed datasets that were built.
func (r *Report) AddEmbargoed(states []snapshots.EmbargoedState) {
	for _, s := range states {
		if s.Rows != nil {
			r.Embargoed[s.Name] = *s.Rows
		}
	}
}

// AddChanges adds the number of changed keys of each table that differs from the previous snapshot.
func (r *Report) AddChanges(totals []diff.TableTotals) {
	for _, one := range totals {
		if one.Changes() > 0 {
			r.Changes = append(r.Changes, one)
		}
	}
}

// AddFault counts a fault, and keeps the first faults of each code as samples. Faults of single
// records about people are also counted separately, so that Encode can leave them out.
func (s *Source) AddFault(f sources.Fault) {
	s.Faults[f.Code]++
	alike := s.Faults[f.Code] - s.peopleFaults[f.Code]
	if ofPerson(f) {
		s.peopleFaults[f.Code]++
		alike = s.peopleFaults[f.Code]
	}
	if alike <= faultSamples {
		s.Samples = append(s.Samples, f)
	}
}

// AddFaults adds each fault to the entry of its source.
func (r *Report) AddFaults(all []sources.Fault) {
	for _, f := range all {
		r.SourceEntry(f.Source).AddFault(f)
	}
}

// AddRecord counts a record. Records about people are counted apart, since their number is never
// published.
func (s *Source) AddRecord(aboutPeople bool) {
	if aboutPeople {
		s.people++
	} else {
		s.Records++
	}
}

// AddUnknownSkill counts a skill, in a record about people, that is not in the register.
func (s *Source) AddUnknownSkill() { s.unknownSkills++ }

func (s *Source) adverts() *check.Adverts {
	if s.Adverts == nil {
		s.Adverts = &check.Adverts{Excluded: map[counting.Reason]int64{}}
	}
	return s.Adverts
}

// AddAdvert counts an advert as read. If the advert is in the United Kingdom, it also counts the
// attributes that could be coded.
func (s *Source) AddAdvert(coded *coding.Advert) {
	a := s.adverts()
	a.Read++
	if coded.Place.Country != place.CountryUK {
		return
	}
	a.InUK++
	for _, c := range []struct {
		is bool
		n  *int64
	}{{len(coded.Place.Councils) > 0, &a.Placed}, {coded.Place.Precision == place.PrecisionArea, &a.InArea},
		{coded.SOC != "", &a.WithSOC},
		{coded.Sector != "", &a.WithSector}, {len(coded.Skills) > 0, &a.WithSkill}, {!coded.Readable, &a.NoText}} {
		if c.is {
			*c.n++
		}
	}
}

// AddListed counts an advert of the newest fetch. If the source is a listing with parts (such as
// boards), it also counts the advert for its part.
func (s *Source) AddListed(info *sources.Info, a *sources.Advert) {
	r := s.adverts()
	r.Listed++
	part := archive.PartName(a.ID)
	if info.ListsLiveOnly && strings.HasPrefix(a.ID, part+"/") && strings.Contains(part, "/") {
		if r.Parts == nil {
			r.Parts = map[string]int64{}
		}
		r.Parts[part]++
	}
}

// AddVerdict counts the verdict of the counting rules on one advert of a source.
func (r *Report) AddVerdict(source string, v counting.Verdict) {
	a := r.SourceEntry(source).adverts()
	if v.Reason == counting.ReasonCounted {
		a.Counted++
	} else {
		a.Excluded[v.Reason]++
	}
}

// Encode returns the report as JSON. Equal reports give equal bytes.
func (r *Report) Encode() ([]byte, error) {
	slices.SortFunc(r.Sources, func(a, b *Source) int { return strings.Compare(a.Source, b.Source) })
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

// withoutPeople returns the entry without the faults of single records about people: their number
// is a number of people, and changes by only a few from one day to the next. Faults of a whole file
// stay.
func (s *Source) withoutPeople() *Source {
	told := *s
	told.Faults = maps.Clone(s.Faults)
	for code, n := range s.peopleFaults {
		if told.Faults[code] -= n; told.Faults[code] == 0 {
			delete(told.Faults, code)
		}
	}
	told.Samples = slices.DeleteFunc(slices.Clone(s.Samples), ofPerson)
	var faulty int64
	for _, n := range s.peopleFaults {
		faulty += n
	}
	if lines := s.people + faulty; lines >= shareFrom {
		told.PeopleFaultyPct = 100 * faulty / lines
	}
	return &told
}

// ofPerson reports whether a fault is in a single record, given by line or id, of a file about
// people.
func ofPerson(f sources.Fault) bool {
	kind, _ := platform.KindOfFile(f.Object)
	return f.Where != "" && f.Source == platform.Key &&
		slices.Contains([]platform.Kind{platform.KindResidents, platform.KindApplications, platform.KindEvents}, kind)
}

// Read reads the report of the sealed snapshot in dir.
func Read(dir string) (*Report, error) { return snapshots.ReadReport[*Report](dir) }

// CopyUnreadSources copies from another report the entries of sources that this light run did not read, so
// that the report covers all tables.
func (r *Report) CopyUnreadSources(from *Report) {
	for _, s := range from.Sources {
		if !slices.ContainsFunc(r.Sources, func(own *Source) bool { return own.Source == s.Source }) {
			taken := *s
			taken.TakenOver = true
			r.Sources = append(r.Sources, &taken)
		}
	}
}
