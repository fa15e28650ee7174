package decisions

import (
	"errors"
	"os"
	"strings"
	"unicode"

	"labour/sources/journal"
)

// longestField is the largest length, in bytes, of a text in a decision: an address, a reason or a
// person's name.
const longestField = 2000

// isShortLine reports whether text is a single line of at most longestField bytes. An empty text is
// one too.
func isShortLine(text string) bool {
	return len(text) <= longestField && !strings.ContainsFunc(text, unicode.IsControl)
}

// record appends a decision to a journal in the data directory, and syncs it to the disk before it
// returns. It creates the directory if necessary.
func record(data string, lines *journal.Journal, decision any) error {
	if err := os.MkdirAll(data, 0o755); err != nil {
		return err
	}
	return errors.Join(lines.Append(decision), lines.Sync(), lines.Close())
}
