// Package sqltext writes values into SQL statements that accept no parameters, such as DuckDB's
// ATTACH, COPY and SET.
package sqltext

import "strings"

// Quote returns text as an SQL string literal. Use it only for values that the program itself
// chooses, such as paths and dates. Values from a client must be parameters of the statement.
func Quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
