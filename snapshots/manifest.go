package snapshots

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"labour/snapshots/figure"
)

// Format is the version of the snapshot format, which FORMAT.md describes. This program writes and
// reads only this version.
const Format = "labour/1"

// ErrUnsupportedFormat is the error for a manifest or an index that has another format version or
// none. The program does not read such a file.
var ErrUnsupportedFormat = errors.New("this program reads the format " + Format +
	" only; start a new data directory and fetch again")

// Manifest describes the contents of a snapshot and its inputs. The manifest is written last, so a
// directory that has one is complete.
type Manifest struct {
	Format string `json:"format"` // version of the snapshot format, the constant Format
	ID     ID     `json:"id"`
	AsOf   Date   `json:"as_of"` // date that the data describes
	// last day of the quarter of the counts of people; null = no people
	PeopleAsOf *Date `json:"people_as_of"`
	// period and protection of the counts of people; null = no people
	People *People `json:"people,omitempty"`
	// PeopleWithdrawn lists the withdrawals of counts of people, in the order of withdrawal.
	PeopleWithdrawn []PeopleWithdrawal `json:"people_withdrawn,omitempty"`
	// name of the jobs platform, as in "Source: <platform_name>."
	PlatformName string `json:"platform_name"`
	// CodingErrors holds the error rates of coding adverts when the snapshot was made. The margins
	// of shares of adverts are computed from them.
	CodingErrors *figure.CodingErrors `json:"margin,omitempty"`
	// snapshot that was current when the run began to write this one; null for the first
	Previous    *PreviousSnapshot `json:"previous"`
	ToolVersion string            `json:"tool_version"`
	// time at which the manifest was made, in UTC and whole seconds
	CreatedAt time.Time `json:"created_at"`
	// FetchedUntil is the time up to which fetches of sources count: the snapshot uses all earlier
	// fetches and no later ones. It is in UTC and whole seconds. For a snapshot of a past day, it is
	// the end of that day. The zero time means CreatedAt.
	FetchedUntil time.Time `json:"fetched_until,omitzero"`
	// fetches that the snapshot was built from, sorted by source, then time
	Inputs []ArchivedFetch `json:"inputs"`
	Tables []TableFile     `json:"tables"` // all tables of the format, sorted by name
	// PartnersSHA256 is the hash of the list of files with partners' events, which are not part of
	// the snapshot. The list is salted, so its hash discloses nothing, not even whether there are
	// such files. Snapshots of earlier versions of the program have no hash if there are none.
	PartnersSHA256 string `json:"partners_sha256,omitempty"`
	// state of each embargoed dataset, sorted by name
	Embargoed []EmbargoedState `json:"embargoed"`
	// operator's acknowledgements of faults, sorted by check and subject
	Exceptions []Exception `json:"exceptions"`
	// all files outside tables/ except the manifest, SHA256SUMS and its signature, sorted by path
	Files []File `json:"files"`
}

// People describes the counts of people in a snapshot: their period, how they are protected, and
// the snapshot for which they were made.
type People struct {
	From Date `json:"from"` // first day that the counts of people describe
	// last day that the counts of people describe, the end of a quarter
	To Date `json:"to"`
	// how the counts of people are protected: "rounded" to multiples of 5, or "plain" (not rounded)
	Protection string `json:"protection"`
	// SecretSHA256 is the SHA-256 of the secret that decides whether a count of people is rounded
	// up or down.
	SecretSHA256 string `json:"secret_sha256"`
	// FirstSnapshot is the snapshot for which the counts of people were made. Later snapshots of
	// the quarter have copies of its files.
	FirstSnapshot ID `json:"made_by"`
	// FeedFetchedAt is when the platform's feed, from which the counts of people were made, was
	// fetched, in UTC and whole seconds.
	FeedFetchedAt time.Time `json:"extract_at"`
}

// FetchCutoff returns the time that separates the fetches of sources that the snapshot's run took
// into account from later ones. It is FetchedUntil or, if that is zero, CreatedAt.
func (m Manifest) FetchCutoff() time.Time {
	if m.FetchedUntil.IsZero() {
		return m.CreatedAt
	}
	return m.FetchedUntil
}

// RoundsPeople reports whether the snapshot's counts of people are rounded to multiples of 5.
func (m Manifest) RoundsPeople() bool { return m.People != nil && m.People.Protection == "rounded" }

