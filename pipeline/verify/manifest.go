package verify

import (
	"context"
	"path/filepath"
	"slices"

	"labour/pipeline/calendar"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources"
)

// checkManifest checks the content of the manifest. It reads no other file of the snapshot.
func checkManifest(_ context.Context, s *subject) error {
	const file = snapshots.ManifestFileName
	m := s.manifest
	if !m.ID.Date().Equal(m.AsOf.Time) {
		s.fault("manifest", file, WholeFile, "as_of %s is not the date of %s", m.AsOf, m.ID)
	}
	if base := filepath.Base(filepath.Clean(s.dir)); base != string(m.ID) {
		if _, err := snapshots.ParseID(base); err == nil {
			s.fault("manifest", file, WholeFile, "names %s, the directory is %s", m.ID, base)
		}
	}
	if m.PeopleAsOf != nil && m.PeopleAsOf.After(m.AsOf.Time) {
		s.fault("manifest", file, WholeFile, "people_as_of %s is after as_of %s", m.PeopleAsOf, m.AsOf)
	}
	checkPeople(s)
	if m.PlatformName == "" {
		s.fault("manifest", file, WholeFile, "platform_name is empty")
	}
	if m.CodingErrors == nil || !m.CodingErrors.IsValid() {
		s.fault("manifest", file, WholeFile,
			"has no errors of coding from 0 to 1, which the margins of shares need")
	}
	if m.Previous != nil && m.Previous.ID == m.ID {
		s.fault("manifest", file, WholeFile, "names itself as the previous snapshot")
	}
	checkEmbargoed(s)
	return nil
}

// checkPeople checks that the manifest's counts of people are for twelve months to the end of a
// calendar quarter. The snapshot that made them must be later than these months.
func checkPeople(s *subject) {
	const file = snapshots.ManifestFileName
	m := s.manifest
	if (m.People == nil) != (m.PeopleAsOf == nil) {
		s.fault("manifest", file, WholeFile, "has only one of people and people_as_of")
	}
	if m.People == nil || m.PeopleAsOf == nil {
		return
	}
	year := calendar.YearToLastQuarter(sources.DateOf(m.People.To.AddDate(0, 0, 1)))
	if m.People.To.String() != year.To.String() || m.People.From.String() != year.From.String() ||
		!m.PeopleAsOf.Equal(m.People.To.Time) {
		s.fault("manifest", file, WholeFile,
			"figures of people from %s to %s are not of the twelve months to the end of a quarter", m.People.From,
			m.People.To)
	}
	if made, err := snapshots.ParseID(string(m.People.FirstSnapshot)); err != nil || !made.Date().After(m.People.To.Time) {
		s.fault("manifest", file, WholeFile,
			"figures of people were made by %q, which is no snapshot since the end of their period", m.People.FirstSnapshot)
	}
}

// checkEmbargoed checks that the manifest lists every embargoed dataset. An open dataset must have
// evidence that its condition is met, and a closed dataset must have none.
func checkEmbargoed(s *subject) {
	const file = snapshots.ManifestFileName
	for _, h := range s.manifest.Embargoed {
		if _, known := snapshots.FindEmbargoedDataset(h.Name); !known {
			s.fault("manifest", file, WholeFile, "embargoed dataset %q is unknown", h.Name)
		}
		if h.Open && h.Evidence == "" {
			s.fault("manifest", file, WholeFile, "embargoed dataset %s is open without evidence", h.Name)
		}
		if !h.Open && h.Evidence != "" {
			s.fault("manifest", file, WholeFile, "embargoed dataset %s is not open and has evidence", h.Name)
		}
	}
	for _, known := range snapshots.EmbargoedDatasets() {
		if !slices.ContainsFunc(s.manifest.Embargoed,
			func(h snapshots.EmbargoedState) bool { return h.Name == known.Name }) {
			s.fault("manifest", file, WholeFile, "does not list the embargoed dataset %s", known.Name)
		}
	}
}

