// Package all creates the data sources that the configuration file labour.yaml lists. It knows
// every source that this program can read.
package all

import (
	"errors"
	"fmt"

	"labour/sources"
	"labour/sources/blsprojections"
	"labour/sources/dfeapprenticeships"
	"labour/sources/employerboards"
	"labour/sources/findanapprenticeship"
	"labour/sources/newsfeeds"
	"labour/sources/onsgeography"
	"labour/sources/onsoccupations"
	"labour/sources/platform"
	"labour/sources/skillsplans"
	"labour/sources/skillsprojections"
)

// Config is the block `sources` of the configuration file labour.yaml. Each field configures one
// source. A source whose field is nil is not used.
type Config struct {
	// adverts on employers' own applicant-tracking boards
	EmployerBoards *employerboards.Config `yaml:"employer_boards"`
	// adverts of the national apprenticeship vacancy service
	FindAnApprenticeship *findanapprenticeship.Config `yaml:"find_an_apprenticeship"`
	// statistics of apprenticeships and courses by the Department for Education
	DfEApprenticeships *dfeapprenticeships.Config `yaml:"dfe_apprenticeships"`
	// official areas and boundaries
	ONSGeography *onsgeography.Config `yaml:"ons_geography"`
	// official names and job titles of SOC 2020, in addition to the built-in ones
	ONSOccupations *onsoccupations.Config `yaml:"ons_soc2020"`
	// publications of Skills England on occupations
	SkillsEngland *skillsprojections.Config `yaml:"skills_england"`
	// list of occupations in demand by the Department for Education
	OccupationsInDemand *skillsprojections.Config `yaml:"dfe_occupations_in_demand"`
	// occupational projections of the study Skills Imperative 2035
	SkillsImperative2035 *skillsprojections.Config `yaml:"skills_imperative_2035"`
	// projections and time series of the U.S. Bureau of Labor Statistics
	BLSProjections *blsprojections.Config `yaml:"bls_employment_projections"`
	// RSS or Atom news feeds; only their topics are used
	LabourMarketNews *newsfeeds.Config `yaml:"labour_market_news"`
	// skills, occupations and sectors in demand according to local skills improvement plans
	LocalSkillsPlans *skillsplans.Config `yaml:"local_skills_plans"`
}

// ConfiguredSources returns the configured sources in order of precedence. If two sources have an
// advert for the same vacancy, the advert of the earlier source is used. p configures the platform,
// and c all other sources. The error lists all configuration mistakes.
func ConfiguredSources(c Config, p platform.Config) ([]sources.Source, error) {
	var l list
	if p.FeedAddress != "" {
		l.add(platform.New(p), nil)
	}
	projections := func(key string) func(skillsprojections.Config) (sources.Source, error) {
		return func(c skillsprojections.Config) (sources.Source, error) { return skillsprojections.New(key, c) }
	}
	addSource(&l, c.EmployerBoards, employerboards.New)
	addSource(&l, c.FindAnApprenticeship, findanapprenticeship.New)
	addSource(&l, c.DfEApprenticeships, dfeapprenticeships.New)
	addSource(&l, c.ONSGeography, onsgeography.New)
	addSource(&l, c.ONSOccupations, onsoccupations.New)
	addSource(&l, c.SkillsEngland, projections(skillsprojections.KeySkillsEngland))
	addSource(&l, c.OccupationsInDemand, projections(skillsprojections.KeyOccupationsInDemand))
	addSource(&l, c.SkillsImperative2035, projections(skillsprojections.KeySkillsImperative2035))
	addSource(&l, c.BLSProjections, blsprojections.New)
	addSources(&l, c.LabourMarketNews, newsfeeds.New)
	addSources(&l, c.LocalSkillsPlans, skillsplans.New)
	if err := errors.Join(l.errs...); err != nil {
		return nil, fmt.Errorf("configuration of the sources: %w", err)
	}
	return l.sources, nil
}

// list collects the configured sources and their configuration errors.
type list struct {
	sources []sources.Source
	errs    []error
}

func (l *list) add(s sources.Source, err error) {
	if err == nil {
		err = s.Info().Validate()
	}
	if err != nil {
		l.errs = append(l.errs, err)
		return
	}
	l.sources = append(l.sources, s)
}

// addSource adds the source of a configuration block to l, or nothing if block is nil. connect makes
// the source from the block.
func addSource[C any, S sources.Source](l *list, block *C, connect func(C) (S, error)) {
	if block != nil {
		l.add(connect(*block))
	}
}

// addSources adds every source of a configuration block to l, for example one per news feed, or
// nothing if block is nil. connect makes the sources from the block.
func addSources[C any](l *list, block *C, connect func(C) ([]sources.Source, error)) {
	if block == nil {
		return
	}
	all, err := connect(*block)
	l.errs = append(l.errs, err)
	for _, s := range all {
		l.add(s, nil)
	}
}

// ImportableSources describes the sources from which the platform may have copied adverts. Copied
// adverts are credited to these sources, even if the configuration does not list the sources.
func ImportableSources() []sources.Info {
	return []sources.Info{(*employerboards.BoardsSource)(nil).Info(), (*findanapprenticeship.VacancySource)(nil).Info()}
}