// PreviousSnapshot identifies the snapshot that was current when a newer one was begun. It also has
// the hash of that snapshot's manifest. The hashes form a chain, so that a change of an old
// snapshot is detected.
type PreviousSnapshot struct {
	ID             ID     `json:"id"`
	ManifestSHA256 string `json:"manifest_sha256"`
}

// ArchivedFetch describes one fetch of one source, with the fetched files. A snapshot is built from
// several fetches.
type ArchivedFetch struct {
	Source    string           `json:"source"` // key of the fetched source
	FetchedAt time.Time        `json:"at"`     // time of the fetch, in UTC and whole seconds
	Objects   []ArchivedObject `json:"objects"`
}

// ArchivedObject describes one file of a source. The archive has the file exactly as received.
type ArchivedObject struct {
	Name string `json:"name"`
	// SHA256 is the hash of the file's bytes, in hexadecimal. It is empty for the platform's feed.
	SHA256 string `json:"sha256,omitempty"`
	// HMACSHA256 is the keyed hash, in hexadecimal, of a file of the platform's feed.
	// ManifestKey.FileHash computes it.
	HMACSHA256 string `json:"hmac_sha256,omitempty"`
	// Bytes is the size of the file. It is left out for the platform's feed, since the sizes of
	// its files would disclose from day to day how many people applied.
	Bytes int64 `json:"bytes,omitempty"`
}

// TableFile is the manifest's entry for the file of a table. The caller of store.Writer.Seal sets
// Name and Rows; Seal sets the other fields.
type TableFile struct {
	Name        string   `json:"name"`
	Rows        int64    `json:"rows"`
	Bytes       int64    `json:"bytes"`
	SHA256      string   `json:"sha256"`
	SortColumns []string `json:"sort"`
	Columns     []Column `json:"columns"`
}

// EmbargoedState states whether an embargoed dataset may be served, on what evidence, and who
// decided so and when.
type EmbargoedState struct {
	Name      string `json:"name"`
	Condition string `json:"condition"`
	Open      bool   `json:"open"`
	// web address that shows that the condition is met; empty if the dataset is not open
	Evidence string `json:"evidence"`
	// DecidedOn and DecidedBy state when and by whom the dataset was last opened or closed. They
	// are empty if that never happened or was not recorded.
	DecidedOn *Date  `json:"decided_on,omitempty"`
	DecidedBy string `json:"decided_by,omitempty"`
	// Rows is the number of rows in the dataset's file. It is nil if the snapshot has no file,
	// because the dataset could not be built yet.
	Rows *int64 `json:"rows,omitempty"`
}

// MayBeServed reports whether the dataset may be served. The operator must have opened it with
// evidence that its condition is met, and the snapshot must have its file.
func (h EmbargoedState) MayBeServed() bool { return h.Open && h.Evidence != "" && h.Rows != nil }

// Rows returns the total number of rows in all tables of the snapshot.
func (m Manifest) Rows() (n int64) {
	for _, t := range m.Tables {
		n += t.Rows
	}
	return n
}

// EmbargoedNamed returns the state of the embargoed dataset called name. If the manifest does not
// list the dataset, the result states that it may not be served.
func (m Manifest) EmbargoedNamed(name string) EmbargoedState {
	h, _ := find(m.Embargoed, func(h EmbargoedState) bool { return h.Name == name })
	h.Name = name
	return h
}

// File is the manifest's entry for a file outside tables/. Path is relative to the directory of the
// snapshot and has forward slashes.
type File struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// Exception records that the operator accepts one fault found by a check. While the exception is
// valid, the snapshot may be published despite the fault.
type Exception struct {
	Check      string `json:"check"`
	Subject    string `json:"of"` // name of the faulty table or source; empty = the whole snapshot
	AcceptedBy string `json:"who"`
	Reason     string `json:"why"`
	// last date of a snapshot (as_of) for which the exception is valid
	ValidUntil Date `json:"until"`
}

// Table returns the manifest's entry for the table called name, and reports whether there is one.
func (m Manifest) Table(name string) (TableFile, bool) {
	return find(m.Tables, func(t TableFile) bool { return t.Name == name })
}

// HasFile reports whether the manifest lists a file outside tables/ with the given path.
func (m Manifest) HasFile(name string) bool {
	return slices.ContainsFunc(m.Files, func(f File) bool { return f.Path == name })
}

// Encode returns the manifest as JSON. Equal content gives equal bytes: lists are sorted, and times
// are in UTC and whole seconds.
func (m Manifest) Encode() ([]byte, error) {
	b, err := EncodeDocument(m.normalise())
	if err != nil {
		return nil, fmt.Errorf("encode manifest: %w", err)
	}
	return b, nil
}