// checkSchemas compares all tables with the schemas of the format version. It checks their files
// and their entries in the manifest.
func checkSchemas(ctx context.Context, s *subject) error {
	for _, t := range snapshots.Tables() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if entry, ok := s.manifest.Table(t.Name); ok {
			s.checkEntry(t, entry)
			s.checkTable(t, snapshots.TableFileName(t.Name), entry.Rows)
		} else {
			s.fault("schema", snapshots.ManifestFileName, WholeFile, "has no table %s", t.Name)
		}
	}
	for _, entry := range s.manifest.Tables {
		if _, known := snapshots.FindTable(entry.Name); !known {
			s.fault("schema", snapshots.ManifestFileName, WholeFile, "table %q is unknown", entry.Name)
		}
	}
	for _, t := range snapshots.EmbargoedTables() {
		if rows := s.manifest.EmbargoedNamed(t.Name).Rows; rows != nil {
			s.checkTable(t, snapshots.EmbargoedFileName(t.Name), *rows)
		}
	}
	return ctx.Err()
}

// checkEntry compares a table's entry in the manifest with the table's schema.
func (s *subject) checkEntry(t snapshots.Table, entry snapshots.TableFile) {
	var columns []snapshots.Column
	for _, c := range entry.Columns {
		columns = append(columns, snapshots.Column{Name: c.Name, Type: c.Type, Nullable: c.Nullable})
	}
	if !slices.Equal(columns, snapshots.WithoutDescriptions(t.Columns)) ||
		!slices.Equal(entry.SortColumns, t.SortColumns) {
		s.fault("schema", snapshots.ManifestFileName, WholeFile, "describes the table %s differently from its format version",
			t.Name)
	}
}

// checkTable checks the columns, the number of rows and the metadata of a table's file. want is the
// number of rows in the manifest.
func (s *subject) checkTable(t snapshots.Table, file string, want int64) {
	about, err := parquetio.ReadFooter(snapshots.JoinPath(s.dir, file))
	if err != nil {
		s.fault("schema", file, WholeFile, "cannot be read: %v", err)
		return
	}
	if !slices.Equal(about.Columns, snapshots.WithoutDescriptions(t.Columns)) {
		s.fault("schema", file, WholeFile, "has columns %v, the schema has %v", about.Columns,
			snapshots.WithoutDescriptions(t.Columns))
	}
	if about.Rows != want {
		s.fault("schema", file, WholeFile, "has %d rows, the manifest says %d", about.Rows, want)
	}
	meta := about.Metadata
	if got := meta[snapshots.MetaTable]; got != t.Name {
		s.fault("schema", file, WholeFile, "metadata %s is %q, not %q", snapshots.MetaTable, got, t.Name)
	}
	// A table that was carried forward unchanged names the snapshot for which it was made: an
	// earlier one of the same date or, for tables of people, any snapshot since the end of their
	// period.
	made, err := snapshots.ParseID(meta[snapshots.MetaSnapshot])
	from, isLater := s.manifest.ID.Date(), made.Compare(s.manifest.ID) > 0
	if snapshots.IsPeopleTable(t.Name) && s.manifest.PeopleAsOf != nil {
		from, isLater = s.manifest.PeopleAsOf.Time, false
	}
	if err != nil || made.Date().Before(from) || isLater {
		s.fault("schema", file, WholeFile, "metadata %s is %q, neither %s nor an earlier snapshot that it may be copied from",
			snapshots.MetaSnapshot, meta[snapshots.MetaSnapshot], s.manifest.ID)
	}
}

// checkChanges checks that changes.parquet exists and has the right columns. Its metadata must name
// the same previous snapshot as the manifest.
func checkChanges(_ context.Context, s *subject) error {
	const file = snapshots.ChangesFileName
	path, want := snapshots.JoinPath(s.dir, file), snapshots.PreviousSnapshot{}
	if !s.manifest.HasFile(file) {
		s.fault("changes", file, WholeFile, "is missing: nobody could see what changed since the previous snapshot")
		return nil
	}
	about, err := parquetio.ReadFooter(path)
	if err != nil || !slices.Equal(about.Columns, snapshots.WithoutDescriptions(snapshots.ChangesTable().Columns)) {
		s.fault("changes", file, WholeFile, "cannot be read, or has other columns than its format version")
		return nil
	}
	if s.manifest.Previous != nil {
		want = *s.manifest.Previous
	}
	if meta := about.Metadata; meta[snapshots.MetaPreviousID] != string(want.ID) ||
		meta[snapshots.MetaPreviousManifest] != want.ManifestSHA256 {
		s.fault("changes", file, WholeFile, "compares with %q, the manifest names %q as the previous snapshot",
			meta[snapshots.MetaPreviousID], want.ID)
	}
	return nil
}
