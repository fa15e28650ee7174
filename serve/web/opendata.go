package web

import (
	"cmp"
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"

	"labour/serve"
	"labour/serve/api"
	"labour/snapshots"
)

// openTable describes a public table of the current snapshot for catalogues of open data.
type openTable struct {
	Name        string // name of the table in the snapshot
	Title       string
	Description string
	// licences of the table's sources, without duplicates; the platform's own licence if it has no
	// source
	Licences   []tableLicence
	Publishers []string // publishers of the table's sources, without duplicates
	File       snapshots.TableFile
	URL        string // address of the table's Parquet file
	Landing    string // address of the web page that shows the table
}

// tableLicence is a licence of a public table. Path is its web address, or empty if it has none.
type tableLicence struct{ Title, Path string }

// openData is the catalogue of the public tables in the current snapshot. Open data portals read
// it.
type openData struct {
	Platform string
	Contact  string       // operator's contact as a mailto: or https:// address
	Own      tableLicence // licence of the data that belongs to the platform
	ID       snapshots.ID
	AsOf     string
	Modified string
	Base     string
	Tables   []openTable
}

// tableResource is the entry of one table in datapackage.json, the machine-readable description of
// a snapshot.
type tableResource struct {
	Name        string
	Description string
	Licenses    []tableLicence
	Sources     []struct{ Publisher string }
}

// descriptor holds the fields of a snapshot's datapackage.json that the catalogue needs.
type descriptor struct {
	Sources   []struct{ Key, Licence string }
	Resources []tableResource
}

func readDescriptor(file string) (d descriptor, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return d, err
	}
	return d, json.Unmarshal(text, &d)
}

// own returns the licence of the platform's own data. It is taken from datapackage.json.
func (d descriptor) own() (l tableLicence) {
	for _, source := range d.Sources {
		if source.Key == api.PlatformKey {
			l.Title = source.Licence
		}
	}
	return l
}

// openData returns the catalogue of the public tables. base is the public address of the service.
// ok is false if there is no current snapshot.
func (s *Site) openData(base string) (d openData, ok bool, err error) {
	id, err := s.current()
	if err != nil || id == "" {
		return d, false, err
	}
	e, ok, err := s.entry(id)
	if err != nil || !ok || e.Withdrawn != nil {
		return d, false, err
	}
	p, err := readDescriptor(snapshots.JoinPath(s.Store.SnapshotDir(id), snapshots.DataPackageFileName))
	if err != nil {
		return d, false, err
	}
	d = openData{Platform: e.Manifest.PlatformName, Contact: cmp.Or(s.contactAddress(), base+"/docs/about"),
		ID: id, AsOf: e.Manifest.AsOf.String(), Base: base,
		Modified: e.Manifest.CreatedAt.Format("2006-01-02T15:04:05Z"), Own: p.own()}
	for _, r := range p.Resources {
		i := slices.IndexFunc(e.Manifest.Tables, func(f snapshots.TableFile) bool { return f.Name == r.Name })
		if i >= 0 && slices.Contains(downloadableTables(), r.Name) {
			d.Tables = append(d.Tables, tableOf(d, r, e.Manifest.Tables[i]))
		}
	}
	return d, true, nil
}

// landings maps the name of a public table to the path of the page that shows the table.
var landings = map[string]string{"course_demand": "/courses", "skills_gaps": "/gaps", "evidence": "/evidence",
	"regions": "/places#codes",
	"sources": "/sources", "skills": "/skills", "places": "/places"}

