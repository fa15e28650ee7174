// Package snapshots defines the format of snapshots, the published data sets on disk: file names,
// the manifest and the schemas of the tables. FORMAT.md documents every file, table and column.
// Package store writes and publishes snapshots.
//
// The batch side (package pipeline) and the serving side (package serve) share only this folder.
package snapshots
