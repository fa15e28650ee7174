package main

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

// exchange is one call and everything that came back, but for what changes from
// one call to the next whatever the data: the date, the request's id and the
// counters of calls.
type exchange struct {
	Path   string // with its query
	Status int
	Header string // sorted lines
	Body   []byte
}

// crawler asks the interface of a server everything that it can be asked about people, as
// an attacker would who has several keys. It is for one goroutine, and uses no code of the
// service.
type crawler struct {
	Base  string // such as http://127.0.0.1:8080
	Keys  []string
	Exact bool // numbers from 5 need not be multiples of 5
	Keep  bool // keep the exchanges
	// exchanges are all calls so far, in order.
	exchanges []exchange
	Calls     int
	// Small are people fields with a number that must not be printed.
	Small []string
}

// crawlPage is an answer in so far as the crawl reads it.
type crawlPage struct {
	Data json.RawMessage `json:"data"`
	Meta struct {
		NextCursor *string `json:"next_cursor"`
	} `json:"meta"`
}

// changingHeaders are headers that say nothing of the data.
var changingHeaders = []string{"Date", "X-Request-Id", "X-Ratelimit-Remaining", "X-Ratelimit-Reset",
	"X-Quota-Remaining"}

// ask makes one call. An answer other than 200 is an error.
func (c *crawler) ask(ctx context.Context, path string, query url.Values) (crawlPage, error) {
	var p crawlPage
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
		c.exchanges = append(c.exchanges, exchange{path, response.StatusCode, headerLines(response.Header), body})
	}
	if response.StatusCode != http.StatusOK {
		return p, fmt.Errorf("ask %s: status %d: %s", path, response.StatusCode, body)
	}
	var any any
	if err := decodeNumbers(body, &any); err != nil {
		return p, fmt.Errorf("ask %s: %w", path, err)
	}
	c.findSmall(path, "", any)
	return p, json.Unmarshal(body, &p)
}

func headerLines(h http.Header) string {
	var lines []string
	for name, values := range h {
		if !slices.Contains(changingHeaders, name) {
			lines = append(lines, name+": "+strings.Join(values, ", "))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func decodeNumbers(body []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	return d.Decode(into)
}

// ownFields are the fields that count people of the platform, othersFields those of
// published statistics, which keep their publisher's rounding.
var (
	ownFields = []string{"people_turned_down", "residents", "seeking_work", "local_people_employed",
		"apprenticeships_started", "jobs_created"}
	othersFields = []string{"value", "previous_value"}
)

// findSmall looks through an answer for counts of people that must not be printed.
func (c *crawler) findSmall(path, field string, v any) {
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
func (c *crawler) walk(ctx context.Context, path string, query url.Values) ([]map[string]any, error) {
	var rows []map[string]any
	for {
		p, err := c.ask(ctx, path, query)
		if err != nil {
			return nil, err
		}
		var some []map[string]any
		if err := decodeNumbers(p.Data, &some); err != nil {
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
func (c *crawler) object(ctx context.Context, path string, query url.Values) (map[string]any, error) {
	p, err := c.ask(ctx, path, query)
	if err != nil {
		return nil, err
	}
	var o map[string]any
	return o, decodeNumbers(p.Data, &o)
}
