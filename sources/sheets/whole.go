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

// maxDepth is the maximum nesting depth of XML elements in a sheet. Sheets have about 10 levels.
const maxDepth = 100

// checkWhole returns an error if a sheet of a workbook has truncated or invalid XML. The workbook
// library does not report this: it only returns fewer rows.
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

// checkXML returns an error unless text is complete and valid XML.
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
