package snapshots

import (
	"slices"
	"strings"
)

// CurrentCodes maps the former code of an area, such as "E07000004", to its current codes. An area
// that was split has several current codes.
type CurrentCodes map[string][]string

// NewCurrentCodes returns the current codes of every former code in the rows of the table regions.
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

// RecodedRecords replaces the former area code in a record of the table corrections. It returns one
// record for each current code of the area, or none if the code is not a former one. A correction
// has the area code that the publisher used, but other tables have the current code.
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