func tableOf(d openData, r tableResource, f snapshots.TableFile) openTable {
	words := strings.ReplaceAll(r.Name, "_", " ")
	t := openTable{Name: r.Name, Title: strings.ToUpper(words[:1]) + words[1:] + ", labour market data of " +
		d.Platform, Description: r.Description + " One table of the labour market data of " + d.Platform + ", as of " +
		d.AsOf + "; the dictionary describes each column.",
		File: f, URL: d.Base + "/snapshots/" + string(d.ID) + "/files/" + snapshots.TableFileName(r.Name),
		Landing: d.Base + "/docs/dictionary#" + r.Name}
	if page, ok := landings[r.Name]; ok {
		t.Landing = d.Base + page
	}
	for _, l := range r.Licenses {
		if !slices.Contains(t.Licences, l) {
			t.Licences = append(t.Licences, l)
		}
	}
	if len(t.Licences) == 0 {
		t.Licences = []tableLicence{d.Own}
	}
	for _, source := range r.Sources {
		if !slices.Contains(t.Publishers, source.Publisher) {
			t.Publishers = append(t.Publishers, source.Publisher)
		}
	}
	return t
}

// object is a node (a JSON object) of a JSON-LD document.
type object map[string]any

const parquet = "application/vnd.apache.parquet"

// dcatContext is the JSON-LD context of the open data catalogue. It defines the prefixes of names,
// such as dcat.
var dcatContext = object{"dcat": "http://www.w3.org/ns/dcat#", "dct": "http://purl.org/dc/terms/",
	"foaf": "http://xmlns.com/foaf/0.1/", "vcard": "http://www.w3.org/2006/vcard/ns#",
	"rdfs": "http://www.w3.org/2000/01/rdf-schema#",
	"spdx": "http://spdx.org/rdf/terms#", "xsd": "http://www.w3.org/2001/XMLSchema#"}

// dcat returns the catalogue of public tables as JSON-LD, in the vocabulary DCAT 3 that open data
// portals read.
func (d openData) dcat() object {
	publisher := object{"@type": "foaf:Organization", "foaf:name": d.Platform,
		"foaf:homepage": object{"@id": d.Base + "/"}}
	datasets := make([]object, 0, len(d.Tables))
	for _, t := range d.Tables {
		datasets = append(datasets, d.dcatDataset(t, publisher))
	}
	return object{"@context": dcatContext, "@id": d.Base + "/catalog.jsonld", "@type": "dcat:Catalog",
		"dct:title":       "Labour market data of " + d.Platform,
		"dct:description": "Every table of the current publication that anybody can download.",
		"dct:publisher":   publisher, "dct:language": "en", "dct:modified": typedValue("xsd:dateTime", d.Modified),
		"foaf:homepage": object{"@id": d.Base + "/"}, "dcat:dataset": datasets}
}

func (d openData) dcatDataset(t openTable, publisher object) object {
	file := object{"@id": t.URL, "@type": "dcat:Distribution", "dct:title": t.Name + ".parquet",
		"dcat:accessURL":   object{"@id": t.Landing},
		"dcat:downloadURL": object{"@id": t.URL}, "dct:format": "Parquet",
		"dcat:mediaType": object{"@id": "https://www.iana.org/assignments/media-types/" + parquet},
		"dcat:byteSize":  typedValue("xsd:nonNegativeInteger", strconv.FormatInt(t.File.Bytes, 10)),
		"spdx:checksum": object{"@type": "spdx:Checksum",
			"spdx:algorithm":     object{"@id": "spdx:checksumAlgorithm_sha256"},
			"spdx:checksumValue": typedValue("xsd:hexBinary", t.File.SHA256)},
		"dct:license": licenceNodes(t.Licences)}
	return object{"@id": d.Base + "/catalog.jsonld#" + t.Name, "@type": "dcat:Dataset", "dct:identifier": t.Name,
		"dct:title":       t.Title,
		"dct:description": t.Description, "dct:publisher": publisher,
		"dct:creator":  organisations("foaf:Organization", "foaf:name", t.Publishers),
		"dct:issued":   typedValue("xsd:date", d.AsOf),
		"dct:modified": typedValue("xsd:dateTime", d.Modified), "dct:license": licenceNodes(t.Licences),
		"dcat:contactPoint": d.contactPoint(),
		"dcat:version":      string(d.ID),
		"dcat:landingPage":  object{"@id": t.Landing}, "dcat:distribution": []object{file}}
}

func typedValue(kind, value string) object { return object{"@type": kind, "@value": value} }

