package dfeapprenticeships

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"labour/sources"
	"labour/sources/filelist"
	"labour/sources/plaintext"
)

// maxDownload is the size limit of a downloaded data file, in bytes.
const maxDownload = 2 << 30

// maxDescription is the size limit of a data set's description, in bytes.
const maxDescription = 4 << 20

// descriptionName returns the name of a data set's description in the archive. tableName returns
// the name of its data file.
func descriptionName(id string) string { return id + "/data-set.json" }
func tableName(id string) string       { return id + "/data.csv" }

// Fetch downloads the description of each data set, and the data file of the version that the
// description names. If a file is unusable, the last good file and its description are used.
func (s *Source) Fetch(ctx context.Context, f sources.Fetcher) error {
	return filelist.FetchEntries(ctx, f, "data_sets", s.cfg.DataSets, DataSet.name,
		func(d DataSet) error { return s.fetch(ctx, f, d) })
}

func (s *Source) fetch(ctx context.Context, f sources.Fetcher, d DataSet) error {
	address := s.cfg.BaseURL + "/data-sets/" + url.PathEscape(d.ID)
	o, err := f.Get(ctx, sources.Request{Name: descriptionName(d.ID), URL: address, MaxBytes: maxDescription,
		Header: map[string]string{"Accept": "application/json"}, Accept: sources.AcceptJSON})
	if err != nil {
		return err
	}
	r, err := openRelease(f, o)
	if err != nil {
		return err
	}
	o, err = f.Get(ctx, sources.Request{Name: tableName(d.ID), MaxBytes: maxDownload, Accept: sources.AcceptNotHTML,
		URL: address + "/csv?dataSetVersion=" + url.QueryEscape(r.Latest.Version)})
	if err != nil {
		return err
	}
	b, err := f.Open(o)
	if err != nil {
		return fmt.Errorf("open %s: %w", o.Name, err)
	}
	defer b.Close()
	t := scan(b, d, r)
	if !t.isRejected {
		return nil
	}
	var errs []error
	for _, fault := range t.faults[max(0, len(t.faults)-namedFaults):] {
		errs = append(errs, sources.CodedErrorf(fault.Code, "version %s: %s", r.Latest.Version, fault.Detail))
	}
	return errors.Join(errs...)
}

// namedFaults is the maximum number of faults in the error for a rejected file. The last one is the
// reason for the rejection.
const namedFaults = 20

// release is the publisher's description of a data set: its title, status and latest version.
type release struct {
	Title   string `json:"title"`
	Summary string `json:"summary"`
	Status  string `json:"status"`
	Latest  struct {
		Version    string    `json:"version"`
		Published  time.Time `json:"published"`
		Indicators []string  `json:"indicators"`
		// number of rows of the data file, without the header; 0 = not announced
		RowCount int `json:"totalResults"`
	} `json:"latestVersion"`
}

// openRelease reads and parses the archived description of a data set.
func openRelease(from sources.Opener, o sources.ArchivedObject) (release, error) {
	body, err := sources.ReadWhole(from, o)
	if err != nil {
		return release{}, err
	}
	return parseRelease(body)
}

// parseRelease parses the description of a data set. body is the API's response to /data-sets/{id}.
func parseRelease(body []byte) (r release, err error) {
	if body, err = plaintext.ToUTF8(body); err == nil {
		err = json.Unmarshal(body, &r)
	}
	switch {
	case err != nil:
		err = fmt.Errorf("read the description of the data set: %w", err)
	case r.Status == "Withdrawn":
		err = fmt.Errorf("the publisher has withdrawn the data set %q", r.Title)
	case r.Latest.Version == "":
		err = fmt.Errorf("the data set %q has no published version", r.Title)
	default:
		return r, nil
	}
	return release{}, sources.WithFaultCode(sources.FaultSchema, err)
}

var (
	monthsPattern = regexp.MustCompile(`(?i)\baug(?:ust)?\.?(?:\s+\d{4})?\s*(?:to|-|–)\s*(oct|jan|apr|jul)`)
	inYearPattern = regexp.MustCompile(`(?i)\bin-year\b|\byear[- ]to[- ]date\b|\bpart[- ]year\b`)
	coversOf      = map[string]string{"oct": CoversToOctober, "jan": CoversToJanuary, "apr": CoversToApril,
		"jul": CoversFullYear}
)

// covers returns the months of the academic year that the figures cover, such as "to_april". This
// is configuredPart, if set, or else what the description says. If it says nothing, covers returns
// "full_year".
//
// It returns an error if the description contradicts configuredPart. Without configuredPart, an
// ambiguous description is an error too.
func (r release) covers(configuredPart string) (string, error) {
	words := r.Title + "\n" + r.Summary + "\n" + strings.Join(r.Latest.Indicators, "\n")
	var namedParts []string
	for _, m := range monthsPattern.FindAllStringSubmatch(words, -1) {
		namedParts = append(namedParts, coversOf[strings.ToLower(m[1])])
	}
	slices.Sort(namedParts)
	namedParts = slices.Compact(namedParts)
	switch {
	case configuredPart != "" && (len(namedParts) == 0 || slices.Contains(namedParts, configuredPart)):
		return configuredPart, nil
	case configuredPart != "":
		return "", fmt.Errorf("`covers` is %s but the publisher says %s", configuredPart, strings.Join(namedParts, ", "))
	case len(namedParts) == 1:
		return namedParts[0], nil
	case len(namedParts) > 1:
		return "", fmt.Errorf("the publisher names several parts of the year (%s); set `covers`",
			strings.Join(namedParts, ", "))
	case inYearPattern.MatchString(words):
		return "", errors.New("the publisher calls the figures in-year without naming the months; set `covers`")
	}
	return CoversFullYear, nil
}

// measures returns an error if the data set does not contain the figures of the configured metric.
// It checks the publisher's description and the configured column.
func (r release) measures(d DataSet) error {
	words := columns.Counted[d.Metric]
	column := columnName(d.Column)
	labels := r.Latest.Indicators
	if slices.Contains(columns.Figures, column) &&
		(!words.MatchString(column) || columns.NotCounts.MatchString(column)) {
		return fmt.Errorf("column %s does not hold %s; take the column that does, or another data set", column,
			d.Metric)
	}
	if len(labels) > 0 && !slices.ContainsFunc(labels, words.MatchString) {
		return fmt.Errorf("the data set holds %s according to the publisher's description, and no %s",
			strings.Join(labels, ", "), d.Metric)
	}
	return nil
}
