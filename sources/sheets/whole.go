package sheets

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html/charset"
)

// maxDepth is the largest number of levels to which the elements of a sheet may be nested. Sheets
// have about ten levels.
const maxDepth = 100

// checkWhole returns an error for a workbook with a sheet whose XML is truncated or invalid. The
// library that reads workbooks gives no error for such a sheet: its rows simply end at that place.
func checkWhole(body []byte) error {
	return eachPart(body, func(name string, f *zip.File) error {
		if !isWorksheet(name) || !strings.HasSuffix(name, ".xml") {
			return nil
		}
		r, err := f.Open()
		if err != nil {
			return err
		}
		if err := errors.Join(checkXML(io.LimitReader(r, maxUnpack)), r.Close()); err != nil {
			return fmt.Errorf("the sheet in %s cannot be read to its end (%w); download the workbook again, or take a "+
				"CSV of the sheet", name, err)
		}
		return nil
	})
}

// checkXML returns an error unless the text is XML that is complete and valid.
func checkXML(text io.Reader) error {
	d := xml.NewDecoder(text)
	d.CharsetReader = charset.NewReaderLabel
	depth, hasElement := 0, false
	for {
		token, err := d.Token()
		if err == io.EOF && hasElement {
			return nil
		}
		if err != nil {
			return err
		}
		switch token.(type) {
		case xml.StartElement:
			hasElement = true
			if depth++; depth > maxDepth {
				return fmt.Errorf("more than %d levels", maxDepth)
			}
		case xml.EndElement:
			depth--
		}
	}
}
