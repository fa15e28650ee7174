package employerboards

import (
	"encoding/json"
	"net/url"
	"strings"

	"labour/sources"
	"labour/sources/jsonrows"
)

// vendor is one applicant-tracking system: how its lists are asked for, and how
// one body and one row are read.
type vendor interface {
	// request names and addresses page n of a board's list, counted from 0.
	request(token string, n int) sources.Request
	// walk splits a body into rows, calls each for every one, and says what the
	// publisher says of the list. Its errors have a sources.FaultCode.
	walk(body []byte, each func(i int, row []byte) error) (listing, error)
	// advert reads one row. The ID is the vendor's; Source, Origin, Employer, Kind
	// and the rest of the ID are the caller's to fill in, as is tidying. A row that
	// cannot be used is an error with a sources.FaultCode; the ID is set if it was read.
	advert(token string, row []byte) (sources.Advert, error)
}

// detailer is a vendor whose lists lack the text: each advert is asked for by itself.
type detailer interface {
	// detail names and addresses the object of one row.
	detail(token string, row []byte) (sources.Request, error)
	// read reads such an object: the vendor's ID, and the fields that the list lacks.
	read(body []byte) (sources.Advert, error)
}

// listing is what a body says of the list that it is a page of.
type listing struct {
	rows  int    // rows in this body
	total int    // rows in the whole list by the publisher's word; -1 = not said
	more  bool   // there should be a further page
	query string // query of the further page's address, when the publisher gives it
}

// walkJSON walks the list under key in a JSON body, or a bare list without key,
// and gives the body's other members.
func walkJSON(body []byte, key string, each func(int, []byte) error) (listing, map[string]json.RawMessage, error) {
	l := listing{total: -1}
	others, err := jsonrows.Walk(body, key, func(i int, row []byte) error {
		l.rows++
		return each(i, row)
	})
	return l, others, err
}

// tokenMark is what a board's token is written for in an address.
const tokenMark = "{token}"

// kind is a vendor before its address is known.
type kind struct {
	key    string
	base   string // public address
	hosted bool   // each employer has a host of its own
	make   func(base string) vendor
}

// The public addresses of Personio's career sites.
const (
	personioDE  = "https://{token}.jobs.personio.de"
	personioCOM = "https://{token}.jobs.personio.com"
)

// kinds are the known vendors, in order.
func kinds() []kind {
	return []kind{
		{"greenhouse", "https://boards-api.greenhouse.io", false, func(base string) vendor { return greenhouse{base} }},
		{"lever", "https://api.lever.co", false, func(base string) vendor { return lever{"lever", base} }},
		{"lever_eu", "https://api.eu.lever.co", false, func(base string) vendor { return lever{"lever_eu", base} }},
		{"ashby", "https://api.ashbyhq.com", false, func(base string) vendor { return ashby{base} }},
		{"workable", "https://apply.workable.com", false, func(base string) vendor { return workable{base} }},
		{"smartrecruiters", "https://api.smartrecruiters.com", false, func(base string) vendor { return smartRecruiters{base} }},
		{"recruitee", "https://{token}.recruitee.com", true, func(base string) vendor { return recruitee{base} }},
		{"teamtailor", "https://{token}.teamtailor.com", true, func(base string) vendor { return teamtailor{base} }},
		{"personio", personioDE, true, func(base string) vendor { return personio{"personio", base, personioDE} }},
		{"personio_com", personioCOM, true, func(base string) vendor { return personio{"personio_com", base, personioCOM} }},
	}
}

func find(kinds []kind, key string) (kind, bool) {
	for _, k := range kinds {
		if k.key == key {
			return k, true
		}
	}
	return kind{}, false
}

// address is base with the token put in, and path after it, in both of which {token} is the token.
func address(base, path, token string) string {
	escaped := url.PathEscape(token)
	return strings.ReplaceAll(strings.TrimSuffix(base, "/")+path, tokenMark, escaped)
}
