package web

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"labour/snapshots"
)

// catalogueOf is a catalogue of one platform, without tables.
func catalogueOf() openData {
	return openData{Platform: "Example Works", Contact: "mailto:a@b.example", Own: tableLicence{Title: "All rights"},
		ID: "2026-11-20.1", AsOf: "2026-11-20", Modified: "2026-11-20T06:00:00Z", Base: "https://labour.example"}
}

// TestATableIsDescribed: with each licence and publisher once. Without a source it has the platform's licence.
// A table without a page of its own leads to the dictionary.
func TestATableIsDescribed(t *testing.T) {
	open, other := tableLicence{"OGL", "https://ogl.example"}, tableLicence{Title: "Other"}
	type publisher = struct{ Publisher string }
	const of = ", labour market data of Example Works"
	const asOf = " One table of the labour market data of Example Works, as of 2026-11-20; the dictionary describes " +
		"each column."
	const files = "https://labour.example/snapshots/2026-11-20.1/files/tables/"
	for _, c := range []struct {
		table tableResource
		want  openTable
	}{
		{tableResource{Name: "course_demand", Description: "Training.", Licenses: []tableLicence{open, other, open},
			Sources: []publisher{{"A"}, {"B"}, {"A"}}},
			openTable{Name: "course_demand", Title: "Course demand" + of, Description: "Training." + asOf,
				Licences: []tableLicence{open, other}, Publishers: []string{"A", "B"}, URL: files + "course_demand.parquet",
				Landing: "https://labour.example/courses"}},
		{tableResource{Name: "levels", Description: "Levels."},
			openTable{Name: "levels", Title: "Levels" + of, Description: "Levels." + asOf,
				Licences: []tableLicence{{Title: "All rights"}}, URL: files + "levels.parquet",
				Landing: "https://labour.example/docs/dictionary#levels"}},
	} {
		file := snapshots.TableFile{Name: c.table.Name}
		c.want.File = file
		if got := tableOf(catalogueOf(), c.table, file); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n%+v, want\n%+v", c.table.Name, got, c.want)
		}
	}
}

// TestThePlatformsLicence is that of its own source only.
func TestThePlatformsLicence(t *testing.T) {
	var d descriptor
	if got := d.own(); got != (tableLicence{}) {
		t.Errorf("without sources it is %+v", got)
	}
	text := `{"sources":[{"key":"a","licence":"A"},{"key":"platform","licence":"Own"},{"key":"b","licence":"B"}]}`
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	if got := d.own(); got != (tableLicence{Title: "Own"}) {
		t.Errorf("%+v", got)
	}
}

