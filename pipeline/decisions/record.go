package decisions

import (
	"errors"
	"os"
	"strings"
	"unicode"

	"labour/sources/journal"
)

// longestField is the largest length of a text in a decision, such as a reason, in bytes.
const longestField = 2000

// fitsField reports whether text is one line of at most longestField bytes. An empty text is allowed.
func fitsField(text string) bool {
	return len(text) <= longestField && !strings.ContainsFunc(text, unicode.IsControl)
}

// record appends a decision to a journal, syncs the journal to disk and closes it. It creates the
// data directory if necessary.
func record(data string, lines *journal.Journal, decision any) error {
	if err := os.MkdirAll(data, 0o755); err != nil {
		return err
	}
	return errors.Join(lines.Append(decision), lines.Sync(), lines.Close())
}
