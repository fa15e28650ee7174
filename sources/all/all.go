// Package all lists the sources that this program can read, in order. A source that is not in the
// list is not asked, and one without a block in the configuration neither.
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

// Config is the block `sources` of labour.yaml: one block per source key.
type Config struct {
	EmployerBoards       *employerboards.Config       `yaml:"employer_boards"`            // adverts on employers' own boards
	FindAnApprenticeship *findanapprenticeship.Config `yaml:"find_an_apprenticeship"`     // the national apprenticeship vacancy service
	DfEApprenticeships   *dfeapprenticeships.Config   `yaml:"dfe_apprenticeships"`        // statistics of the Department for Education
	ONSGeography         *onsgeography.Config         `yaml:"ons_geography"`              // the official geography
	ONSOccupations       *onsoccupations.Config       `yaml:"ons_soc2020"`                // the office's names and titles of SOC 2020, which are added to the program's
	SkillsEngland        *skillsprojections.Config    `yaml:"skills_england"`             // what Skills England publishes
	OccupationsInDemand  *skillsprojections.Config    `yaml:"dfe_occupations_in_demand"`  // the occupations in demand
	SkillsImperative2035 *skillsprojections.Config    `yaml:"skills_imperative_2035"`     // the projections of the Skills Imperative 2035
	BLSProjections       *blsprojections.Config       `yaml:"bls_employment_projections"` // projections and series of the U.S. Bureau of Labor Statistics
	LabourMarketNews     *newsfeeds.Config            `yaml:"labour_market_news"`         // feeds of news, RSS or Atom, of which only topics are taken
	LocalSkillsPlans     *skillsplans.Config          `yaml:"local_skills_plans"`         // what local skills improvement plans list as in demand
}

// List makes the configured sources. Their order is the precedence of counting: of two adverts of
// one vacancy, the one whose source comes first is kept. Faults of all blocks are reported at once.
func List(c Config, p platform.Config) ([]sources.Source, error) {
	var list []sources.Source
	var errs []error
	add := func(s sources.Source, err error) {
		if err == nil {
			err = s.Info().Validate()
		}
		if err != nil {
			errs = append(errs, err)
			return
		}
		list = append(list, s)
	}
	addAll := func(all []sources.Source, err error) { // of a block that has several, each with its own terms
		errs = append(errs, err)
		for _, s := range all {
			add(s, nil)
		}
	}
	if p.Feed != "" {
		add(platform.New(p), nil)
	}
	if c.EmployerBoards != nil {
		add(employerboards.New(*c.EmployerBoards))
	}
	if c.FindAnApprenticeship != nil {
		add(findanapprenticeship.New(*c.FindAnApprenticeship))
	}
	c.published(add)
	if c.LabourMarketNews != nil {
		addAll(newsfeeds.New(*c.LabourMarketNews))
	}
	if c.LocalSkillsPlans != nil {
		addAll(skillsplans.New(*c.LocalSkillsPlans))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("configuration of the sources: %w", err)
	}
	return list, nil
}

// published adds the official lists and statistics, which hold no adverts.
func (c Config) published(add func(sources.Source, error)) {
	if c.DfEApprenticeships != nil {
		add(dfeapprenticeships.New(*c.DfEApprenticeships))
	}
	if c.ONSGeography != nil {
		add(onsgeography.New(*c.ONSGeography))
	}
	if c.ONSOccupations != nil {
		add(onsoccupations.New(*c.ONSOccupations))
	}
	if c.SkillsEngland != nil {
		add(skillsprojections.New(skillsprojections.KeySkillsEngland, *c.SkillsEngland))
	}
	if c.OccupationsInDemand != nil {
		add(skillsprojections.New(skillsprojections.KeyOccupationsDemand, *c.OccupationsInDemand))
	}
	if c.SkillsImperative2035 != nil {
		add(skillsprojections.New(skillsprojections.KeySkillsImperative35, *c.SkillsImperative2035))
	}
	if c.BLSProjections != nil {
		add(blsprojections.New(*c.BLSProjections))
	}
}

// Imported describes the sources whose adverts the platform may have imported. They are credited
// for those adverts though they are not configured.
func Imported() []sources.Info {
	return []sources.Info{(*employerboards.Connector)(nil).Info(), (*findanapprenticeship.Connector)(nil).Info()}
}
