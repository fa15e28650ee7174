// Package employerboards reads employers' own applicant-tracking boards.
//
// Each employer has a board of its own with a vendor of such systems, and the
// vendors publish the boards for programs. "Adverts are counted only from roles
// posted on the platform itself, from employers' own applicant-tracking boards,
// and from a national apprenticeship vacancy service": an explicit register
// says which boards those are, and no other board is ever asked.
//
// The text of an advert is the employer's. It is read to recognise skills and
// goes no further than the pipeline; names, e-mail addresses and telephone
// numbers of recruiters are dropped.
package employerboards

import (
	"fmt"

	"labour/sources"
)

// Key is the source key.
const Key = "employer_boards"

// Connector is the source of the boards of one register.
type Connector struct {
	boards  []Board
	vendors map[string]vendor
}

// New makes the source. The error names everything that is wrong with the
// configuration: unknown vendors, boards without employer, boards given twice.
func New(c Config) (*Connector, error) {
	known := kinds()
	if err := c.check(known); err != nil {
		return nil, fmt.Errorf("%s: %w", Key, err)
	}
	s := &Connector{boards: append([]Board(nil), c.Boards...), vendors: map[string]vendor{}}
	for _, k := range known {
		base := k.base
		if v := c.Vendors[k.key]; v.BaseURL != "" {
			base = v.BaseURL
		}
		s.vendors[k.key] = k.make(k.key, base)
	}
	return s, nil
}

// Info describes the source. The boards carry no open licence: what is counted
// may be passed on, what is written may not.
func (s *Connector) Info() sources.Info {
	return sources.Info{
		Key:       Key,
		Publisher: "Employers, on their own applicant-tracking boards",
		Title:     "Vacancies on employers' own applicant-tracking boards",
		Kind:      sources.KindEmployerBoards,
		Licence:   "Employers' own public postings; counts and recognised skills only, advert text is not republished",
		Link:      "https://developers.greenhouse.io/job-board.html",
		Statement: sources.StatementOwn,
		Cadence:   sources.Daily,
		Terms:     sources.Terms{Fetch: true, Count: true},
		Listing:   true,
		Adverts:   true,
	}
}
