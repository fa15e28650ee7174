// Package labourmarket defines Go types for the responses of the labour market data API. It needs
// only the standard library, so you can copy the folder into your program. The command in the folder
// types generates the types of the rows.
package labourmarket

import (
	"encoding/json"
	"strconv"
)

// List is a response with a list of rows, such as List[SkillsUnmetRow, PeopleMeta]. Sources and
// AttributionNotice are only set by endpoints under /v1/labour.
type List[Row, Meta any] struct {
	Data              []Row    `json:"data"`
	Sources           []Source `json:"sources"`
	AttributionNotice string   `json:"attribution_notice"`
	Meta              Meta     `json:"meta"`
}

// Source is one source of the figures in a response, with the attribution statement that you must
// show.
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

// Count is a published number of people. If UnderFive is true, the count is from 1 to 4 and its
// exact value is not given. If UnderFive and None are both false, Number is the count.
type Count struct {
	Number    int64
	UnderFive bool // whether the count is from 1 to 4, "<5" in JSON
	None      bool // whether no figure is published, null in JSON; this does not mean zero
}

// String returns the count as text: a number, "<5" or "null".
func (c Count) String() string {
	switch {
	case c.UnderFive:
		return "<5"
	case c.None:
		return "null"
	}
	return strconv.FormatInt(c.Number, 10)
}

// UnmarshalJSON reads a count from JSON: a number, the string "<5" or null.
func (c *Count) UnmarshalJSON(b []byte) error {
	*c = Count{UnderFive: string(b) == `"<5"`, None: string(b) == "null"}
	if c.UnderFive || c.None {
		return nil
	}
	return json.Unmarshal(b, &c.Number)
}
