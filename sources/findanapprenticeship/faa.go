// Package findanapprenticeship reads the national apprenticeship vacancy service
// of England, through the Display Advert API of the Department for Education.
//
// The service itself is one of the three places whose adverts are counted. It can add adverts of
// other boards (NHS Jobs, Civil Service Jobs) on request; they are not asked for, and an advert
// that looks imported all the same is marked as a job board's, for "listings from job boards and
// aggregators, and listings imported from them, are excluded".
package findanapprenticeship

import (
	"errors"
	"fmt"
	"strings"

	"labour/sources"
)

// Key is the source key.
const Key = "find_an_apprenticeship"

// The values of Config that are left out.
const (
	DefaultBaseURL = "https://api.apprenticeships.education.gov.uk/vacancies"
	DefaultKeyEnv  = "FAA_API_KEY"
)

// Config says where the service is and which secret holds the key.
type Config struct {
	// BaseURL stands in the place of DefaultBaseURL.
	BaseURL string `yaml:"base_url"`
	// KeyEnv names the environment variable or file with the subscription key; "" is DefaultKeyEnv.
	// Keys are free and given at once at developer.apprenticeships.education.gov.uk.
	KeyEnv string `yaml:"key_env"`
}

// Connector is the source.
type Connector struct{ base, keyEnv string }

// New makes the source. The error says that base_url is no http(s) address.
func New(c Config) (*Connector, error) {
	s := &Connector{base: DefaultBaseURL, keyEnv: DefaultKeyEnv}
	if c.BaseURL != "" {
		s.base = strings.TrimSuffix(c.BaseURL, "/")
	}
	if c.KeyEnv != "" {
		s.keyEnv = c.KeyEnv
	}
	if !sources.IsWeb(s.base) {
		return nil, fmt.Errorf("%s: %w", Key, errors.New("base_url is not an http(s) address"))
	}
	return s, nil
}

// Info describes the source.
func (s *Connector) Info() sources.Info {
	return sources.Info{
		Key:       Key,
		Publisher: "Department for Education",
		Title:     "Find an apprenticeship: live apprenticeship vacancies in England",
		Kind:      sources.KindApprenticeships,
		Licence:   "Open Government Licence v3.0",
		Link:      "https://www.findapprenticeship.service.gov.uk/",
		Statement: sources.StatementOGL,
		Cadence:   sources.Daily,
		Terms:     sources.Terms{Fetch: true, Count: true, Republish: true, Summarise: true},
		Listing:   true,
		Adverts:   true,
	}
}
