// Package labourmarket has the Go types of the API's responses. It needs only the standard library:
// copy the folder into your program, and generate the types of the rows with the command in the
// folder types.
package labourmarket

import (
	"encoding/json"
	"strconv"
)

// List is a response with rows, such as List[SkillsUnmetRow, PeopleMeta]. Lists outside the labour
// endpoints have no Sources and no AttributionNotice.
type List[Row, Meta any] struct {
	Data              []Row    `json:"data"`
	Sources           []Source `json:"sources"`
	AttributionNotice string   `json:"attribution_notice"`
	Meta              Meta     `json:"meta"`
}

// Source is a source of a response, with the statement to show with its figures.
type Source struct {
	AttributionStatement string `json:"attribution_statement"`
	Key                  string `json:"key"`
	Licence              string `json:"licence"`
	Link                 string `json:"link"`
	Publisher            string `json:"publisher"`
}

// Object is a response with one object, such as Object[S106, ResidentsMeta].
type Object[Data, Meta any] struct {
	Data Data `json:"data"`
	Meta Meta `json:"meta"`
}

// Count is a count of people. At most one of UnderFive and None is set; if neither is, Number is
// the count.
type Count struct {
	Number    int64
	UnderFive bool // from 1 to 4: "<5"
	None      bool // no figure, which is not zero: null
}

// String returns a count as the API writes it: a number, <5 or null.
func (c Count) String() string {
	switch {
	case c.UnderFive:
		return "<5"
	case c.None:
		return "null"
	}
	return strconv.FormatInt(c.Number, 10)
}

// UnmarshalJSON reads a number, "<5" or null.
func (c *Count) UnmarshalJSON(b []byte) error {
	*c = Count{UnderFive: string(b) == `"<5"`, None: string(b) == "null"}
	if c.UnderFive || c.None {
		return nil
	}
	return json.Unmarshal(b, &c.Number)
}