// TestTheCatalogueInDCAT: as portals read it. A licence without an address has its title, and a contact is an
// e-mail address or a page.
func TestTheCatalogueInDCAT(t *testing.T) {
	d := catalogueOf()
	d.Tables = []openTable{{Name: "skills", Title: "Skills", Description: "All.", Publishers: []string{"A", "B"},
		Licences: []tableLicence{{"OGL", "https://ogl.example"}, {Title: "Other"}}, URL: "https://u", Landing: "https://l",
		File: snapshots.TableFile{Name: "skills"}}}
	d.Tables[0].File.Bytes, d.Tables[0].File.SHA256 = 1234, "abcd"
	catalogue := d.dcat()
	if context, ok := catalogue["@context"].(object); !ok || context["dcat"] != "http://www.w3.org/ns/dcat#" {
		t.Errorf("the context is %v", catalogue["@context"])
	}
	delete(catalogue, "@context")
	const licence = `[{"@id":"https://ogl.example"},{"@type":"dct:LicenseDocument","rdfs:label":"Other"}]`
	const publisher = `{"@type":"foaf:Organization","foaf:name":"Example Works",
		"foaf:homepage":{"@id":"https://labour.example/"}}`
	checkJSON(t, catalogue, `{"@id":"https://labour.example/catalog.jsonld","@type":"dcat:Catalog",
		"dct:title":"Labour market data of Example Works",
		"dct:description":"Every table of the current publication that anybody can download.",
		"dct:publisher":`+publisher+`,"dct:language":"en",
		"dct:modified":{"@type":"xsd:dateTime","@value":"2026-11-20T06:00:00Z"},
		"foaf:homepage":{"@id":"https://labour.example/"},
		"dcat:dataset":[{"@id":"https://labour.example/catalog.jsonld#skills","@type":"dcat:Dataset",
			"dct:identifier":"skills","dct:title":"Skills","dct:description":"All.","dct:publisher":`+publisher+`,
			"dct:creator":[{"@type":"foaf:Organization","foaf:name":"A"},{"@type":"foaf:Organization","foaf:name":"B"}],
			"dct:issued":{"@type":"xsd:date","@value":"2026-11-20"},
			"dct:modified":{"@type":"xsd:dateTime","@value":"2026-11-20T06:00:00Z"},"dct:license":`+licence+`,
			"dcat:contactPoint":{"@type":"vcard:Organization","vcard:fn":"Example Works",
				"vcard:hasEmail":{"@id":"mailto:a@b.example"}},
			"dcat:version":"2026-11-20.1","dcat:landingPage":{"@id":"https://l"},
			"dcat:distribution":[{"@id":"https://u","@type":"dcat:Distribution","dct:title":"skills.parquet",
				"dcat:accessURL":{"@id":"https://l"},"dcat:downloadURL":{"@id":"https://u"},"dct:format":"Parquet",
				"dcat:mediaType":{"@id":"https://www.iana.org/assignments/media-types/application/vnd.apache.parquet"},
				"dcat:byteSize":{"@type":"xsd:nonNegativeInteger","@value":"1234"},
				"spdx:checksum":{"@type":"spdx:Checksum","spdx:algorithm":{"@id":"spdx:checksumAlgorithm_sha256"},
					"spdx:checksumValue":{"@type":"xsd:hexBinary","@value":"abcd"}},
				"dct:license":`+licence+`}]}]}`)
	d.Contact = "https://a.example/contact"
	checkJSON(t, d.contactPoint(), `{"@type":"vcard:Organization","vcard:fn":"Example Works",
		"vcard:hasURL":{"@id":"https://a.example/contact"}}`)
	checkJSON(t, d.dataset(d.Tables[0]), `{"@context":"https://schema.org/","@type":"Dataset",
		"@id":"https://labour.example/catalog.jsonld#skills","name":"Skills","description":"All.","url":"https://l",
		"identifier":"skills","version":"2026-11-20.1","dateModified":"2026-11-20T06:00:00Z",
		"license":["https://ogl.example","Other"],"isAccessibleForFree":true,
		"publisher":{"@type":"Organization","name":"Example Works","url":"https://labour.example/"},
		"creator":[{"@type":"Organization","name":"A"},{"@type":"Organization","name":"B"}],
		"includedInDataCatalog":{"@type":"DataCatalog","name":"Labour market data of Example Works",
			"url":"https://labour.example/catalog.jsonld"},
		"distribution":[{"@type":"DataDownload","encodingFormat":"application/vnd.apache.parquet",
			"contentUrl":"https://u","contentSize":"1234 B"}]}`)
}

// checkJSON compares a document with one that is written by hand.
func checkJSON(t *testing.T, got any, want string) {
	t.Helper()
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &b); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%s, want %s", text, want)
	}
}

// TestThereIsNoCatalogueWithoutData: the visitor may ask again, and a broken list of snapshots is an error that is
// logged.
func TestThereIsNoCatalogueWithoutData(t *testing.T) {
	s, log := siteFor(t, &loaded{})
	ask := func() *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		s.catalog(w, httptest.NewRequest(http.MethodGet, "/catalog.jsonld", nil))
		return w
	}
	if w := ask(); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != "30" ||
		w.Body.String() != "The service has no data loaded yet.\n" || log.Len() > 0 {
		t.Errorf("%d %v %s, and the log says %q", w.Code, w.Header(), w.Body, log)
	}
	if got := s.datasetOf(visit(nil, "/sources")); got != nil || log.Len() > 0 {
		t.Errorf("a page describes %v, and the log says %q", got, log)
	}
	if err := os.MkdirAll(filepath.Join(s.Store.RootDir(), snapshots.CurrentFileName), 0o755); err != nil {
		t.Fatal(err)
	}
	if w := ask(); w.Code != http.StatusInternalServerError || w.Body.String() != "The catalogue cannot be read.\n" ||
		!strings.Contains(log.String(), "catalogue of the tables") {
		t.Errorf("%d %s, and the log says %q", w.Code, w.Body, log)
	}
	log.Reset()
	if got := s.datasetOf(visit(nil, "/sources")); got != nil ||
		!strings.Contains(log.String(), "the tables that can be downloaded are not described") {
		t.Errorf("a page describes %v, and the log says %q", got, log)
	}
	log.Reset()
	past := visit(nil, "/sources")
	past.past = &earlier
	for what, v := range map[string]*request{"a page of a past snapshot": past,
		"a page without a table": visit(nil, "/skills/sql"), "the dictionary": visit(nil, "/docs/dictionary")} {
		if got := s.datasetOf(v); got != nil || log.Len() > 0 {
			t.Errorf("%s describes %v, and the log says %q", what, got, log)
		}
	}
}
