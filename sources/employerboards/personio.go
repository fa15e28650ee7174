package employerboards

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"

	"labour/sources"
	"labour/sources/jsonrows"
	"labour/sources/plaintext"
)

// positions converts a Personio XML feed to JSON, with one row for each job.
func positions(body []byte) ([]jsonrows.RawRow, error) {
	body, err := plaintext.RepairXML(body)
	if err = cmp.Or(err, sources.AcceptXML("", body[:min(len(body), 1024)]), sources.CheckXMLSize(body)); err != nil {
		return nil, err
	}
	var feed struct {
		XMLName   xml.Name `xml:"workzag-jobs"`
		Positions []struct {
			ID         string   `xml:"id" json:"id"`
			Office     string   `xml:"office" json:"office"`
			Additional []string `xml:"additionalOffices>office" json:"additionalOffices"`
			Department string   `xml:"department" json:"department"`
			Title      string   `xml:"name" json:"name"`
			Parts      []struct {
				Heading string `xml:"name" json:"name"`
				Value   string `xml:"value" json:"value"` // HTML
			} `xml:"jobDescriptions>jobDescription" json:"jobDescriptions"`
			CreatedAt string `xml:"createdAt" json:"createdAt"`
		} `xml:"position"`
	}
	d := xml.NewDecoder(bytes.NewReader(body))
	d.Entity = xml.HTMLEntity
	if d.Decode(&feed) != nil { // the error may quote the body
		return nil, sources.CodedErrorf(sources.FaultWrongFormat,
			"the XML breaks off, is malformed or is no list of positions")
	}
	rows := make([]jsonrows.RawRow, len(feed.Positions))
	for i, p := range feed.Positions {
		rows[i], _ = json.Marshal(p) // a struct of strings cannot fail
	}
	return rows, nil
}
