// Package snaptest builds small sealed snapshots for tests. They have all tables with invented
// content, and are written by the same code as real snapshots.
package snaptest

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/diff"
	"labour/snapshots/eventfiles"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
	"labour/snapshots/periods"
	"labour/snapshots/store"
)

// Content holds the rows of all tables of a test snapshot, in any order. A test fills in the tables
// that it needs, or changes the result of DefaultContent.
type Content struct {
	PlatformName string
	PeopleAsOf   string // last day that counts of people describe, YYYY-MM-DD; empty = no people
	// how counts of people are protected: "rounded" or "plain"; empty = "rounded"
	Protection   string
	PeopleMadeBy snapshots.ID // snapshot that made the counts of people; empty = this one
	// PeopleWithdrawn lists the withdrawals of counts of people: the counts were published before,
	// and are null in this snapshot.
	PeopleWithdrawn []snapshots.PeopleWithdrawal
	// SealedAt is when the test snapshot was sealed. The zero time means 6:00 UTC on its date.
	SealedAt time.Time

	Adverts      []snapshots.AdvertsRow
	AdvertsTotal []snapshots.AdvertsTotalRow
	Corrections  []snapshots.CorrectionsRow
	CourseDemand []snapshots.CourseDemandRow
	Evidence     []snapshots.EvidenceRow
	Freshness    []snapshots.FreshnessRow
	Levels       []snapshots.LevelsRow
	Occupations  []snapshots.OccupationsRow
	Outlines     []snapshots.OutlinesRow
	People       []snapshots.PeopleRow
	PlaceMembers []snapshots.PlaceMembersRow
	Places       []snapshots.PlacesRow
	Regions      []snapshots.RegionsRow
	Residents    []snapshots.ResidentsRow
	Sectors      []snapshots.SectorsRow
	Skills       []snapshots.SkillsRow
	SkillsGaps   []snapshots.SkillsGapsRow
	Sources      []snapshots.SourcesRow

	Candidates       []snapshots.CandidatesRow
	Events           []snapshots.EventsRow
	Jobs             []snapshots.JobsRow
	Pathways         []snapshots.PathwaysRow
	PathwayStandards []snapshots.PathwayStandardsRow
	PathwaySteps     []snapshots.PathwayStepsRow
	S106             []snapshots.S106Row
	S106People       []snapshots.S106PeopleRow

	Embargoed EmbargoedContent
	// OpenEmbargoed names the embargoed datasets whose condition is recorded as met.
	OpenEmbargoed []string
	// BeforeSeal is called before the snapshot is sealed. Tests of faults use it to damage files.
	BeforeSeal func(w *store.Writer) error
}

// ManifestKey is the secret key for keyed hashes (HMAC) in test snapshots. These hashes identify
// the platform's files in the manifest.
var ManifestKey = snapshots.ManifestKey("a key for tests only, known to all")

// BuildSnapshot seals and promotes (publishes) a test snapshot with the given content, and returns
// its ID. root is the data directory, and asOf is the date that the data describe (YYYY-MM-DD). A
// second snapshot for the same date gets the next run number.
func BuildSnapshot(t testing.TB, root, asOf string, c Content) snapshots.ID {
	t.Helper()
	id := SealSnapshot(t, root, asOf, c)
	folder, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	current, err := folder.Current()
	if err != nil && !errors.Is(err, store.ErrNoCurrent) {
		t.Fatal(err)
	}
	if err := folder.Promote(context.Background(), id, current); err != nil {
		t.Fatal(err)
	}
	return id
}

// SealSnapshot seals a test snapshot with the given content, and returns its ID. Unlike
// BuildSnapshot, it does not promote (publish) the snapshot.
func SealSnapshot(t testing.TB, root, asOf string, c Content) snapshots.ID {
	t.Helper()
	date, err := snapshots.ParseDate(asOf)
	if err != nil {
		t.Fatal(err)
	}
	MakeRemovable(t, root)
	id, err := seal(root, date, c)
	if err != nil {
		t.Fatalf("build snapshot of %s: %v", asOf, err)
	}
	return id
}

