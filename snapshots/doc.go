// Package snapshots defines the format of everything on disk under snapshots/: names, paths, the
// manifest and the schemas of the tables. FORMAT.md documents every file, table, column and null
// rule. Package store seals, promotes, lists and withdraws snapshots. These two packages and the
// others of this folder are the only ones that the batch side and the serving side share.
package snapshots
