package snapshots

// ChangeKind is the kind of difference between two snapshots in one row of a table: the row was
// added, removed or changed.
type ChangeKind string

// The kinds of difference between two snapshots. The key of an added row is only in the new
// snapshot, and the key of a removed row only in the old one. The key of a changed row is in both,
// with other values.
const (
	RowAdded   ChangeKind = "added"
	RowRemoved ChangeKind = "removed"
	RowChanged ChangeKind = "changed"
)

// ChangeReason is the reason why a published value differs, or a row is only in one of two
// snapshots. It is found only from the contents of the two snapshots.
type ChangeReason string

// The reasons why a value differs between two snapshots. The first that applies, in this order, is
// given.
const (
	// ReasonWithdrawal means that the operator withdrew the counts of people of the skill, all counts
	// of people, or a published statistic. For counts of people, the metadata MetaPeopleWithdrawn has
	// the operator's reason; for a statistic, the table corrections has it.
	ReasonWithdrawal ChangeReason = "withdrawal"
	// ReasonPeriod means that only one of the two snapshots covers the period of the row, or that
	// the figure describes another day or month end.
	ReasonPeriod ChangeReason = "new_period"
	// ReasonRevision means that the files received from the source differ between the two
	// snapshots. The platform's files cannot be compared by name. For the platform, the reason
	// means that the feed was fetched again.
	ReasonRevision ChangeReason = "source_revision"
	// ReasonMethod means that the same files were received, but the program, its registers, the
	// configuration or the operator's corrections differ. A changed correction is also listed as a
	// change of the table corrections.
	ReasonMethod ChangeReason = "method"
)

// The metadata keys of the file changes.parquet that describe the previous snapshot.
const (
	// MetaPrevious is the metadata key for the ID of the previous snapshot. The value is empty if
	// there is no previous snapshot.
	MetaPrevious = "labour.changes.from"
	// MetaPreviousManifest is the metadata key for the SHA-256 of the previous snapshot's
	// manifest.
	MetaPreviousManifest = "labour.changes.from_manifest_sha256"
	// MetaPeopleWithdrawn is the metadata key for the manifest's field people_withdrawn, as JSON.
	// It is missing if no counts of people are withdrawn.
	MetaPeopleWithdrawn = "labour.changes.people_withdrawn"
)

// MaxTableChanges is the largest number of changed rows of one table that changes.parquet lists one
// by one. If a table has more changes, changes.parquet has counts instead: one row, with the number
// of changed rows, for each combination of kind, reason, sources and archived files. Only tables of
// counted adverts get so large.
const MaxTableChanges = 50_000

// ChangesRow is one row of changes.parquet: a difference of a table from the previous snapshot.
type ChangesRow struct {
	Table         string       `col:"table" doc:"table or embargoed dataset; its rows are sorted by its key, with added, removed and changed rows mixed" json:"table"`
	Key           *string      `col:"key" doc:"JSON object of the columns of the table's key; null = the row counts several keys (column keys)" json:"key"`
	Change        ChangeKind   `col:"change" doc:"added, removed or changed" json:"change"`
	Old           *string      `col:"old" doc:"JSON object of the changed columns with the values of the previous snapshot, or of all columns except the key if the row was removed; a count of people is a number, \"<5\" or null; {} if the reason is withdrawal; null if the row was added or key is null" json:"old"`
	New           *string      `col:"new" doc:"the same with the values of this snapshot, or all columns except the key if the row was added; null if the row was removed or key is null" json:"new"`
	Reason        ChangeReason `col:"reason" doc:"withdrawal, new_period, source_revision or method" json:"reason"`
	SourceKeys    string       `col:"source_keys" doc:"keys of the sources of the row, sorted, separated by commas; empty = made by the service itself" json:"source_keys"`
	ArchiveSHA256 string       `col:"archive_sha256" doc:"if the reason is source_revision, SHA-256 of the archived files of these sources from which this snapshot was built and the previous one was not, sorted, separated by commas, at most 20; the manifest has all of them. Files of the platform's feed are left out, because their hashes are keyed" json:"archive_sha256"`
	Keys          int64        `col:"keys" unit:"keys" doc:"number of keys that the row is about; 1 if key is not null" json:"keys"`
}

// ChangesTable returns the schema of changes.parquet. The function Tables does not list this
// table, since the server does not read it.
func ChangesTable() Table {
	return table[ChangesRow]("changes", "",
		"The differences from the previous snapshot, by table and key. All its values are printed in one of the two "+
			"snapshots. The column as_of of the tables is not compared.", "table")
}

// ChangesMetadata returns the Parquet key-value metadata of changes.parquet. previous is nil for
// the first snapshot.
func ChangesMetadata(id ID, previous *PreviousSnapshot, sources []SourcesRow) map[string]string {
	meta := TableMetadata(ChangesTable(), id, sources)
	meta[MetaPrevious], meta[MetaPreviousManifest] = "", ""
	if previous != nil {
		meta[MetaPrevious], meta[MetaPreviousManifest] = string(previous.ID), previous.ManifestSHA256
	}
	return meta
}
