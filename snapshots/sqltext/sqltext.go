// Package sqltext writes values into SQL statements that accept no parameters, such as DuckDB's
// ATTACH, COPY and SET.
package sqltext

import "strings"

// Quote returns text as an SQL string literal. It is only for values that the service chose itself,
// such as paths and dates. A value of a client must be a parameter of the statement.
func Quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
