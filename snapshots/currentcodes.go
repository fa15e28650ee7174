package snapshots

import (
	"slices"
	"strings"
)

// CurrentCodes holds the current codes of areas by former code. An area that was split has several.
type CurrentCodes map[string][]string

// NewCurrentCodes returns the current codes that follow from the rows of the table regions.
func NewCurrentCodes(regions []RegionsRow) CurrentCodes {
	codes := CurrentCodes{}
	for _, r := range regions {
		if r.FormerCodes == nil {
			continue
		}
		for former := range strings.SplitSeq(*r.FormerCodes, ",") {
			if !slices.Contains(codes[former], r.Code) { // an area may be listed under several kinds
				codes[former] = append(codes[former], r.Code)
			}
		}
	}
	return codes
}

// RecodedRecords returns the record of a correction of a statistic with each current code of its
// area instead of the former one. A correction names the area by the publisher's code, and the
// other tables name it by the current one. The result is empty if the code is not a former one.
func (c CurrentCodes) RecodedRecords(record string) []string {
	figure, ok := ParseFigureRecord(record)
	if !ok {
		return nil
	}
	var recoded []string
	for _, code := range c[figure.RegionCode] {
		figure.RegionCode = code
		recoded = append(recoded, figure.String())
	}
	return recoded
}
