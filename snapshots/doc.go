// Package snapshots owns everything that is on disk under snapshots/: names,
// paths, the manifest, the schemas of the tables, sealing and promotion. It is
// the only thing that the batch side and the serving side both know. FORMAT.md
// documents every file, table, column and null rule.
package snapshots
