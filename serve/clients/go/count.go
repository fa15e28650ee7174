// Package labourmarket defines Go types for the responses of the labour market data API. It needs
// only the standard library, so you can copy the folder into your program. The command in the folder
// types generates the types of the rows.
package labourmarket

import (
	"encoding/json"
	"strconv"
)

// List is an API response that contains a list, such as List[SkillsUnmetRow, PeopleMeta]. Only
// endpoints under /v1/labour set Sources and AttributionNotice.
type List[Row, Meta any] struct {
	Data              []Row    `json:"data"`
	Sources           []Source `json:"sources"`
	AttributionNotice string   `json:"attribution_notice"`
	Meta              Meta     `json:"meta"`
}

// Source is a data source of the figures in a response. If you show the figures, you must show its
// attribution statement.
type Source struct {
	AttributionStatement string `json:"attribution_statement"`
	Key                  string `json:"key"`
	Licence              string `json:"licence"`
	Link                 string `json:"link"`
	Publisher            string `json:"publisher"`
}

// Object is an API response that contains one object and no list, such as Object[S106,
// ResidentsMeta].
type Object[Data, Meta any] struct {
	Data Data `json:"data"`
	Meta Meta `json:"meta"`
}

// Count is a published number of people. If UnderFive is true, the count is from 1 to 4; the exact
// value is not published. If None is true, nothing is published. Otherwise Number is the count.
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

// UnmarshalJSON reads a count from JSON. The JSON value is a number, the string "<5" or null.
func (c *Count) UnmarshalJSON(b []byte) error {
	*c = Count{UnderFive: string(b) == `"<5"`, None: string(b) == "null"}
	if c.UnderFive || c.None {
		return nil
	}
	return json.Unmarshal(b, &c.Number)
}
