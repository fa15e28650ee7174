package sandbox

import (
	"fmt"
	"net/http"

	"github.com/goccy/go-yaml"

	"labour/sources/all"
	"labour/sources/blsprojections"
	"labour/sources/dfeapprenticeships"
	"labour/sources/employerboards"
	"labour/sources/fakepublishers"
	"labour/sources/findanapprenticeship"
	"labour/sources/newsfeeds"
	"labour/sources/onsgeography"
)

// importedBeside is how many adverts of other boards the apprenticeship service
// says that it has beside its own.
const importedBeside = 230

// Publishers are the simulated publishers of a world, each an http.Handler. The
// Faults of the boards and the apprenticeship service make them misbehave.
type Publishers struct {
	Boards *fakepublishers.Boards
	FAA    *fakepublishers.FAA
	EES    *fakepublishers.EES
	ONS    *fakepublishers.ArcGIS
	Files  *fakepublishers.Files // publications, feeds and plans
}

// Publishers makes the simulators.
func (w *World) Publishers() (*Publishers, error) {
	p := &Publishers{ONS: fakepublishers.NewArcGIS(w.geography()), Files: fakepublishers.NewFiles(w.documents())}
	boards, err := w.boardRows()
	if err != nil {
		return nil, fmt.Errorf("simulate the boards: %w", err)
	}
	service, err := w.serviceRows()
	if err != nil {
		return nil, fmt.Errorf("simulate the apprenticeship service: %w", err)
	}
	p.Boards, p.FAA = fakepublishers.NewGreenhouse(boards), fakepublishers.NewFAA(Key, service, importedBeside)
	if p.EES, err = fakepublishers.NewEES(w.statistics()...); err != nil {
		return nil, fmt.Errorf("simulate the education statistics: %w", err)
	}
	return p, nil
}

// Handler gives each publisher its part of the addresses: /greenhouse, /faa, /ees, /ons
// and /files.
func (p *Publishers) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/"+vendor+"/", p.Boards)
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
	Corrections string       `yaml:"corrections"` // file
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
	return w.config(feedDir, baseURL, "")
}

// ConfigWithFaults is Config with what goes wrong with publishers: one more source,
// which was taken down, so that a run goes on without it and the source is stale, and
// the file of Corrections.
func (w *World) ConfigWithFaults(feedDir, baseURL, corrections string) ([]byte, error) {
	return w.config(feedDir, baseURL, corrections, closed(baseURL+"/files"))
}

func (w *World) config(feedDir, baseURL, corrections string, feeds ...newsfeeds.Feed) ([]byte, error) {
	c := configuration{Corrections: corrections}
	c.Platform.Name, c.Platform.Link, c.Platform.Feed = "London Works Sandbox", siteAddress, feedDir
	c.Contact = "sandbox@londonworks.example"
	c.ServedAreas = []servedArea{
		{"central-london", "Central London", []string{"camden", "city-of-london", "islington", "westminster"}},
		{"east-london", "East London", []string{"barking-and-dagenham", "hackney", "newham", "tower-hamlets", "waltham-forest"}},
		{"south-london", "South London", []string{"bromley", "croydon", "kingston-upon-thames", "merton", "richmond-upon-thames", "sutton"}},
	}
	boards := &employerboards.Config{Vendors: map[string]employerboards.Vendor{vendor: {BaseURL: baseURL + "/" + vendor}}}
	for _, b := range w.boards {
		boards.Boards = append(boards.Boards, employerboards.Board{Vendor: vendor, Token: b.token, Employer: w.employers[b.employer].name})
	}
	c.Sources = all.Config{EmployerBoards: boards,
		FindAnApprenticeship: &findanapprenticeship.Config{BaseURL: baseURL + "/faa"},
		DfEApprenticeships: &dfeapprenticeships.Config{BaseURL: baseURL + "/ees", DataSets: []dfeapprenticeships.DataSet{
			{ID: startsID, Metric: dfeapprenticeships.MetricApprenticeships},
			{ID: enrolmentsID, Metric: dfeapprenticeships.MetricFurtherEducation},
			{ID: bootcampsID, Metric: dfeapprenticeships.MetricBootcamps}}},
		BLSProjections: &blsprojections.Config{Projections: &blsprojections.Projections{URL: baseURL + "/files/" + usFile, Published: w.asOf.AddDays(-80).String()}},
		ONSGeography: &onsgeography.Config{BaseURL: baseURL + "/ons", Wards: wardPoints,
			Services: append(onsgeography.DefaultServices(), onsgeography.Service{Service: councilCodes, Changes: onsgeography.Council})}}
	c.Sources.SkillsEngland, c.Sources.OccupationsInDemand, c.Sources.SkillsImperative2035, c.Sources.LabourMarketNews, c.Sources.LocalSkillsPlans =
		w.publications(baseURL + "/files")
	c.Sources.LabourMarketNews.Feeds = append(c.Sources.LabourMarketNews.Feeds, feeds...)
	b, err := yaml.MarshalWithOptions(c, yaml.OmitEmpty())
	if err != nil {
		return nil, fmt.Errorf("write the configuration: %w", err)
	}
	return b, nil
}
