package blsprojections

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"labour/sources"
	"labour/sources/plaintext"
)

// Values of the field `status` in an API response. The HTTP status is 200 even for a failure.
const (
	// statusSucceeded is the `status` of an API response that contains the requested data.
	statusSucceeded = "REQUEST_SUCCEEDED"
	// notProcessed is the `status` of an API response if the daily limit of requests is exceeded.
	notProcessed = "REQUEST_NOT_PROCESSED"
)

var (
	statusPattern  = regexp.MustCompile(`"status"\s*:\s*"([A-Z_]{1,60})"`)
	messagePattern = regexp.MustCompile(`"message"\s*:\s*\[\s*"([^"]{0,200})`)
	valuePattern   = regexp.MustCompile(`^-?[0-9]+(?:\.[0-9]+)?$`)
)

// statusOf returns an error if an API response reports a failure. head is the start of the
// response.
func statusOf(head []byte) error {
	m := statusPattern.FindSubmatch(head)
	switch {
	case m == nil:
		return sources.CodedErrorf(sources.FaultSchema, "the answer states no status")
	case string(m[1]) == statusSucceeded:
		return nil
	}
	said := ""
	if text := messagePattern.FindSubmatch(head); text != nil {
		said = ": " + string(text[1])
	}
	return sources.WithFaultCode(sources.FaultUnavailable, refusal{string(m[1]), said})
}

// refusal is the error for an API response that reports a failure. It holds the response's status
// and message.
type refusal struct{ status, message string }

func (r refusal) Error() string { return "the API answers " + r.status + r.message }

// results is the field `Results` of an API response. It is empty if the API does not know the
// requested series.
type results struct {
	Series []struct {
		ID   string        `json:"seriesID"`
		Data []observation `json:"data"`
	} `json:"series"`
}

// observation is one value of a time series, with its period. All fields are texts, as in the API's
// response.
type observation struct {
	Year string `json:"year"`
	// M01 to M12, Q01 to Q04, S01, S02 or A01; annual averages are M13, Q05 and S03
	Period string `json:"period"`
	Name   string `json:"periodName"`
	Value  string `json:"value"` // value of the series as text; "-" if it is missing
}

// observations returns the values of one time series from an API response. id is the id of the
// series. observations leaves out annual averages and invalid values. An error has a
// sources.FaultCode.
func observations(text []byte, id string) ([]observation, error) {
	answer := struct {
		Status  string          `json:"status"`
		Message []string        `json:"message"`
		Results json.RawMessage `json:"Results"`
	}{Results: json.RawMessage("{}")}
	text, err := plaintext.ToUTF8(text)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, sources.CodedErrorf(sources.FaultNotJSON, "the answer is not the JSON of the API: %w", err)
	}
	if answer.Status != statusSucceeded {
		return nil, sources.CodedErrorf(sources.FaultSchema, "the answer has the status %q", answer.Status)
	}
	list := make([]results, 1)
	if err := json.Unmarshal(answer.Results, &list[0]); err != nil && json.Unmarshal(answer.Results, &list) != nil {
		return nil, sources.CodedErrorf(sources.FaultSchema, "the results are not those of a series: %w", err)
	}
	var found []observation
	for _, r := range list {
		for _, s := range r.Series {
			if s.ID == id {
				found = append(found, slices.DeleteFunc(s.Data, observation.unusable)...)
			}
		}
	}
	if len(found) == 0 {
		return nil, sources.CodedErrorf(sources.FaultSuddenlyEmpty, "no value of series %s: %s", id,
			strings.Join(answer.Message, " "))
	}
	return found, nil
}

// unusable reports whether a value is missing, invalid or an annual average.
func (o observation) unusable() bool {
	return slices.Contains([]string{"", "M13", "Q05", "S03"}, o.Period) ||
		!sources.IsYear(o.Year) || !valuePattern.MatchString(o.Value)
}

// evidence returns a record that states the newest value of a time series. It also states the value
// of the same period one year earlier, if there is one. list holds the values of the series, in any
// order. received is the day on which they were downloaded.
func (s Series) evidence(list []observation, received sources.Date) sources.Evidence {
	newest := slices.MaxFunc(list,
		func(a, b observation) int { return strings.Compare(a.Year+a.Period, b.Year+b.Period) })
	text := fmt.Sprintf("%s: %s in %s", s.Title, s.with(newest.Value), newest.when())
	year, _ := strconv.Atoi(newest.Year)
	yearBefore := func(o observation) bool { return o.Year == strconv.Itoa(year-1) && o.Period == newest.Period }
	if i := slices.IndexFunc(list, yearBefore); i >= 0 {
		text += fmt.Sprintf("; %s in %s", s.with(list[i].Value), list[i].when())
	}
	return sources.Evidence{Source: Key, ID: "series/" + s.ID, Published: received, Title: s.Title,
		Statement: text + ". Retrieved on " + received.String() + ".", Kind: "statistic", Signal: "none",
		Class: "SOC2018-US", Country: "US", Link: "https://data.bls.gov/timeseries/" + s.ID}
}

func (s Series) with(value string) string { return strings.TrimSpace(value + " " + s.Unit) }

// when returns the period of a value in words, such as "May 2026" or "2025".
func (o observation) when() string {
	if o.Period == "A01" || o.Name == "" {
		return o.Year
	}
	return o.Name + " " + o.Year
}
