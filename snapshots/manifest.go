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

// Format is the version of the file format. This program writes and reads only this version.
// FORMAT.md describes it.
const Format = "labour/1"

// ErrUnsupportedFormat is the error for a manifest or an index of another format version. Such a snapshot must
// not be read.
var ErrUnsupportedFormat = errors.New("this program reads the format " + Format +
	" only; start a new data directory and fetch again")

// Manifest describes the contents of a snapshot and its inputs. It is written last, so a directory
// with a manifest is complete.
type Manifest struct {
	Format     string  `json:"format"` // Format
	ID         ID      `json:"id"`
	AsOf       Date    `json:"as_of"`            // the date the data describes
	PeopleAsOf *Date   `json:"people_as_of"`     // last day of the quarter of the figures of people; null = no people
	People     *People `json:"people,omitempty"` // the figures of people; null = no people
	// PeopleWithdrawn are the withdrawn figures of people, in the order of withdrawal.
	PeopleWithdrawn []PeopleWithdrawal `json:"people_withdrawn,omitempty"`
	PlatformName    string             `json:"platform_name"` // as in "Source: <platform_name>."
	// Margin holds the error rates of coding, as measured when the snapshot was coded. The margins
	// of shares of adverts are computed from them.
	Margin      *figure.CodingErrors `json:"margin,omitempty"`
	Previous    *Previous            `json:"previous"` // null for the first snapshot
	ToolVersion string               `json:"tool_version"`
	CreatedAt   time.Time            `json:"created_at"` // UTC, whole seconds; passed in by the caller
	// FetchedUntil is the moment up to which fetches were known, UTC, whole seconds: the fetches
	// before it, and Inputs. For a build of a past day it is the end of that day. The zero time
	// means CreatedAt.
	FetchedUntil time.Time   `json:"fetched_until,omitzero"`
	Inputs       []Input     `json:"inputs"` // sorted by source, then time
	Tables       []TableFile `json:"tables"` // sorted by name; all of Tables()
	// PartnersSHA256 is the hash of the list of the partners' events, which are not part of the
	// snapshot; empty if there are none. The list is salted, so its hash discloses nothing.
	PartnersSHA256 string           `json:"partners_sha256,omitempty"`
	Embargoed      []EmbargoedState `json:"embargoed"` // sorted by name
	// acknowledged faults of the checks, sorted by check and subject
	Exceptions []Exception `json:"exceptions"`
	// every other file except this one, SHA256SUMS and its signature, sorted by path
	Files []File `json:"files"`
}

// People describes the figures of people in a snapshot: their period, how they are protected, and
// the snapshot that first had them.
type People struct {
	From       Date   `json:"from"`       // the first day described
	To         Date   `json:"to"`         // the last day described, the end of a quarter
	Protection string `json:"protection"` // rounded or plain
	// SecretSHA256 is the hash of the secret that decides whether a count is rounded up or down.
	SecretSHA256 string `json:"secret_sha256"`
	// FirstSnapshot is the snapshot in which they were built; every later snapshot of the quarter has the
	// same files.
	FirstSnapshot ID `json:"made_by"`
	// ExtractFetchedAt is when the platform extract that they were built from was fetched, UTC, whole
	// seconds.
	ExtractFetchedAt time.Time `json:"extract_at"`
}

// FetchCutoff returns the moment up to which all fetches of sources were included in the snapshot.
// Fetches at that moment or later were not.
func (m Manifest) FetchCutoff() time.Time {
	if m.FetchedUntil.IsZero() {
		return m.CreatedAt
	}
	return m.FetchedUntil
}

// RoundsPeople reports whether the snapshot's counts of people are rounded to multiples of 5.
func (m Manifest) RoundsPeople() bool { return m.People != nil && m.People.Protection == "rounded" }

// Previous is the snapshot that was current when this one was begun. The manifests' hashes form a
// chain, so that a change of an old snapshot is detected.
type Previous struct {
	ID             ID     `json:"id"`
	ManifestSHA256 string `json:"manifest_sha256"`
}

// Input is one fetch of one source that the snapshot was built from.
type Input struct {
	Source    string    `json:"source"` // source key
	FetchedAt time.Time `json:"at"`     // when it was fetched, UTC, whole seconds
	Objects   []Object  `json:"objects"`
}

// Object is one archived file of a source, exactly as received.
type Object struct {
	Name string `json:"name"`
	// SHA256 is the hash of the bytes; empty for the platform's feed since version 2.
	SHA256 string `json:"sha256,omitempty"`
	// HMACSHA256 names a file of the platform's feed with the operator's Key, see Key.NameInManifest.
	HMACSHA256 string `json:"hmac_sha256,omitempty"`
	// Bytes is left out for the platform's feed: from one day to the next, the sizes of its files
	// would disclose how many people applied.
	Bytes int64 `json:"bytes,omitempty"`
}

// TableFile is the manifest's entry of a file under tables/. The caller of store.Writer.Seal sets
// Name and Rows; Seal sets the rest.
type TableFile struct {
	Name    string   `json:"name"`
	Rows    int64    `json:"rows"`
	Bytes   int64    `json:"bytes"`
	SHA256  string   `json:"sha256"`
	Sort    []string `json:"sort"`
	Columns []Column `json:"columns"`
}

// EmbargoedState states whether an embargoed dataset may be served, and why.
type EmbargoedState struct {
	Name      string `json:"name"`
	Condition string `json:"condition"`
	Open      bool   `json:"open"`
	Evidence  string `json:"evidence"` // where the fulfilment of the condition is recorded; empty if not open
	// DecidedOn and DecidedBy record when and by whom it was last opened or closed. They are nil
	// and empty if it never was, or if that was not recorded.
	DecidedOn *Date  `json:"decided_on,omitempty"`
	DecidedBy string `json:"decided_by,omitempty"`
	// Rows is the number of rows in its file; nil if the snapshot has no file, because the dataset
	// could not be built yet.
	Rows *int64 `json:"rows,omitempty"`
}

