// Package ledger remembers every number of people that was ever printed, in the
// protected zone, so that snapshots cannot be subtracted from each other (T2).
//
// It is a folder with one file per quarter and an INDEX whose lines chain the
// files' checksums: it is only ever added to. A ledger that is damaged or gone is
// an error that says how to go on; it is never begun anew in silence, since
// everything printed before would be forgotten.
package ledger

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/klauspost/compress/zstd"
)

// Entry is one printed number: the people of a cell in the months from From to
// just under To, counted since year 0. Beside the numbers it is remembered of which
// cells "<5" was printed, and which small groups were not printed, without their count.
type Entry struct {
	Measure   int    `json:"m"`
	Signature string `json:"s"`
	Place     string `json:"p,omitempty"`
	Value     string `json:"v,omitempty"`
	From      int    `json:"f"`
	To        int    `json:"t"`
	N         int64  `json:"n"`
	Kind      Kind   `json:"k,omitempty"`
}

// Kind says what an entry remembers.
type Kind int

// The kinds of entries.
const (
	Number      Kind = iota // N people
	Small                   // "<5"; N is 0
	SmallHidden             // a group of 1 to 4 of which nothing was printed; N is 0
)

// ErrDamaged is returned for a ledger that cannot be trusted or is gone.
var ErrDamaged = errors.New("the ledger of printed numbers is damaged or gone: restore it from the backup of the protected zone; " +
	"if that is lost too, put an empty file LOST into its folder: counts of people are then printed for the window of 12 months alone, " +
	"which needs no memory, and none of residents and of people employed, until the file is removed 48 months later")

// Book is an open ledger.
type Book struct {
	dir      string
	chain    string              // last line of the index
	quarters []string            // by date
	lines    map[string][][]byte // skill → a packed list of entries per quarter
	lost     bool
}

const (
	indexName = "INDEX"
	lostName  = "LOST"
)

// Open reads the ledger of a folder. published says that figures of people were
// published before, so that a ledger must be there.
func Open(dir string, published bool) (*Book, error) {
	b := &Book{dir: dir, lines: map[string][][]byte{}}
	if _, err := os.Stat(filepath.Join(dir, lostName)); err == nil {
		b.lost = true
	}
	index, err := os.ReadFile(filepath.Join(dir, indexName))
	if errors.Is(err, fs.ErrNotExist) {
		if published && !b.lost {
			return nil, fmt.Errorf("open %s: %w", dir, ErrDamaged)
		}
		return b, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	for line := range strings.Lines(string(index)) {
		if err := b.read(strings.TrimSuffix(line, "\n")); err != nil {
			return nil, err
		}
	}
	if published && len(b.quarters) == 0 && !b.lost {
		return nil, fmt.Errorf("open %s: %w", dir, ErrDamaged)
	}
	return b, nil
}

// Lost says that numbers were printed that nobody remembers: only the window of
// 12 months may be printed.
func (b *Book) Lost() bool { return b.lost }

// Has says whether the numbers of a quarter end (YYYY-MM-DD) are in the ledger.
func (b *Book) Has(quarter string) bool { return slices.Contains(b.quarters, quarter) }

// read checks and reads the file that a line of the index names.
func (b *Book) read(line string) error {
	quarter, chain, ok := strings.Cut(line, " ")
	body, err := os.ReadFile(filepath.Join(b.dir, quarter+".ledger"))
	if err != nil || !ok || chain != b.next(quarter, body) {
		return fmt.Errorf("ledger of %s (%v): %w", quarter, err, ErrDamaged)
	}
	b.chain, b.quarters = chain, append(b.quarters, quarter)
	lines := bufio.NewScanner(bytes.NewReader(body))
	lines.Buffer(nil, 1<<30)
	for lines.Scan() {
		skill, packed, _ := strings.Cut(lines.Text(), " ")
		b.lines[skill] = append(b.lines[skill], []byte(packed))
	}
	return lines.Err()
}

// next chains a file to all before it.
func (b *Book) next(quarter string, body []byte) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n", b.chain, quarter)
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

// Skill is everything that was printed of a skill, the oldest first.
func (b *Book) Skill(skill string) ([]Entry, error) {
	var all []Entry
	for _, packed := range b.lines[skill] {
		var err error
		if all, err = unpack(all, packed); err != nil {
			return nil, fmt.Errorf("ledger of skill %s: %w", skill, err)
		}
	}
	return all, nil
}

// launchLine is the line of a page that is no skill's.
const launchLine = "-launch-"

// Launch is the earliest month at which people were counted: the earlier of what
// the ledger remembers and what the data say.
func (b *Book) Launch(data int) (int, error) {
	entries, err := b.Skill(launchLine)
	for _, e := range entries {
		data = min(data, e.From)
	}
	return data, err
}

// AddLaunch puts the earliest month on the page.
func (p *Page) AddLaunch(month int) error {
	return p.Add(launchLine, []Entry{{From: month, To: month}})
}

// unpack adds the entries of one quarter.
func unpack(all []Entry, packed []byte) ([]Entry, error) {
	b, err := base64.StdEncoding.DecodeString(string(packed))
	if err != nil {
		return nil, err
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	if b, err = d.DecodeAll(b, nil); err != nil {
		return nil, err
	}
	all = slices.Grow(all, bytes.Count(b, []byte("{"))) // no more than there are entries
	quarter := all[len(all):]
	if err := jsonv2.Unmarshal(b, &quarter); err != nil { // three times as fast
		return nil, err
	}
	return append(all, quarter...), nil
}

// Page is what will be added for one quarter.
type Page struct{ body bytes.Buffer }

// Add puts the numbers of one skill on the page.
func (p *Page) Add(skill string, entries []Entry) error {
	if len(entries) == 0 {
		return nil
	}
	b, err := json.Marshal(entries)
	if err != nil {
		return fmt.Errorf("ledger of skill %s: %w", skill, err)
	}
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	fmt.Fprintf(&p.body, "%s %s\n", skill, base64.StdEncoding.EncodeToString(e.EncodeAll(b, nil)))
	return e.Close()
}

// Append writes the page of a quarter for ever. It must happen before the numbers
// can be seen. The same page again changes nothing; another one for a quarter
// that is there goes into a file of its own.
func (b *Book) Append(quarter string, p *Page) error {
	name, body := quarter, p.body.Bytes()
	for n := 2; ; n++ {
		old, err := os.ReadFile(filepath.Join(b.dir, name+".ledger"))
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err == nil && bytes.Equal(old, body) && b.Has(name) {
			return nil
		}
		if err == nil && !b.Has(name) {
			break // left behind by a run that was stopped before it was indexed
		}
		name = fmt.Sprintf("%s.%d", quarter, n)
	}
	if err := os.MkdirAll(b.dir, 0o700); err != nil {
		return fmt.Errorf("append to ledger: %w", err)
	}
	if err := durable(filepath.Join(b.dir, name+".ledger"), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, body); err != nil {
		return err
	}
	chain := b.next(name, body)
	if err := durable(filepath.Join(b.dir, indexName), os.O_WRONLY|os.O_CREATE|os.O_APPEND, []byte(name+" "+chain+"\n")); err != nil {
		return err
	}
	return b.read(name + " " + chain)
}

func durable(path string, flag int, body []byte) (err error) {
	f, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		return fmt.Errorf("append to ledger: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(body); err != nil {
		return fmt.Errorf("append to ledger: %w", err)
	}
	return f.Sync()
}
