package snapshots

// ChangeKind is the kind of a difference between two snapshots: added, removed or changed.
type ChangeKind string

// The kinds of a change.
const (
	KeyAdded   ChangeKind = "added"
	KeyRemoved ChangeKind = "removed"
	KeyChanged ChangeKind = "changed"
)

// ChangeReason is the reason why a printed value differs, as far as the two snapshots show it.
type ChangeReason string

// The reasons of a change, in the order in which they are tested.
const (
	// ReasonWithdrawal: the operator withdrew the figures of people of the skill, or all of them; the
	// metadata MetaPeopleWithdrawn has the reason in words.
	ReasonWithdrawal ChangeReason = "withdrawal"
	// ReasonSuppression: a figure of people became a token, or stopped being one,
	// under the small-number rule.
	ReasonSuppression ChangeReason = "suppression"
	// ReasonPeriod: the key belongs to a period that the other snapshot does not reach, or the
	// figure describes another month end or day.
	ReasonPeriod ChangeReason = "new_period"
	// ReasonRevision: the files received from the source differ. The platform's files have other
	// names in each snapshot, so for them it means: the feed was fetched again, and the reason is
	// not a correction.
	ReasonRevision ChangeReason = "source_revision"
	// ReasonCorrection: the same bytes were received, and the operator's corrections of the source
	// differ; see the table corrections. For figures of people: the month's figures were built
	// again for the reason in the manifest.
	ReasonCorrection ChangeReason = "correction"
	// ReasonMethod: the same bytes were received; the program, its registers or the configuration
	// produced another figure.
	ReasonMethod ChangeReason = "method"
)

// The metadata keys of changes.parquet about the snapshot before.
const (
	// MetaFrom is the ID of the snapshot before; empty if there was none.
	MetaFrom = "labour.changes.from"
	// MetaFromManifest is the SHA-256 of that snapshot's manifest.
	MetaFromManifest = "labour.changes.from_manifest_sha256"
	// MetaPeopleWithdrawn is people_withdrawn of the manifest, as JSON; absent if nothing is
	// withdrawn.
	MetaPeopleWithdrawn = "labour.changes.people_withdrawn"
)

// MaxTableChanges is how many keys of one table changes.parquet lists. If more keys differ, which
// happens only in tables of counted cells, the table has one row per kind and reason with the
// number of keys instead: both snapshots contain every key.
const MaxTableChanges = 50_000

// ChangesRow is one row of changes.parquet.
type ChangesRow struct {
	Table         string       `col:"table" doc:"table or embargoed dataset; within one, rows are in the order of its key, added, removed and changed ones mixed" json:"table"`
	Key           *string      `col:"key" doc:"JSON object of the columns of the table's key; null = the row stands for as many keys as the column keys says" json:"key"`
	Change        ChangeKind   `col:"change" doc:"added, removed or changed" json:"change"`
	Old           *string      `col:"old" doc:"JSON object of the columns that differ as the snapshot before prints them, or of all but the key when removed; a count of people is a number, \"<5\" or null; {} where the reason is withdrawal; null when added, and when key is null" json:"old"`
	New           *string      `col:"new" doc:"the same as this snapshot prints them; null when removed, and when key is null" json:"new"`
	Reason        ChangeReason `col:"reason" doc:"withdrawal, suppression, new_period, source_revision, correction or method" json:"reason"`
	SourceKeys    string       `col:"source_keys" doc:"keys of the sources of the row, sorted, separated by commas; empty = made by the service itself" json:"source_keys"`
	ArchiveSHA256 string       `col:"archive_sha256" doc:"where the reason is source_revision: SHA-256 of the archived files of these sources that the snapshot before was not built from, sorted, separated by commas, at most 20; the manifest has them all; without files of the platform's feed, whose hashes are keyed" json:"archive_sha256"`
	Keys          int64        `col:"keys" unit:"keys" doc:"keys that the row stands for; 1 when key is given" json:"keys"`
}

// ChangesTable returns the schema of changes.parquet. It is not in Tables: it describes two
// snapshots, and the server does not read it.
func ChangesTable() Table {
	return table[ChangesRow]("changes", "",
		"What differs from the snapshot before, by table and key. Nothing is in it that the two snapshots do not print; "+
			"the column as_of of the tables is left out of the comparison.", "table")
}

// ChangesMetadata returns the key-value metadata of changes.parquet. previous is nil for the first
// snapshot.
func ChangesMetadata(id ID, previous *Previous, sources []SourcesRow) map[string]string {
	meta := TableMetadata(ChangesTable(), id, sources)
	meta[MetaFrom], meta[MetaFromManifest] = "", ""
	if previous != nil {
		meta[MetaFrom], meta[MetaFromManifest] = string(previous.ID), previous.ManifestSHA256
	}
	return meta
}
