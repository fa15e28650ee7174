package query

import (
	"embed"
	"strings"
)

// sqlFiles has the SQL files of all parts of a snapshot.
//
//go:embed sql
var sqlFiles embed.FS

// sqlNames returns the names of the SQL files in a directory in alphabetical order, without .sql.
func sqlNames(dir string) (names []string) {
	entries, _ := sqlFiles.ReadDir("sql/" + dir) // a missing directory is empty
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".sql"))
	}
	return names
}

// sqlText returns the text of an embedded SQL file. name is its path below the directory sql,
// without .sql, such as "figures/load/02_codes". It panics if there is no such file.
func sqlText(name string) string {
	text, err := sqlFiles.ReadFile("sql/" + name + ".sql")
	if err != nil {
		panic(err)
	}
	return string(text)
}
