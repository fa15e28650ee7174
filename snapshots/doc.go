// Package snapshots defines everything on disk under snapshots/: names, paths, the manifest, the
// schemas of the tables, sealing and promotion. It is the only package that the batch side and the
// serving side share. FORMAT.md documents every file, table, column and null rule.
package snapshots
