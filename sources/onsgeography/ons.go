// Package onsgeography reads official areas from the Open Geography Portal of the Office for
// National Statistics. It reads the lists of nations, regions, councils, wards and other areas, how
// areas contain each other, and the outlines of councils.
//
// The portal is an ArcGIS FeatureServer. The configuration lists which of its services to read,
// because their names change with every edition. DefaultServices returns a working list.
package onsgeography

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"labour/sources"
	"labour/sources/filelist"
)

// Key is the source key of the official geography.
const Key = "ons_geography"

// DefaultBaseURL is the public address of the Open Geography Portal's services.
const DefaultBaseURL = "https://services1.arcgis.com/ESMARspQHYMw9BZ9/arcgis/rest/services"

// The kinds of area, such as council or region. LSIP is a local skills improvement plan area, and
// ITL an international territorial level.
const (
	KindNation           = "nation"
	KindRegion           = "region"
	KindCouncil          = "council"
	KindTravelToWorkArea = "travel_to_work_area"
	KindLSIP             = "lsip"
	KindITL1             = "itl1"
	KindITL2             = "itl2"
	KindITL3             = "itl3"
	KindWard             = "ward" // electoral ward; only its centre is used
)

// Config is the block `ons_geography` of the configuration.
type Config struct {
	BaseURL string `yaml:"base_url"` // the address of the services without a slash at the end; empty is DefaultBaseURL
	// Services are fetched in this order; empty is the built-in list. A list here replaces the whole
	// default list.
	Services []Service `yaml:"services"`
	// Wards is the layer with the codes, names and centres of wards, in addition to the services:
	// "WD_MAY_2025_UK_BGC_V2". If it is empty, no wards are fetched, and the embargoed dataset
	// reach has no rows.
	Wards string `yaml:"wards"`
}

// Service configures one table of the portal and the kinds of record to read from it. The columns
// follow from the kind, for example LAD25CD and LAD25NM for councils in 2025.
type Service struct {
	Service    string   `yaml:"service"`    // its name in the portal: "LAD_APR_2025_UK_NC_v2"
	Layer      int      `yaml:"layer"`      // number of the layer in the service, 0 for nearly all
	Areas      []string `yaml:"areas"`      // the kinds of area whose codes and names it lists
	Boundaries string   `yaml:"boundaries"` // the kind of area whose outlines it has; empty for a table
	// Changes is the kind of area for which the table has codes of several years, in columns such
	// as LAD16CD and LAD17CD; empty if it is not a table of changes.
	Changes string `yaml:"changes"`
	Points  string `yaml:"points"` // the kind of area whose centres it has, as LAT and LONG; only ward
	// PageSize is the number of features requested at once; the server may return fewer. 0 is 1000,
	// which every service of the portal supports, and 50 for boundaries.
	PageSize int `yaml:"page_size"`
}

// DefaultServices returns the services to read if the configuration lists none: the lists of 2025,
// and the travel to work areas of 2011. With these services the built-in list of code changes is
// used. If the portal no longer knows a name, the last good response is used.
func DefaultServices() []Service {
	return []Service{
		{Service: "Countries_December_2025_Boundaries_UK_BUC", Areas: []string{KindNation}},
		{Service: "LAD_APR_2025_UK_NC_v2", Areas: []string{KindCouncil}},
		{Service: "LAD25_RGN25_EN_LU_v2", Areas: []string{KindRegion}},
		{Service: "LAD25_LSIP25_EN_LU", Areas: []string{KindLSIP}},
		{Service: "ITL125_ITL225_ITL325_LAU125_LAD24_UK_LU", Areas: []string{KindITL1, KindITL2, KindITL3}},
		{Service: "Travel_to_Work_Areas_Dec_2011_GCB_in_United_Kingdom_2022", Areas: []string{KindTravelToWorkArea}},
		{Service: "LAD_MAY_2025_UK_BGC_V2", Boundaries: KindCouncil},
	}
}

// Source reads the configured services of the portal. It implements sources.Source.
type Source struct {
	cfg   Config
	usual bool // the services are the default ones
}

var servicePattern = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z_()-]{0,150}$`)

// New validates the configuration and returns the source. The error lists all mistakes in the
// configuration.
func New(cfg Config) (*Source, error) {
	cfg.BaseURL = cmp.Or(strings.TrimRight(cfg.BaseURL, "/"), DefaultBaseURL)
	usual := len(cfg.Services) == 0
	if usual {
		cfg.Services = DefaultServices()
	}
	cfg.Services = slices.Clone(cfg.Services)
	if cfg.Wards != "" {
		cfg.Services = append(cfg.Services, Service{Service: cfg.Wards, Points: KindWard})
	}
	if err := filelist.CheckEntries("services", cfg.Services, Service.name, (*Service).complete); err != nil {
		return nil, fmt.Errorf("configure %s: %w", Key, err)
	}
	return &Source{cfg: cfg, usual: usual}, nil
}

func (v Service) name() string { return v.Service }

// complete sets the defaults and checks the values.
func (v *Service) complete() error {
	if v.PageSize == 0 {
		v.PageSize = 1000
		if v.Boundaries != "" {
			v.PageSize = 50
		}
	}
	var errs sources.ConfigErrors
	errs.Require(servicePattern.MatchString(v.Service), "service %q is not a name of a service", v.Service)
	errs.Require(v.Layer >= 0, "layer %d is negative", v.Layer)
	errs.Require(v.PageSize > 0, "page_size %d is not positive", v.PageSize)
	errs.Require(len(v.Areas) > 0 || v.Boundaries+v.Changes+v.Points != "",
		"%s: nothing is taken from it; set areas, boundaries, changes or points", v.Service)
	errs.Require(v.Points == "" || v.Points == KindWard, "%s: points %q: only those of wards are taken", v.Service,
		v.Points)
	for _, k := range v.kinds() {
		_, ok := codes.Kinds[k]
		errs.Require(ok, "%s: kind %q must be one of %s", v.Service, k, strings.Join(slices.Sorted(maps.Keys(codes.Kinds)),
			", "))
	}
	return errors.Join(errs...)
}

// kinds returns the kinds of area whose columns the service must have, each once.
func (v Service) kinds() []string {
	all := append(slices.Clone(v.Areas), v.Boundaries, v.Changes, v.Points)
	if v.Points != "" {
		all = append(all, KindCouncil)
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(k string) bool { return k == "" })
}

// Info describes the source.
func (s *Source) Info() sources.Info {
	return sources.Info{
		Key:         Key,
		Publisher:   "Office for National Statistics",
		Title:       "Open Geography Portal: codes, names and boundaries of areas",
		Kind:        sources.KindGeography,
		Licence:     "Open Government Licence v3.0",
		Link:        "https://geoportal.statistics.gov.uk/",
		Statement:   sources.StatementONS,
		Cadence:     sources.Annual,
		Terms:       sources.Terms{Fetch: true, Count: true, Republish: true, Summarise: true},
		IsReference: true,
	}
}
