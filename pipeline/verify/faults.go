package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// fault records a fault. If one check finds more than maxPerFile faults in a file, the rest are
// only counted.
func (s *subject) fault(check, file string, row int64, format string, args ...any) {
	key := [2]string{check, file}
	s.counts[key]++
	if s.counts[key] > maxPerFile {
		return
	}
	s.report.Faults = append(s.report.Faults, Fault{check, file, row, fmt.Sprintf(format, args...)})
}

// summarise adds one more fault for each check and file that has more faults than are listed. It
// states how many were left out. summarise then sorts all faults.
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
