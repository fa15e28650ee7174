package cli

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Table lines up what is written in columns, which tabs part, under a head unless that is
// empty. The caller must Flush it.
func Table(w io.Writer, head string) *tabwriter.Writer {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if head != "" {
		fmt.Fprintln(t, head)
	}
	return t
}
