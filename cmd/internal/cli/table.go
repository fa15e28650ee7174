package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Show prints what a command lists: as JSON, or as a table under a head, with the cells of
// a row in a line.
func Show[R any](w io.Writer, asJSON bool, rows []R, head string, cells func(R) []any) error {
	if asJSON {
		return PrintJSON(w, rows)
	}
	t := Table(w, head)
	for _, r := range rows {
		of := cells(r)
		fmt.Fprintf(t, strings.Repeat("\t%v", len(of))[1:]+"\n", of...)
	}
	return t.Flush()
}

// Table lines up what is written in columns, which tabs part, under a head unless that is
// empty. The caller must Flush it.
func Table(w io.Writer, head string) *tabwriter.Writer {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if head != "" {
		fmt.Fprintln(t, head)
	}
	return t
}
