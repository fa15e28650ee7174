// Package protected names the files and folders of the protected zone. This part of a data
// directory is read only by the pipeline and is never published.
package protected

import "path/filepath"

// RebuildDirPattern matches the names of the folders of rebuilds. Each rebuild has such a folder in
// Dir, the protected zone.
const RebuildDirPattern = "rebuild-*"

// Dir returns the path of the protected zone, the private part of a data directory that is never
// published. The locks of runs are in it, too.
func Dir(data string) string { return filepath.Join(data, "protected") }

// ArchiveDir returns the path of the archive of all received data.
func ArchiveDir(data string) string { return filepath.Join(Dir(data), "archive") }

// PastAdvertsDir returns the path of the cache of adverts that are no longer listed.
func PastAdvertsDir(data string) string { return filepath.Join(Dir(data), "past") }

// StagingDir returns the path of the folder with the intermediate files of the current build.
func StagingDir(data string) string { return filepath.Join(Dir(data), "staging") }

// TruthDir returns the path of the folder with the unrounded counts of people of the current build.
func TruthDir(data string) string { return filepath.Join(Dir(data), "truth") }

// SpillDir returns the path of the folder for data that DuckDB moves out of memory.
func SpillDir(data string) string { return filepath.Join(Dir(data), "spill") }

// CodingNotesFile returns the path of the last run's notes on the coding of adverts. They list
// places and job titles that could not be coded well, and the skills found by sector.
func CodingNotesFile(data string) string { return filepath.Join(Dir(data), "coding", "notes.json") }

// ManifestKeyFile returns the path of the secret key for keyed hashes in manifests.
func ManifestKeyFile(data string) string { return filepath.Join(Dir(data), "manifest.key") }

// RoundingSecretFile returns the path of the secret for rounding counts of people.
func RoundingSecretFile(data string) string { return filepath.Join(Dir(data), "people.secret") }

// ClusterSessionFile returns the path of the file with the name of the current session on a Spark
// cluster. The run that counts on the cluster writes it.
func ClusterSessionFile(data string) string { return filepath.Join(Dir(data), "cluster.json") }
