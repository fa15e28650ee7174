package parquetio

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"

	"github.com/apache/arrow/go/v17/parquet/metadata"
)

// trailer is what ends a Parquet file behind the footer: the footer's length, and PAR1.
const trailer = 8

// inOrder gives the end of a file, from before its footer on, with the footer's counts
// of pages in order: of each column those of dictionaries first, then by their encoding.
// The library keeps them in a map, so that where a column's dictionary grew too large,
// and its later pages have none, the same rows would not be the same bytes.
func inOrder(end []byte) ([]byte, error) {
	if len(end) < trailer {
		return end, nil // nothing was written, and the library said why
	}
	behind := len(end) - trailer
	length := int(binary.LittleEndian.Uint32(end[behind:]))
	if length > behind {
		return nil, fmt.Errorf("the footer is said to be %d bytes long, of %d", length, behind)
	}
	footer, err := metadata.NewFileMetaData(end[behind-length:behind], nil)
	if err != nil {
		return nil, err
	}
	if !sortPageCounts(footer) {
		return end, nil
	}
	text, err := footer.Serialize(context.Background())
	if err != nil {
		return nil, err
	}
	if len(text) != length {
		return nil, fmt.Errorf("the footer was %d bytes long and is %d in order", length, len(text))
	}
	copy(end[behind-length:], text)
	return end, nil
}

// sortPageCounts says whether something was not in order.
func sortPageCounts(footer *metadata.FileMetaData) (changed bool) {
	for _, group := range footer.RowGroups {
		for _, column := range group.Columns {
			counts := column.MetaData.EncodingStats
			order := func(i, j int) int { // a dictionary's page is of type 2, one of data of type 0
				a, b := counts[i], counts[j]
				return cmp.Or(cmp.Compare(b.PageType, a.PageType), cmp.Compare(a.Encoding, b.Encoding))
			}
			for i := range counts { // three at most
				for j := i; j > 0 && order(j, j-1) < 0; j-- {
					counts[j], counts[j-1], changed = counts[j-1], counts[j], true
				}
			}
		}
	}
	return changed
}
