package employerboards

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"labour/sources"
)

// Config lists the employers' boards to fetch. It can also replace the addresses of the vendors of
// applicant-tracking systems, such as Greenhouse.
type Config struct {
	// Vendors replaces the public address of vendors, for a mirror or a test server. Keys are
	// vendor names, such as greenhouse.
	Vendors map[string]Vendor `yaml:"vendors"`
	// Boards are the employers' boards that may be read, in the order of fetching. No other board
	// is fetched or read.
	Boards []Board `yaml:"boards"`
}

// Vendor configures the address of a vendor of applicant-tracking systems, such as Greenhouse.
type Vendor struct {
	// BaseURL replaces the vendor's public address. The text "{token}" is replaced by the board's
	// token. Vendors with one host name per employer need it.
	BaseURL string `yaml:"base_url"`
}

// Board configures one employer's board at a vendor of applicant-tracking systems.
type Board struct {
	// Vendor is the applicant-tracking vendor: greenhouse, lever, lever_eu, ashby, workable,
	// smartrecruiters, recruitee, teamtailor, personio or personio_com.
	Vendor string `yaml:"vendor"`
	// name of the board at the vendor: a token, site, slug or account
	Token    string `yaml:"token"`
	Employer string `yaml:"employer"` // employer's name, which all adverts of the board get
	// Retired means that the employer no longer uses this board: it is not fetched, but earlier
	// fetches can still be read.
	Retired bool `yaml:"retired"`
}

// name returns the vendor's name, a slash and the board's name, such as "ashby/acme". The names of
// the board's archived objects and the ids of its adverts begin with it.
func (b Board) name() string { return b.Vendor + "/" + b.Token }

// check returns the first mistake in the board's configuration, or nil.
func (b Board) check() error {
	v, ok := find(b.Vendor)
	if !ok {
		return unknownVendorError(b.Vendor)
	}
	if strings.TrimSpace(b.Employer) == "" {
		return errors.New("the employer's name is missing")
	}
	switch {
	case b.Token == "", b.Token == ".", b.Token == "..", b.Token != strings.TrimSpace(b.Token):
		return errors.New("the token is missing or has spaces around it")
	case strings.ContainsFunc(b.Token,
		func(r rune) bool { return unicode.IsControl(r) || strings.ContainsRune(`/\?#%`, r) }):
		return errors.New(`the token may not hold / \ ? # % or control characters`)
	case v.hasOwnHosts() && !hostPart.MatchString(b.Token):
		return errors.New("the token is part of a host name: letters a-z, digits and hyphens")
	}
	return nil
}

var hostPart = regexp.MustCompile(`^[A-Za-z0-9-]+$`)

// check returns an error that lists all mistakes in the configuration, or nil.
func (c Config) check() error {
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(c.Vendors)) {
		base := c.Vendors[key].BaseURL
		if v, ok := find(key); !ok {
			errs = append(errs, fmt.Errorf("vendors: %w", unknownVendorError(key)))
		} else if err := checkBase(base, v.hasOwnHosts()); base != "" && err != nil {
			errs = append(errs, fmt.Errorf("vendors: %s: %w", key, err))
		}
	}
	if len(c.Boards) == 0 {
		errs = append(errs,
			errors.New("boards: the register is empty; name at least one board or leave the source out"))
	}
	seen := map[string]int{}
	for i, b := range c.Boards {
		if err := b.check(); err != nil {
			errs = append(errs, fmt.Errorf("boards: entry %d (%s): %w", i+1, b.name(), err))
		}
		key := strings.ToLower(b.name()) // vendors treat Acme and acme as the same
		if first, ok := seen[key]; ok {
			errs = append(errs, fmt.Errorf("boards: entry %d (%s) repeats entry %d", i+1, b.name(), first))
		}
		seen[key] = i + 1
	}
	return errors.Join(errs...)
}

func checkBase(base string, hosted bool) error {
	if !sources.IsWebAddress(strings.ReplaceAll(base, tokenMark, "x")) {
		return fmt.Errorf("base_url %q is not an http(s) address", base)
	}
	if hosted && !strings.Contains(base, tokenMark) {
		return fmt.Errorf("base_url %q must hold %s, for the vendor gives each employer an address of its own", base,
			tokenMark)
	}
	return nil
}

// unknownVendorError returns the error for an unknown vendor name. Its message lists the known
// names.
func unknownVendorError(key string) error {
	var all []string
	for _, v := range vendors() {
		all = append(all, v.Key)
	}
	return fmt.Errorf("unknown vendor %q; known vendors are %s", key, strings.Join(all, ", "))
}
