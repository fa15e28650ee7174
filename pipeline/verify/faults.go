package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// fault records a fault in row of a file; row counts from 0 and is WholeFile for the whole file.
// format and args give the text. Each check lists at most 1,000 faults for each file, and only
// counts the rest.
func (s *subject) fault(check, file string, row int64, format string, args ...any) {
	key := [2]string{check, file}
	s.counts[key]++
	if s.counts[key] > maxPerFile {
		return
	}
	s.report.Faults = append(s.report.Faults, Fault{check, file, row, fmt.Sprintf(format, args...)})
}

// summarise sorts all faults. If a check found more faults in a file than are listed, it adds one
// fault with the number of the others.
func (s *subject) summarise() {
	for key, n := range s.counts {
		if n > maxPerFile {
			s.report.Faults = append(s.report.Faults, Fault{key[0], key[1], WholeFile,
				fmt.Sprintf("%d more faults of this kind", n-maxPerFile)})
		}
	}
	slices.SortFunc(s.report.Faults, func(a, b Fault) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Row, b.Row), strings.Compare(a.Check, b.Check),
			strings.Compare(a.Text, b.Text))
	})
}
