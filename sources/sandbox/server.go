package sandbox

import (
	"fmt"
	"net/http"

	"github.com/goccy/go-yaml"

	"labour/sources/all"
	"labour/sources/dfeapprenticeships"
	"labour/sources/employerboards"
	"labour/sources/findanapprenticeship"
	"labour/sources/onsgeography"
	"labour/sources/publishers"
)

// importedBeside is how many adverts of other boards the apprenticeship service
// says that it has beside its own.
const importedBeside = 230

// Publishers are the simulated publishers of a world, each an http.Handler. The
// Faults of the boards and the apprenticeship service make them misbehave.
type Publishers struct {
	Greenhouse, Lever, Ashby *publishers.Boards
	FAA                      *publishers.FAA
	EES                      *publishers.EES
	ONS                      *publishers.ArcGIS
	Files                    *publishers.Files // publications, feeds and plans
}

// Publishers makes the simulators.
func (w *World) Publishers() (*Publishers, error) {
	p := &Publishers{ONS: publishers.NewArcGIS(w.geography()), Files: publishers.NewFiles(w.documents())}
	for _, x := range []struct {
		vendor string
		make   func(map[string]publishers.List) *publishers.Boards
		to     **publishers.Boards
	}{{"greenhouse", publishers.NewGreenhouse, &p.Greenhouse}, {"lever", publishers.NewLever, &p.Lever}, {"ashby", publishers.NewAshby, &p.Ashby}} {
		*x.to = x.make(w.boardRows(x.vendor))
	}
	p.FAA = publishers.NewFAA(Key, w.serviceRows(), importedBeside)
	var err error
	if p.EES, err = publishers.NewEES(w.statistics()...); err != nil {
		return nil, fmt.Errorf("simulate the education statistics: %w", err)
	}
	return p, nil
}

// Handler gives each publisher its part of the addresses: /greenhouse, /lever,
// /ashby, /faa, /ees, /ons and /files.
func (p *Publishers) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/greenhouse/", p.Greenhouse)
	mux.Handle("/lever/", p.Lever)
	mux.Handle("/ashby/", p.Ashby)
	mux.Handle("/faa/", p.FAA)
	mux.Handle("/ees/", p.EES)
	mux.Handle("/ons/", p.ONS)
	mux.Handle("/files/", p.Files)
	return mux
}

// Handler is the simulated publishers, all healthy, as one handler; see Publishers.
func (w *World) Handler() (http.Handler, error) {
	p, err := w.Publishers()
	if err != nil {
		return nil, err
	}
	return p.Handler(), nil
}

// configuration is labour.yaml.
type configuration struct {
	Platform struct {
		Name string `yaml:"name"`
		Link string `yaml:"link"`
		Feed string `yaml:"feed"`
	} `yaml:"platform"`
	Contact     string       `yaml:"contact"`
	ServedAreas []servedArea `yaml:"served_areas"`
	Sources     all.Config   `yaml:"sources"`
}

type servedArea struct {
	Slug     string   `yaml:"slug"`
	Name     string   `yaml:"name"`
	Boroughs []string `yaml:"boroughs"`
}

// Config is a labour.yaml that points every connector to this world: the feed in
// feedDir, the publishers under baseURL. The key of the apprenticeship service is
// the secret KeyEnv.
func (w *World) Config(feedDir, baseURL string) ([]byte, error) {
	var c configuration
	c.Platform.Name, c.Platform.Link, c.Platform.Feed = "London Works Sandbox", siteAddress, feedDir
	c.Contact = "sandbox@londonworks.example"
	c.ServedAreas = []servedArea{
		{"central-london", "Central London", []string{"camden", "city-of-london", "islington", "westminster"}},
		{"east-london", "East London", []string{"barking-and-dagenham", "hackney", "newham", "tower-hamlets", "waltham-forest"}},
		{"south-london", "South London", []string{"bromley", "croydon", "kingston-upon-thames", "merton", "richmond-upon-thames", "sutton"}},
	}
	boards := &employerboards.Config{Vendors: map[string]employerboards.Vendor{}}
	for _, v := range vendors {
		boards.Vendors[v] = employerboards.Vendor{BaseURL: baseURL + "/" + v}
	}
	for _, b := range w.boards {
		boards.Boards = append(boards.Boards, employerboards.Board{Vendor: b.vendor, Token: b.token, Employer: w.employers[b.employer].name})
	}
	c.Sources = all.Config{EmployerBoards: boards,
		FindAnApprenticeship: &findanapprenticeship.Config{BaseURL: baseURL + "/faa"},
		DfEApprenticeships: &dfeapprenticeships.Config{BaseURL: baseURL + "/ees", DataSets: []dfeapprenticeships.DataSet{
			{ID: startsID, Metric: dfeapprenticeships.MetricApprenticeships},
			{ID: enrolmentsID, Metric: dfeapprenticeships.MetricFurtherEducation}}},
		ONSGeography: &onsgeography.Config{BaseURL: baseURL + "/ons", Wards: wardPoints}}
	c.Sources.SkillsEngland, c.Sources.OccupationsInDemand, c.Sources.SkillsImperative2035, c.Sources.LabourMarketNews, c.Sources.LocalSkillsPlans =
		w.publications(baseURL + "/files")
	b, err := yaml.MarshalWithOptions(c, yaml.OmitEmpty())
	if err != nil {
		return nil, fmt.Errorf("write the configuration: %w", err)
	}
	return b, nil
}