// MakeRemovable makes the read-only snapshots of a data directory removable when the test ends.
// Otherwise t.TempDir could not remove them. BuildSnapshot and SealSnapshot call MakeRemovable;
// other tests must call it after t.TempDir.
func MakeRemovable(t testing.TB, root string) {
	t.Cleanup(func() {
		err := filepath.WalkDir(snapshots.SnapshotsDir(root), func(p string, e fs.DirEntry, err error) error {
			if err != nil || !e.IsDir() {
				return err
			}
			return os.Chmod(p, 0o755)
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	})
}

func seal(root string, asOf snapshots.Date, c Content) (id snapshots.ID, err error) {
	folder, err := store.Open(root)
	if err != nil {
		return "", err
	}
	w, err := folder.Begin(asOf.Time)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	out := &files{w: w, asOf: asOf.Time, peopleAsOf: asOf.Time, sources: c.Sources, embargoed: map[string]int64{}}
	if d, err := snapshots.ParseDate(c.PeopleAsOf); err == nil {
		out.peopleAsOf = d.Time
	}
	if c.write(out); out.err != nil {
		return "", out.err
	}
	m, err := c.manifest(asOf, out)
	if err != nil {
		return "", err
	}
	if _, err := diff.WriteChanges(context.Background(), folder, w, m, c.Sources); err != nil {
		return "", err
	}
	if c.BeforeSeal != nil {
		if err := c.BeforeSeal(w); err != nil {
			return "", err
		}
	}
	w.Sources = c.Sources
	return w.Seal(context.Background(), m, []byte("{}\n"))
}

// manifest returns a manifest with the fields that the caller of Writer.Seal must set. out has the
// row counts of the tables that were written.
func (c Content) manifest(asOf snapshots.Date, out *files) (snapshots.Manifest, error) {
	at := c.SealedAt
	if at.IsZero() {
		at = asOf.Add(6 * time.Hour)
	}
	m := snapshots.Manifest{PlatformName: c.PlatformName, CodingErrors: &figure.CodingErrors{RandomError: 0.46,
		SystematicError: 0.05}, ToolVersion: "snaptest", CreatedAt: at, Tables: out.tables}
	if c.PeopleAsOf != "" {
		d, err := snapshots.ParseDate(c.PeopleAsOf)
		if err != nil {
			return m, err
		}
		from := snapshots.DateOf(periods.WindowStart(d.Time, 12))
		m.PeopleAsOf, m.People = &d, &snapshots.People{From: from, To: d, Protection: cmp.Or(c.Protection, "rounded"),
			SecretSHA256: strings.Repeat("5e", 32), FirstSnapshot: cmp.Or(c.PeopleMadeBy, out.w.ID()),
			FeedFetchedAt: at.Add(-time.Hour)}
	}
	m.PeopleWithdrawn = c.PeopleWithdrawn
	for _, s := range c.Sources {
		m.Inputs = append(m.Inputs, snapshots.ArchivedFetch{Source: s.Key, FetchedAt: at.Add(-time.Hour)})
	}
	for _, h := range snapshots.EmbargoedDatasets() {
		rows := out.embargoed[h.Name]
		s := snapshots.EmbargoedState{Name: h.Name, Condition: h.Condition,
			Open: slices.Contains(c.OpenEmbargoed, h.Name), Rows: &rows}
		if s.Open {
			s.Evidence, s.DecidedOn = "https://example.org/evidence/"+h.Name, &asOf
		}
		m.Embargoed = append(m.Embargoed, s)
	}
	return m, nil
}

// write writes all tables and all embargoed datasets. Like the pipeline, it also writes the
// datasets that may not be served.
func (c Content) write(out *files) {
	put(out, "adverts", c.Adverts)
	put(out, "adverts_total", c.AdvertsTotal)
	put(out, "corrections", c.Corrections)
	put(out, "course_demand", c.CourseDemand)
	put(out, "evidence", c.Evidence)
	put(out, "freshness", c.Freshness)
	put(out, "levels", c.Levels)
	put(out, "occupations", c.Occupations)
	put(out, "outlines", c.Outlines)
	put(out, "people", c.People)
	put(out, "place_members", c.PlaceMembers)
	put(out, "places", c.Places)
	put(out, "regions", c.Regions)
	put(out, "residents", c.Residents)
	put(out, "sectors", c.Sectors)
	put(out, "skills", c.withLevels(out.asOf))
	put(out, "skills_gaps", c.SkillsGaps)
	put(out, "sources", c.Sources)
	put(out, "candidates", c.Candidates)
	out.events(c.Events)
	put(out, "jobs", c.Jobs)
	put(out, "pathways", c.Pathways)
	put(out, "pathway_standards", c.PathwayStandards)
	put(out, "pathway_steps", c.PathwaySteps)
	put(out, "s106", c.S106)
	put(out, "s106_people", c.S106People)
	shown := c.lists(out.asOf)
	put(out, "lists", shown.Lists)
	put(out, "rankings", shown.Rankings)
	put(out, "rankings_by_skill", shown.Rankings)
	put(out, "demand", c.Embargoed.Demand)
	put(out, "trends", c.Embargoed.Trends)
	put(out, "outlook", c.Embargoed.Outlook)
	put(out, "reach", c.Embargoed.Reach)
	put(out, "signals", c.Embargoed.Signals)
	put(out, "priorities", c.Embargoed.Priorities)
}

// files writes the files of a test snapshot. It records their row counts and all errors.
type files struct {
	w    *store.Writer
	asOf time.Time
	// peopleAsOf is the last day that the counts of people describe.
	peopleAsOf time.Time
	sources    []snapshots.SourcesRow
	tables     []snapshots.TableFile
	embargoed  map[string]int64
	err        error
}

// put writes the rows of the table or embargoed dataset called name to its file in out.
func put[T any](out *files, name string, rows []T) {
	asOf := out.asOf
	if snapshots.IsPeopleTable(name) {
		asOf = out.peopleAsOf
	}
	table, file, err := snapshots.FindFile(name)
	if err == nil {
		err = parquetio.WriteTable(out.w.FilePath(file), table, snapshots.TableMetadata(table, out.w.ID(), out.sources),
			asOf, snapshots.SortedRows(table, rows))
	}
	out.err = errors.Join(out.err, err)
	if _, embargoed := snapshots.FindEmbargoedTable(name); embargoed {
		out.embargoed[name] = int64(len(rows))
	} else {
		out.tables = append(out.tables, snapshots.TableFile{Name: name, Rows: int64(len(rows))})
	}
}

// events writes the public events to the table events, and the events of each partner to a separate
// file.
func (out *files) events(rows []snapshots.EventsRow) {
	out.w.ManifestKey = ManifestKey
	rows = snapshots.SortedRows(snapshots.Table{SortColumns: eventfiles.SortColumns()}, rows)
	n, err := eventfiles.Write(out.w, out.asOf, out.sources, func(yield func(snapshots.EventsRow, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	})
	out.err = errors.Join(out.err, err)
	out.tables = append(out.tables, snapshots.TableFile{Name: "events", Rows: n})
}

// LimitRapidDraws sets the number of random inputs that the library rapid tries in this test. draws
// is this number as text. If the environment variable LABOUR_LONG is set, LimitRapidDraws does
// nothing.
func LimitRapidDraws(t *testing.T, draws string) {
	t.Helper()
	if os.Getenv("LABOUR_LONG") != "" {
		return
	}
	before := flag.Lookup("rapid.checks").Value.String()
	t.Cleanup(func() { _ = flag.Set("rapid.checks", before) }) // the old value is valid
	if err := flag.Set("rapid.checks", draws); err != nil {
		t.Fatal(err)
	}
}
