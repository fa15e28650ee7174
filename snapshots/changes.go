package snapshots

// ChangeKind states how a row of a table differs between two snapshots: it was added, removed or
// changed.
type ChangeKind string

// The values of ChangeKind.
const (
	// RowAdded marks a row whose key is only in the newer snapshot.
	RowAdded ChangeKind = "added"
	// RowRemoved marks a row whose key is only in the older snapshot.
	RowRemoved ChangeKind = "removed"
	// RowChanged marks a row whose key is in both snapshots, with different values.
	RowChanged ChangeKind = "changed"
)

// ChangeReason is the reason why a row differs between two snapshots. It is determined only from
// the contents of the two snapshots.
type ChangeReason string

// The values of ChangeReason. If several reasons apply to a row, the first in this order is used.
const (
	// ReasonWithdrawal means that the operator withdrew a figure: the counts of people of one skill
	// or of all skills, or a published statistic. The metadata MetaPeopleWithdrawn has the
	// operator's explanation for counts of people, and the table corrections has it for a
	// statistic.
	ReasonWithdrawal ChangeReason = "withdrawal"
	// ReasonPeriod means that only one of the two snapshots covers the period of the row, or that
	// the figure describes another day or quarter.
	ReasonPeriod ChangeReason = "new_period"
	// ReasonRevision means that the source's files differ between the two snapshots, and that the
	// newer snapshot was still built from the source. For the platform, it means that the feed was
	// fetched again, since hashes of the platform's files cannot be compared.
	ReasonRevision ChangeReason = "source_revision"
	// ReasonMethod means that the sources' files are the same, but that the method differs. The
	// method is the program, its lists of skills and codes, the configuration and the operator's
	// corrections. changes.parquet also lists the changed rows of the table corrections. Rows of a
	// source that was not read any more have this reason too.
	ReasonMethod ChangeReason = "method"
)

// The metadata keys of the file changes.parquet that describe the previous snapshot.
const (
	// MetaPreviousID is the key of the ID of the previous snapshot in the metadata of
	// changes.parquet. The value is empty if there is no previous snapshot.
	MetaPreviousID = "labour.changes.from"
	// MetaPreviousManifest is the key of the SHA-256 of the previous snapshot's manifest in the
	// metadata of changes.parquet.
	MetaPreviousManifest = "labour.changes.from_manifest_sha256"
	// MetaPeopleWithdrawn is the key of the list of withdrawn counts of people in the metadata of
	// changes.parquet. The value is the manifest's field people_withdrawn, as JSON. The key is
	// missing if no counts of people are withdrawn.
	MetaPeopleWithdrawn = "labour.changes.people_withdrawn"
)

// MaxTableChanges is 50,000: changes.parquet lists at most this number of changed rows of a table
// one by one. If there are more, it counts them instead. It then has one row for each combination
// of kind, reason, sources and archived files. Only tables of counted adverts get so large.
const MaxTableChanges = 50_000

// ChangesRow is a row of changes.parquet. It describes one row of a table that differs from the
// previous snapshot, or counts several of them.
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

// ChangesTable returns the schema of changes.parquet. The function Tables does not include this
// schema.
func ChangesTable() Table {
	return table[ChangesRow]("changes", "",
		"The differences from the previous snapshot, by table and key. All its values are printed in one of the two "+
			"snapshots. The column as_of of the tables is not compared.", "table")
}

// ChangesMetadata returns the Parquet key-value metadata of changes.parquet. id is the new
// snapshot. previous identifies the snapshot that it is compared with; it is nil for the first
// snapshot.
func ChangesMetadata(id ID, previous *PreviousSnapshot, sources []SourcesRow) map[string]string {
	meta := TableMetadata(ChangesTable(), id, sources)
	meta[MetaPreviousID], meta[MetaPreviousManifest] = "", ""
	if previous != nil {
		meta[MetaPreviousID], meta[MetaPreviousManifest] = string(previous.ID), previous.ManifestSHA256
	}
	return meta
}