// EncodeDocument returns a value as indented JSON, for a file in a snapshot or next to one. It does
// not escape the characters <, > and &.
func EncodeDocument(document any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(document)
	return b.Bytes(), err
}

func (m Manifest) normalise() Manifest {
	m.CreatedAt = m.CreatedAt.UTC().Truncate(time.Second)
	m.FetchedUntil = m.FetchedUntil.UTC().Truncate(time.Second)
	m.Inputs = sortedCopy(m.Inputs, func(a, b ArchivedFetch) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), a.FetchedAt.Compare(b.FetchedAt))
	})
	for i, in := range m.Inputs {
		m.Inputs[i].FetchedAt = in.FetchedAt.UTC().Truncate(time.Second)
		m.Inputs[i].Objects = sortedCopy(in.Objects, func(a, b ArchivedObject) int {
			return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.HashInManifest(), b.HashInManifest()))
		})
	}
	m.Tables = sortedCopy(m.Tables, func(a, b TableFile) int { return cmp.Compare(a.Name, b.Name) })
	m.Embargoed = sortedCopy(m.Embargoed, func(a, b EmbargoedState) int { return cmp.Compare(a.Name, b.Name) })
	m.Exceptions = sortedCopy(m.Exceptions, func(a, b Exception) int {
		return cmp.Or(cmp.Compare(a.Check, b.Check), cmp.Compare(a.Subject, b.Subject),
			a.ValidUntil.Compare(b.ValidUntil.Time))
	})
	m.Files = sortedCopy(m.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return m
}

// sortedCopy returns a sorted copy of a list. The copy is never nil, so that an empty list is
// written as [] and not null.
func sortedCopy[T any](in []T, compare func(a, b T) int) []T {
	out := append(make([]T, 0, len(in)), in...)
	slices.SortStableFunc(out, compare)
	return out
}

// CheckFormat returns ErrUnsupportedFormat if the format version in a JSON document, such as a
// manifest, is not Format.
func CheckFormat(document []byte) error {
	var of struct {
		Format string `json:"format"`
	}
	err := json.Unmarshal(document, &of)
	switch {
	case err != nil:
		return err
	case of.Format == "":
		return fmt.Errorf("it names no format: %w", ErrUnsupportedFormat)
	case of.Format != Format:
		return fmt.Errorf("its format is %q: %w", of.Format, ErrUnsupportedFormat)
	}
	return nil
}

// DecodeManifest decodes a manifest. It returns ErrUnsupportedFormat for another format version,
// and an error for an unknown field.
func DecodeManifest(b []byte) (Manifest, error) {
	if err := CheckFormat(b); err != nil {
		return Manifest{}, fmt.Errorf("decode manifest: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	var m Manifest
	if err := d.Decode(&m); err != nil {
		return Manifest{}, fmt.Errorf("decode manifest: %w", err)
	}
	lacksPreviousID := m.Previous != nil && m.Previous.ID == ""
	if m.ID == "" || m.AsOf.IsZero() || lacksPreviousID {
		return Manifest{}, errors.New("decode manifest: id, as_of or the id of the previous snapshot is missing")
	}
	return m, nil
}

// FileNames returns the paths of all files of the snapshot. They are relative to its directory and
// have forward slashes. Data files come first and the manifest last. If isSigned is true, the
// signature is included.
func (m Manifest) FileNames(isSigned bool) []string {
	var names []string
	for _, f := range m.listedFiles() {
		names = append(names, f.Path)
	}
	names = append(names, SumsFileName)
	if isSigned {
		names = append(names, SignatureFileName)
	}
	return append(names, ManifestFileName)
}

// FileSum returns the manifest's entry for a file, with its size and SHA-256. ok is false for files
// that the manifest does not list: the manifest itself, SHA256SUMS and the signature.
func (m Manifest) FileSum(name string) (f File, ok bool) {
	return find(m.listedFiles(), func(f File) bool { return f.Path == name })
}

// listedFiles returns the manifest's entries for all files, with their hashes. The tables come
// first.
func (m Manifest) listedFiles() []File {
	var files []File
	for _, t := range m.Tables {
		files = append(files, File{Path: TableFileName(t.Name), SHA256: t.SHA256, Bytes: t.Bytes})
	}
	return append(files, m.Files...)
}