// contactPoint returns the JSON-LD node of the operator's contact: an e-mail address or a web page.
func (d openData) contactPoint() object {
	by := "vcard:hasURL"
	if strings.HasPrefix(d.Contact, "mailto:") {
		by = "vcard:hasEmail"
	}
	return object{"@type": "vcard:Organization", "vcard:fn": d.Platform, by: object{"@id": d.Contact}}
}

// licenceNodes returns a JSON-LD node for each licence. The node has the address of the licence, or
// its title if it has no address.
func licenceNodes(licences []tableLicence) []object {
	all := make([]object, 0, len(licences))
	for _, l := range licences {
		if l.Path != "" {
			all = append(all, object{"@id": l.Path})
		} else {
			all = append(all, object{"@type": "dct:LicenseDocument", "rdfs:label": l.Title})
		}
	}
	return all
}

// dataset describes a public table in the schema.org vocabulary, which search engines read.
func (d openData) dataset(t openTable) object {
	organisation := object{"@type": "Organization", "name": d.Platform, "url": d.Base + "/"}
	return object{"@context": "https://schema.org/", "@type": "Dataset", "@id": d.Base + "/catalog.jsonld#" + t.Name,
		"name":        t.Title,
		"description": t.Description, "url": t.Landing, "identifier": t.Name, "version": string(d.ID),
		"dateModified": d.Modified,
		"license":      licenceTexts(t.Licences), "isAccessibleForFree": true, "publisher": organisation,
		"creator": organisations("Organization", "name", t.Publishers),
		"includedInDataCatalog": object{"@type": "DataCatalog", "name": "Labour market data of " + d.Platform,
			"url": d.Base + "/catalog.jsonld"},
		"distribution": []object{{"@type": "DataDownload", "encodingFormat": parquet, "contentUrl": t.URL,
			"contentSize": strconv.FormatInt(t.File.Bytes, 10) + " B"}}}
}

// licenceTexts returns the web address of each licence, or the licence's title if it has no
// address.
func licenceTexts(licences []tableLicence) []string {
	all := make([]string, 0, len(licences))
	for _, l := range licences {
		all = append(all, cmp.Or(l.Path, l.Title))
	}
	return all
}

// organisations returns a JSON-LD node for each organisation in names. kind is the type of the
// nodes. property is the name of the node's property that holds the organisation's name.
func organisations(kind, property string, names []string) []object {
	all := make([]object, 0, len(names))
	for _, name := range names {
		all = append(all, object{"@type": kind, property: name})
	}
	return all
}

// datasetOf returns the schema.org description of the public table on a page, for the HTML head. It
// returns nil if the page has no public table or shows an earlier snapshot.
func (s *Site) datasetOf(v *request) object {
	if v.past != nil || !slices.ContainsFunc(downloadableTables(),
		func(name string) bool { return landings[name] == v.URL.Path }) {
		return nil
	}
	d, ok, err := s.openData(v.base)
	if err != nil {
		s.Log.Warn("the tables that can be downloaded are not described", "error", err)
	}
	for _, t := range d.Tables {
		if ok && t.Landing == v.base+v.URL.Path {
			return d.dataset(t)
		}
	}
	return nil
}

// catalog sends the catalogue of public tables as JSON-LD. Its path is /catalog.jsonld.
func (s *Site) catalog(w http.ResponseWriter, r *http.Request) {
	d, ok, err := s.openData(s.baseOf(r))
	switch {
	case err != nil:
		s.Log.Error("catalogue of the tables", "error", err)
		http.Error(w, "The catalogue cannot be read.", http.StatusInternalServerError)
		return
	case !ok:
		w.Header().Set("Retry-After", "30")
		http.Error(w, "The service has no data loaded yet.", http.StatusServiceUnavailable)
		return
	}
	text, err := snapshots.EncodeDocument(d.dcat())
	if err != nil {
		s.Log.Error("catalogue of the tables", "error", err)
		http.Error(w, "The catalogue cannot be written.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/ld+json")
	w.Header().Set("Cache-Control", serve.PublicCacheControl)
	_, _ = w.Write(text) // the client may have disconnected
}
