// Package trace shows where the data of a snapshot's table came from: the sources, the archived
// files, the rules with the number of adverts that each excluded, and the corrections. It never
// names a person or a single advert. If the archive is available, AddFetchRecords adds how the files
// were fetched.
package trace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"time"

	"labour/pipeline/report"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources"
)

// SuppressedCount is a number of adverts or of faulty records. 0 to 4 are printed as "fewer than
// 5", because differences between snapshots could disclose single records.
type SuppressedCount int64

// fewest is the smallest SuppressedCount that is printed as a number.
const fewest = 5

// String returns the count in digits. It returns "fewer than 5" for 0 to 4.
func (f SuppressedCount) String() string {
	if f < fewest {
		return "fewer than " + strconv.Itoa(fewest)
	}
	return strconv.FormatInt(int64(f), 10)
}

// MarshalJSON returns the count as a JSON number. It returns the string "fewer than 5" for 0 to 4.
func (f SuppressedCount) MarshalJSON() ([]byte, error) {
	if f < fewest {
		return json.Marshal(f.String())
	}
	return json.Marshal(int64(f))
}

// Trace describes the origin of the rows of one table of a snapshot.
type Trace struct {
	Snapshot snapshots.ID   `json:"snapshot"`
	AsOf     snapshots.Date `json:"as_of"`
	// last day of the twelve months that counts of people describe; null if the table has none
	PeopleAsOf *snapshots.Date `json:"people_as_of"`
	Table      string          `json:"table"`
	// Rows is the number of rows of the table; null if each row is about one advert or one event.
	Rows    *int64   `json:"rows"`
	Sources []Source `json:"sources"` // sources of the table's rows, sorted by key
	// DisclosureRules are the rules that protect the counts of people in the table; empty if it
	// has none.
	DisclosureRules []Rule   `json:"disclosure_rules"`
	Notes           []string `json:"notes"`
}

// Rule is a rule for counting adverts, or for protecting counts of people. It has the rule's name
// in report.json and its text in the specification.
type Rule struct {
	Name     string `json:"rule"`
	Sentence string `json:"sentence"`
}

// Source describes a source of the rows of a table.
type Source struct {
	Key       string `json:"source_key"`
	Publisher string `json:"publisher"`
	Title     string `json:"title"`
	Licence   string `json:"licence"`
	Link      string `json:"link"`
	Statement string `json:"attribution_statement"`
	// Adverts has how many of the source's adverts were counted and excluded; null if the table
	// does not count adverts, or the source has none.
	Adverts *Adverts `json:"adverts"`
	// number of faulty records of the source, by code of the fault
	Faults []Faults `json:"faults"`
	// parts of the source that could not be fetched, so that older files were used
	Carried   []string `json:"carried"`
	TakenOver bool     `json:"taken_over"`
	// archived files of the source, sorted by name and hash
	Inputs      []Input      `json:"inputs"`
	Corrections []Correction `json:"corrections"`
}

// Adverts counts the adverts of a source that were counted, and those that each rule excluded. It
// has no total, because that would disclose numbers printed as "fewer than 5".
type Adverts struct {
	Counted SuppressedCount `json:"counted"`
	// number of adverts that each rule excluded, sorted by the rule's name
	Excluded []ExcludedAdverts `json:"excluded"`
}

// ExcludedAdverts is the number of adverts that one counting rule excluded.
type ExcludedAdverts struct {
	Rule
	Adverts SuppressedCount `json:"adverts"`
}

// Faults is the number of records of a source that have the fault with the given code.
type Faults struct {
	Code    sources.FaultCode `json:"code"`
	Records SuppressedCount   `json:"records"`
}

// Input is one archived file from which the snapshot was built. Files with the same name and hash
// are one Input. The keyed hash of a file of the platform's feed differs between fetches.
type Input struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256,omitempty"`
	// HMACSHA256 is the keyed hash (HMAC-SHA-256, in hex) of a file of the platform's feed,
	// instead of SHA256.
	HMACSHA256 string `json:"hmac_sha256,omitempty"`
	Bytes      int64  `json:"bytes"`
	// time of the earliest fetch, among the snapshot's inputs, that delivered the file
	FirstUsed time.Time `json:"first_used_at"`
	// time of the latest fetch, among the snapshot's inputs, that delivered the file
	LastUsed time.Time `json:"last_used_at"`
	// Received is what the archive recorded about the fetch of the file; null if the archive is
	// not available or has no record.
	Received *ArchiveRecord `json:"received"`
}

