// Package crawltest asks the interface of a running server everything that it can be
// asked about people, as an attacker with keys would. It knows the server by its address
// only and imports no code of the service.
package crawltest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Exchange is one call and everything that came back, but for what changes from
// one call to the next whatever the data: the date, the request's id and the
// counters of calls.
type Exchange struct {
	Path   string // with its query
	Status int
	Header string // sorted lines
	Body   []byte
}

// Client asks one server with several keys in turn. It is for one goroutine.
type Client struct {
	Base  string // such as http://127.0.0.1:8080
	Keys  []string
	Exact bool // numbers from 5 need not be multiples of 5
	Keep  bool // keep the exchanges
	// Exchanges are all calls so far, in order.
	Exchanges []Exchange
	Calls     int
	// Small are people fields with a number that must not be printed.
	Small []string
}

// page is an answer in so far as the crawl reads it.
type page struct {
	Data json.RawMessage `json:"data"`
	Meta struct {
		NextCursor *string `json:"next_cursor"`
	} `json:"meta"`
}

// changing are headers that say nothing of the data.
var changing = []string{"Date", "X-Request-Id", "X-Ratelimit-Remaining", "X-Ratelimit-Reset", "X-Quota-Remaining"}

// ask makes one call. An answer other than 200 is an error.
func (c *Client) ask(ctx context.Context, path string, query url.Values) (page, error) {
	var p page
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Base+path, nil)
	if err != nil {
		return p, err
	}
	r.Header.Set("Authorization", "Bearer "+c.Keys[c.Calls%len(c.Keys)])
	c.Calls++
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return p, fmt.Errorf("ask %s: %w", path, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return p, fmt.Errorf("ask %s: %w", path, err)
	}
	if c.Keep {
		c.Exchanges = append(c.Exchanges, Exchange{path, response.StatusCode, headerLines(response.Header), body})
	}
	if response.StatusCode != http.StatusOK {
		return p, fmt.Errorf("ask %s: status %d: %s", path, response.StatusCode, body)
	}
	var any any
	if err := decode(body, &any); err != nil {
		return p, fmt.Errorf("ask %s: %w", path, err)
	}
	c.findSmall(path, "", any)
	return p, json.Unmarshal(body, &p)
}

func headerLines(h http.Header) string {
	var lines []string
	for name, values := range h {
		if !slices.Contains(changing, name) {
			lines = append(lines, name+": "+strings.Join(values, ", "))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func decode(body []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	return d.Decode(into)
}

// ownFields are the fields that count people of the platform, othersFields those of
// published statistics, which keep their publisher's rounding.
var (
	ownFields    = []string{"people_turned_down", "residents", "seeking_work", "local_people_employed", "apprenticeships_started"}
	othersFields = []string{"value", "previous_value"}
)

// findSmall looks through an answer for counts of people that must not be printed.
func (c *Client) findSmall(path, field string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			c.findSmall(path, name, inner)
		}
	case []any:
		for _, inner := range v {
			c.findSmall(path, field, inner)
		}
	case json.Number:
		n, err := v.Int64()
		own := slices.Contains(ownFields, field)
		small := n != 0 && n < 5 && (own || slices.Contains(othersFields, field))
		if err != nil && own || small || own && !c.Exact && n%5 != 0 {
			c.Small = append(c.Small, path+": "+field+" "+v.String())
		}
	}
}

// walk returns the rows of every page.
func (c *Client) walk(ctx context.Context, path string, query url.Values) ([]map[string]any, error) {
	var rows []map[string]any
	for {
		p, err := c.ask(ctx, path, query)
		if err != nil {
			return nil, err
		}
		var some []map[string]any
		if err := decode(p.Data, &some); err != nil {
			return nil, fmt.Errorf("ask %s: %w", path, err)
		}
		rows = append(rows, some...)
		if p.Meta.NextCursor == nil {
			return rows, nil
		}
		query.Set("cursor", *p.Meta.NextCursor)
	}
}

// object returns an answer that is one object.
func (c *Client) object(ctx context.Context, path string, query url.Values) (map[string]any, error) {
	p, err := c.ask(ctx, path, query)
	if err != nil {
		return nil, err
	}
	var o map[string]any
	return o, decode(p.Data, &o)
}

// token is a JSON value as it was printed.
func token(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case json.Number:
		return v.String()
	case string:
		return v
	}
	return fmt.Sprint(v)
}
