package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// CopyBefore copies a ledger as it was before the first page of a quarter end
// (YYYY-MM-DD), so that what was printed then can be made again. A ledger that is
// not there copies as none.
func CopyBefore(from, to, quarter string) error {
	index, err := os.ReadFile(filepath.Join(from, indexName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("copy ledger: %w", err)
	}
	if err := os.MkdirAll(to, 0o700); err != nil {
		return fmt.Errorf("copy ledger: %w", err)
	}
	names := []string{}
	var kept strings.Builder
	for line := range strings.Lines(string(index)) {
		name, _, _ := strings.Cut(line, " ")
		if name >= quarter { // dates, and dates with a number after them
			break
		}
		names = append(names, name+".ledger")
		kept.WriteString(line)
	}
	if _, err := os.Stat(filepath.Join(from, lostName)); err == nil {
		names = append(names, lostName)
	}
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join(from, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, name), b, 0o600)
		}
		if err != nil {
			return fmt.Errorf("copy ledger: %w", err)
		}
	}
	if kept.Len() == 0 {
		return nil
	}
	if err := os.WriteFile(filepath.Join(to, indexName), []byte(kept.String()), 0o600); err != nil {
		return fmt.Errorf("copy ledger: %w", err)
	}
	return nil
}