// ArchiveRecord is the archive's record of the fetch of a file.
type ArchiveRecord struct {
	URL    string `json:"url"` // address that the file was fetched from, without secrets
	Status int    `json:"status"`
	// time of the last fetch, up to last_used_at, that gave this content
	FetchedAt  time.Time `json:"fetched_at"`
	ReceivedAt time.Time `json:"received_at"` // time at which this content was first received
	Outcome    string    `json:"outcome"`     // result of the fetch: fetched, same or unchanged
	// true if the file could not be fetched at last_used_at, so that an older one was used
	Carried bool `json:"carried"`
	Kept    bool `json:"kept"` // true if the content is still in the archive
}

// Correction is one correction of a publisher's record, from the table corrections.
type Correction struct {
	Kind      string  `json:"kind"`
	Record    string  `json:"record"`
	Field     string  `json:"field"`
	Old       *string `json:"old"`
	New       *string `json:"new"`
	Reason    string  `json:"reason"`
	DecidedBy string  `json:"decided_by"`
	DecidedOn string  `json:"decided_on"`
	Outcome   string  `json:"outcome"`
}

// TraceTable returns the trace of a table of the snapshot in dir. If the format has no such table,
// the error is a *snapshots.UnknownNameError. If the snapshot lacks the table, the error wraps
// fs.ErrNotExist.
func TraceTable(ctx context.Context, dir, table string) (*Trace, error) {
	t, file, err := snapshots.FindFile(table)
	if err != nil {
		return nil, err
	}
	m, _, err := snapshots.ReadManifest(dir)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	n, named, err := countRows(ctx, snapshots.JoinPath(dir, file), t)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("snapshot %s has no table %s: %w", m.ID, table, err)
	}
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	out := &Trace{Snapshot: m.ID, AsOf: m.AsOf, Table: table, Sources: []Source{}, DisclosureRules: []Rule{},
		Notes: []string{}}
	if !hasSingleRecords(table) {
		out.Rows = &n
	}
	return out, out.addSources(dir, t, m, named)
}

// hasSingleRecords reports whether each row of the table is one advert or one event.
func hasSingleRecords(table string) bool { return table == "jobs" || table == "events" }

// addSources adds the rules and the sources of a table to the trace. dir is the directory of the
// snapshot, and m its manifest. sourceKeys are the sources that the rows of the table name. If it
// is empty, addSources adds all sources of the kinds from which the table is made.
func (t *Trace) addSources(dir string, table snapshots.Table, m snapshots.Manifest, sourceKeys []string) error {
	made, err := report.Read(dir)
	if errors.Is(err, fs.ErrNotExist) { // a snapshot without a report adds nothing
		made, err = &report.Report{}, nil
	}
	if err != nil {
		return fmt.Errorf("trace: %w", err)
	}
	known, err := parquetio.ReadAll[snapshots.SourcesRow](snapshots.TablePath(dir, "sources"))
	if err != nil {
		return fmt.Errorf("trace: read the sources: %w", err)
	}
	corrections, err := correctionsOf(dir)
	if err != nil {
		return err
	}
	for _, s := range known { // by key
		if slices.Contains(sourceKeys, s.Key) || len(sourceKeys) == 0 && slices.Contains(table.From, s.Kind) {
			one := Source{Key: s.Key, Publisher: s.Publisher, Title: s.Title, Licence: s.Licence, Link: s.Link,
				Statement: s.AttributionStatement,
				Faults:    []Faults{}, Carried: []string{}, Inputs: inputsOf(m, s.Key),
				Corrections: append([]Correction{}, corrections[s.Key]...)}
			describe(&one, made, table.CountsAdverts() || table.Name == "people")
			t.Sources = append(t.Sources, one)
		}
	}
	if snapshots.IsPeopleTable(table.Name) {
		t.PeopleAsOf = m.PeopleAsOf
	}
	t.DisclosureRules = disclosureRules(table)
	t.addNotes(m, made)
	return nil
}

// addNotes adds notes to the trace that explain its limits to the reader.
func (t *Trace) addNotes(m snapshots.Manifest, r *report.Report) {
	if t.Rows == nil {
		t.Notes = append(t.Notes,
			"A row of this table is about one advert or one event, so the trace is of the whole table.")
	}
	switch {
	case len(t.Sources) == 0:
		t.Notes = append(t.Notes, "No source is named: the service keeps this list itself.")
	default:
		t.Notes = append(t.Notes,
			"The inputs are all files that were read of a source; a snapshot does not record from which of them a row was made.")
	}
	if t.PeopleAsOf != nil {
		t.Notes = append(t.Notes,
			fmt.Sprintf("Figures of people describe the year to %s and are carried unchanged until the next quarter: the "+
				"inputs may be later than what they were made of.", t.PeopleAsOf))
	}
	if r.OnlySource != "" && m.Previous != nil {
		t.Notes = append(t.Notes,
			fmt.Sprintf("Only %s was read for this snapshot; tables of other sources are those of %s.", r.OnlySource,
				m.Previous.ID))
	}
}
