// Package all lists the sources that this program can read, in order. A source
// that is not in the list is not asked, and one without a block in the
// configuration neither.
package all

import (
	"errors"
	"fmt"

	"labour/sources"
	"labour/sources/dfeapprenticeships"
	"labour/sources/employerboards"
	"labour/sources/findanapprenticeship"
	"labour/sources/onsgeography"
	"labour/sources/platform"
)

// Config is the block `sources` of labour.yaml: one block per source key.
type Config struct {
	EmployerBoards       *employerboards.Config       `yaml:"employer_boards"`
	FindAnApprenticeship *findanapprenticeship.Config `yaml:"find_an_apprenticeship"`
	DfEApprenticeships   *dfeapprenticeships.Config   `yaml:"dfe_apprenticeships"`
	ONSGeography         *onsgeography.Config         `yaml:"ons_geography"`
}

// Platform is the platform whose feed is read; without a Feed there is none.
type Platform struct{ Name, Link, Feed string }

// List makes the configured sources. Their order is the precedence of counting:
// of two adverts of one vacancy, the one whose source comes first is kept.
// Faults of all blocks are reported at once.
func List(c Config, p Platform) ([]sources.Source, error) {
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
	if p.Feed != "" {
		add(platform.New(platform.Config{Feed: p.Feed, PlatformName: p.Name, Link: p.Link}), nil)
	}
	if c.EmployerBoards != nil {
		add(made(employerboards.New(*c.EmployerBoards)))
	}
	if c.FindAnApprenticeship != nil {
		add(made(findanapprenticeship.New(*c.FindAnApprenticeship)))
	}
	if c.DfEApprenticeships != nil {
		add(made(dfeapprenticeships.New(*c.DfEApprenticeships)))
	}
	if c.ONSGeography != nil {
		add(made(onsgeography.New(*c.ONSGeography)))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("configuration of the sources: %w", err)
	}
	return list, nil
}

// made turns a connector's own type into the interface, keeping a nil out of it.
func made[S sources.Source](s S, err error) (sources.Source, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}
