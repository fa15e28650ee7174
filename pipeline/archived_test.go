package pipeline

import (
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

// readArchived is the content of an archived file.
func readArchived(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		return "", err
	}
	defer z.Close()
	b, err := io.ReadAll(z)
	return string(b), err
}
