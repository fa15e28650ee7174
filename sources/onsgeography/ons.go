// Package onsgeography reads official areas from the Open Geography Portal of the Office for
// National Statistics. It reads lists of nations, regions, councils, wards and other areas, changes
// of their codes, and the boundaries of councils.
//
// The portal is an ArcGIS FeatureServer. The configuration lists which of its services to read,
// because their names change with every edition. DefaultServices returns a working list.
package onsgeography

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"labour/sources"
	"labour/sources/filelist"
)

// Key is the `source_key` of data from the Open Geography Portal.
const Key = "ons_geography"

// DefaultBaseURL is the public address of the Open Geography Portal's API.
const DefaultBaseURL = "https://services1.arcgis.com/ESMARspQHYMw9BZ9/arcgis/rest/services"

// Types of area.
const (
	// KindNation is for England, Wales, Scotland and Northern Ireland.
	KindNation = "nation"
	// KindRegion is for the regions of England, such as London.
	KindRegion = "region"
	// KindCouncil is for the areas of local councils, such as Camden.
	KindCouncil = "council"
	// KindTravelToWorkArea is for areas in which most residents also work.
	KindTravelToWorkArea = "travel_to_work_area"
	// KindLSIP is for the areas of local skills improvement plans.
	KindLSIP = "lsip"
	// KindITL1 is for areas of international territorial level 1, the largest areas.
	KindITL1 = "itl1"
	// KindITL2 is for areas of international territorial level 2.
	KindITL2 = "itl2"
	// KindITL3 is for areas of international territorial level 3, the smallest areas.
	KindITL3 = "itl3"
	// KindWard is for electoral wards. Only the centre of a ward is used.
	KindWard = "ward"
)

// Config is the block `ons_geography` of the configuration file.
type Config struct {
	// address of the services without a slash at the end; empty = DefaultBaseURL
	BaseURL string `yaml:"base_url"`
	// Services are the tables to read, in the order of fetching. A list replaces the whole default
	// list; empty = the built-in list.
	Services []Service `yaml:"services"`
	// WardService names the service with the codes, names and centres of wards, such as
	// "WD_MAY_2025_UK_BGC_V2". If it is empty, no wards are fetched, and the embargoed dataset
	// `reach` has no rows.
	WardService string `yaml:"wards"`
}

// Service configures one table of the portal and what to read from it. The column names follow from
// the type of area. For example, councils in 2025 have LAD25CD and LAD25NM.
type Service struct {
	ServiceName string   `yaml:"service"` // name of the service, such as "LAD_APR_2025_UK_NC_v2"
	Layer       int      `yaml:"layer"`   // number of the layer in the service, usually 0
	AreaKinds   []string `yaml:"areas"`   // kinds of area whose codes and names the table lists
	// kind of area whose outlines the layer has; empty = none
	BoundaryKind string `yaml:"boundaries"`
	// CodeChangeKind is the type of area whose code changes the table lists, in columns such as
	// LAD16CD and LAD17CD. It is empty for other tables.
	CodeChangeKind string `yaml:"changes"`
	// kind of area whose centres the table has (LAT and LONG); only ward
	CentreKind string `yaml:"points"`
	// PageSize is the number of features requested at once; the server may return fewer. 0 = 50 for
	// boundaries and otherwise 1000, which every service of the portal supports.
	PageSize int `yaml:"page_size"`
}

// DefaultServices returns the tables to read if the configuration lists none. They are the tables
// of 2025 and the travel to work areas of 2011. If the portal removes one of them, the last good
// response is used.
func DefaultServices() []Service {
	return []Service{
		{ServiceName: "Countries_December_2025_Boundaries_UK_BUC", AreaKinds: []string{KindNation}},
		{ServiceName: "LAD_APR_2025_UK_NC_v2", AreaKinds: []string{KindCouncil}},
		{ServiceName: "LAD25_RGN25_EN_LU_v2", AreaKinds: []string{KindRegion}},
		{ServiceName: "LAD25_LSIP25_EN_LU", AreaKinds: []string{KindLSIP}},
		{ServiceName: "ITL125_ITL225_ITL325_LAU125_LAD24_UK_LU", AreaKinds: []string{KindITL1, KindITL2, KindITL3}},
		{ServiceName: "Travel_to_Work_Areas_Dec_2011_GCB_in_United_Kingdom_2022", AreaKinds: []string{KindTravelToWorkArea}},
		{ServiceName: "LAD_MAY_2025_UK_BGC_V2", BoundaryKind: KindCouncil},
	}
}

// Source reads the configured services of the Open Geography Portal. It implements sources.Source.
type Source struct {
	cfg   Config
	usual bool // whether the services are the default ones
}

var servicePattern = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z_()-]{0,150}$`)

// New checks the configuration and returns the source. The error lists all mistakes.
func New(cfg Config) (*Source, error) {
	base, err := sources.BaseURL(cfg.BaseURL, DefaultBaseURL)
	cfg.BaseURL = base
	usual := len(cfg.Services) == 0
	if usual {
		cfg.Services = DefaultServices()
	}
	cfg.Services = slices.Clone(cfg.Services)
	if cfg.WardService != "" {
		cfg.Services = append(cfg.Services, Service{ServiceName: cfg.WardService, CentreKind: KindWard})
	}
	err = errors.Join(err, filelist.CheckEntries("services", cfg.Services, Service.name, (*Service).complete))
	if err != nil {
		return nil, fmt.Errorf("configure %s: %w", Key, err)
	}
	return &Source{cfg: cfg, usual: usual}, nil
}

func (v Service) name() string { return v.ServiceName }

// complete sets the defaults of a service's configuration and then checks it.
func (v *Service) complete() error {
	if v.PageSize == 0 {
		v.PageSize = 1000
		if v.BoundaryKind != "" {
			v.PageSize = 50
		}
	}
	var errs sources.ConfigErrors
	errs.Require(servicePattern.MatchString(v.ServiceName), "service %q is not a name of a service", v.ServiceName)
	errs.Require(v.Layer >= 0, "layer %d is negative", v.Layer)
	errs.Require(v.PageSize > 0, "page_size %d is not positive", v.PageSize)
	errs.Require(len(v.AreaKinds) > 0 || v.BoundaryKind+v.CodeChangeKind+v.CentreKind != "",
		"%s: nothing is taken from it; set areas, boundaries, changes or points", v.ServiceName)
	errs.Require(v.CentreKind == "" || v.CentreKind == KindWard, "%s: points %q: only those of wards are taken",
		v.ServiceName,
		v.CentreKind)
	for _, k := range v.kinds() {
		_, ok := codes.Kinds[k]
		errs.Require(ok, "%s: kind %q must be one of %s", v.ServiceName, k,
			strings.Join(slices.Sorted(maps.Keys(codes.Kinds)),
				", "))
	}
	return errors.Join(errs...)
}

// kinds returns the types of area for which the table must have columns, without duplicates.
func (v Service) kinds() []string {
	all := append(slices.Clone(v.AreaKinds), v.BoundaryKind, v.CodeChangeKind, v.CentreKind)
	if v.CentreKind != "" {
		all = append(all, KindCouncil)
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(k string) bool { return k == "" })
}

// Info describes the source: its key, publisher, licence and terms.
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
		Terms:       sources.Terms{MayFetch: true, MayCount: true, MayRepublish: true, MaySummarise: true},
		IsReference: true,
	}
}
