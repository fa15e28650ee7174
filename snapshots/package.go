package snapshots

import (
	"fmt"
	"slices"
	"strings"
)

// The Frictionless Data Package v2 view of a snapshot, for stock tools. It holds
// no hashes, since the manifest's are the ones that count, and nothing that the
// manifest and the table of sources do not hold.

// packageProfile is the standard's own schema of a descriptor.
const packageProfile = "https://datapackage.org/profiles/2.0/datapackage.json"

type packageJSON struct {
	Schema       string               `json:"$schema"`
	Name         string               `json:"name"`
	Title        string               `json:"title"`
	Version      string               `json:"version"`
	Created      string               `json:"created"`
	Contributors []packageContributor `json:"contributors"`
	Licences     []packageLicence     `json:"licenses,omitempty"`
	Sources      []packageSource      `json:"sources"`
	Resources    []packageResource    `json:"resources"`
}

type packageContributor struct {
	Title string   `json:"title"`
	Roles []string `json:"roles"`
}

// packageLicence names a licence by its Open Definition identifier; the title is
// the publisher's own name of it.
type packageLicence struct {
	Name  string `json:"name"`
	Path  string `json:"path,omitempty"`
	Title string `json:"title"`
}

// packageSource is a row of the table sources. What follows path is the project's
// own, which the standard permits.
type packageSource struct {
	Title       string `json:"title"`
	Path        string `json:"path,omitempty"`
	Key         string `json:"key"`
	Publisher   string `json:"publisher"`
	Licence     string `json:"licence"`
	Attribution string `json:"attribution_statement"`
}

type packageResource struct {
	Name        string           `json:"name"`
	Path        string           `json:"path"`
	Type        string           `json:"type"`
	Format      string           `json:"format"`
	Mediatype   string           `json:"mediatype"`
	Description string           `json:"description"`
	Licences    []packageLicence `json:"licenses,omitempty"`
	Sources     []packageSource  `json:"sources,omitempty"`
	Schema      packageSchema    `json:"schema"`
}

// dataPackage is the descriptor of a snapshot with that manifest and those rows of
// the table sources.
func dataPackage(m Manifest, sources []SourcesRow) ([]byte, error) {
	sources = slices.Clone(sources)
	slices.SortFunc(sources, func(a, b SourcesRow) int { return strings.Compare(a.Key, b.Key) })
	p := packageJSON{
		Schema: packageProfile,
		Name:   "labour-" + string(m.ID), Title: "Labour market data of " + m.PlatformName + ", " + m.AsOf.String(),
		Version: string(m.ID), Created: m.normalised().CreatedAt.Format("2006-01-02T15:04:05Z"),
		Contributors: []packageContributor{{Title: m.PlatformName, Roles: []string{"publisher"}}},
		Licences:     packageLicences(sources), Sources: packageSources(sources),
	}
	for _, t := range Tables() {
		p.Resources = append(p.Resources, packageTable(t, TableFileName(t.Name), sources))
	}
	for _, t := range HeldTables() {
		if m.HeldNamed(t.Name).Rows != nil {
			p.Resources = append(p.Resources, packageTable(t, HeldFileName(t.Name), sources))
		}
	}
	if m.HasFile(ChangesName) {
		p.Resources = append(p.Resources, packageTable(ChangesTable(), ChangesName, nil))
	}
	b, err := EncodeDocument(p)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", PackageName, err)
	}
	return b, nil
}

func packageTable(t Table, path string, sources []SourcesRow) packageResource {
	from := SourcesOf(t.Name, sources)
	return packageResource{Name: t.Name, Path: path, Type: "table", Format: "parquet",
		Mediatype: "application/vnd.apache.parquet", Description: t.Doc,
		Licences: packageLicences(from), Sources: packageSources(from), Schema: packageSchemaOf(t)}
}

func packageSources(rows []SourcesRow) []packageSource {
	out := make([]packageSource, 0, len(rows))
	for _, s := range rows {
		out = append(out, packageSource{Title: s.Title, Path: s.Link, Key: s.Key, Publisher: s.Publisher,
			Licence: s.Licence, Attribution: s.AttributionStatement})
	}
	return out
}

// packageLicences lists the different licences of the sources, by name and title.
func packageLicences(rows []SourcesRow) []packageLicence {
	var out []packageLicence
	for _, s := range rows {
		out = append(out, packageLicenceOf(s.Licence))
	}
	slices.SortFunc(out, func(a, b packageLicence) int {
		return strings.Compare(a.Name+"\x00"+a.Title, b.Name+"\x00"+b.Title)
	})
	return slices.Compact(out)
}

// packageLicenceOf finds the Open Definition identifier. Terms that are neither the
// Open Government Licence nor the public domain are not taken for open.
func packageLicenceOf(title string) packageLicence {
	switch {
	case strings.HasPrefix(title, "Open Government Licence v3.0"):
		return packageLicence{Name: "OGL-UK-3.0", Title: title,
			Path: "https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/"}
	case strings.HasPrefix(title, "Public domain"):
		return packageLicence{Name: "other-pd", Title: title}
	}
	return packageLicence{Name: "other-closed", Title: title}
}