// MayBeServed reports whether the dataset may be served: it is open, has evidence, and has a file.
func (h EmbargoedState) MayBeServed() bool { return h.Open && h.Evidence != "" && h.Rows != nil }

// Rows returns the number of rows in all tables.
func (m Manifest) Rows() (n int64) {
	for _, t := range m.Tables {
		n += t.Rows
	}
	return n
}

// EmbargoedNamed returns the state of the embargoed dataset with a name. If the manifest lacks it,
// the returned state is not open.
func (m Manifest) EmbargoedNamed(name string) EmbargoedState {
	h, _ := find(m.Embargoed, func(h EmbargoedState) bool { return h.Name == name })
	h.Name = name
	return h
}

// File is the manifest's entry of a file outside tables/. Path has forward slashes.
type File struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// Exception records that the operator accepts one fault found by a check. While it is valid, the
// snapshot may be published despite the fault.
type Exception struct {
	Check      string `json:"check"`
	Subject    string `json:"of"` // the table or source with the fault; empty = the snapshot
	AcceptedBy string `json:"who"`
	Reason     string `json:"why"`
	Until      Date   `json:"until"` // the last as_of for which it is valid
}

// Table returns the manifest's entry of the table with a name; false if there is none.
func (m Manifest) Table(name string) (TableFile, bool) {
	return find(m.Tables, func(t TableFile) bool { return t.Name == name })
}

// HasFile reports whether the manifest lists a file with this path outside tables/.
func (m Manifest) HasFile(name string) bool {
	return slices.ContainsFunc(m.Files, func(f File) bool { return f.Path == name })
}

// Encode returns the manifest as JSON. Lists are sorted, and times are in UTC and whole seconds, so
// that equal content gives equal bytes.
func (m Manifest) Encode() ([]byte, error) {
	b, err := EncodeDocument(m.normalised())
	if err != nil {
		return nil, fmt.Errorf("encode manifest: %w", err)
	}
	return b, nil
}

// EncodeDocument returns a value as indented JSON, for a file in or next to a snapshot. It does not
// escape "<5".
func EncodeDocument(document any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(document)
	return b.Bytes(), err
}

func (m Manifest) normalised() Manifest {
	m.CreatedAt = m.CreatedAt.UTC().Truncate(time.Second)
	m.FetchedUntil = m.FetchedUntil.UTC().Truncate(time.Second)
	m.Inputs = sorted(m.Inputs, func(a, b Input) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), a.FetchedAt.Compare(b.FetchedAt))
	})
	for i, in := range m.Inputs {
		m.Inputs[i].FetchedAt = in.FetchedAt.UTC().Truncate(time.Second)
		m.Inputs[i].Objects = sorted(in.Objects, func(a, b Object) int {
			return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.NameInManifest(), b.NameInManifest()))
		})
	}
	m.Tables = sorted(m.Tables, func(a, b TableFile) int { return cmp.Compare(a.Name, b.Name) })
	m.Embargoed = sorted(m.Embargoed, func(a, b EmbargoedState) int { return cmp.Compare(a.Name, b.Name) })
	m.Exceptions = sorted(m.Exceptions, func(a, b Exception) int {
		return cmp.Or(cmp.Compare(a.Check, b.Check), cmp.Compare(a.Subject, b.Subject), a.Until.Compare(b.Until.Time))
	})
	m.Files = sorted(m.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return m
}

// sorted returns a sorted copy. It is never nil, so that an empty list is written as [] and not
// null.
func sorted[T any](in []T, compare func(a, b T) int) []T {
	out := append(make([]T, 0, len(in)), in...)
	slices.SortStableFunc(out, compare)
	return out
}

// CheckFormat returns ErrUnsupportedFormat if the JSON document has another format version than Format.
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

// DecodeManifest decodes a manifest. Another format version (ErrUnsupportedFormat) and unknown fields are
// errors.
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
	if m.ID == "" || m.AsOf.IsZero() || m.Previous != nil && m.Previous.ID == "" {
		return Manifest{}, errors.New("decode manifest: id, as_of or the id of the previous snapshot is missing")
	}
	return m, nil
}

// FileNames returns the paths of all files of the snapshot, with forward slashes. Data files come first
// and the manifest last. If signed is true, the signature is included.
func (m Manifest) FileNames(signed bool) []string {
	var names []string
	for _, f := range m.stated() {
		names = append(names, f.Path)
	}
	names = append(names, SumsName)
	if signed {
		names = append(names, SignatureName)
	}
	return append(names, ManifestName)
}

// FileSum returns the size and SHA-256 of a file, as the manifest states them. ok is false for files
// that the manifest does not list: itself, SHA256SUMS and the signature.
func (m Manifest) FileSum(name string) (f File, ok bool) {
	return find(m.stated(), func(f File) bool { return f.Path == name })
}

// stated returns the files whose hashes the manifest states, tables first.
func (m Manifest) stated() []File {
	var files []File
	for _, t := range m.Tables {
		files = append(files, File{Path: TableFileName(t.Name), SHA256: t.SHA256, Bytes: t.Bytes})
	}
	return append(files, m.Files...)
}

// find returns the first item for which is returns true; ok is false if there is none.
func find[T any](list []T, is func(T) bool) (found T, ok bool) {
	i := slices.IndexFunc(list, is)
	if i < 0 {
		return found, false
	}
	return list[i], true
}
