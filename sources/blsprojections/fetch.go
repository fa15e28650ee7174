package blsprojections

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"labour/sources"
	"labour/sources/filelist"
)

// maxAnswer is the size limit of an API response, in bytes.
const maxAnswer = 4 << 20

// projectionsName is the name of the projections file in the archive. seriesName gives the names of
// the other files.
const projectionsName = "projections"

func seriesName(id string) string { return "series/" + id }

// Fetch downloads and parses the projections file and each time series. If one of them fails, its
// last good file is used.
func (s *Source) Fetch(ctx context.Context, f sources.Fetcher) error {
	type part struct {
		name  string
		fetch func() error
	}
	var parts []part
	projections := s.projections()
	for _, p := range projections.Entries {
		parts = append(parts, part{projectionsName, func() error { return projections.FetchOne(ctx, f, p) }})
	}
	var last refusal
	key, _ := f.Secret(s.cfg.KeyEnv)
	list := s.series(key, &last)
	for _, series := range list.Entries {
		parts = append(parts, part{seriesName(series.ID), func() error {
			if last.status == notProcessed {
				return fmt.Errorf("it was not asked for: %w", last)
			}
			return list.FetchOne(ctx, f, series)
		}})
	}
	name := func(p part) string { return p.name }
	return filelist.FetchEntries(ctx, f, "projections and series", parts, name, func(p part) error { return p.fetch() })
}

// Read emits a sources.Evidence record for each occupation of the projections and for each time
// series. It reports a fault for each unusable row or file.
func (s *Source) Read(ctx context.Context, x sources.Extract, open sources.Opener, out sources.RecordSink) error {
	if err := s.projections().Read(ctx, x, open, out); err != nil {
		return err
	}
	list := s.series("", nil)
	for i, series := range list.Entries {
		o, _ := x.Object(seriesName(series.ID))
		list.Entries[i].receivedOn = sources.DateOf(o.FetchedAt)
	}
	return list.Read(ctx, x, open, out)
}

// projections returns the list of projections files. It has one file, or none if none is
// configured.
func (s *Source) projections() filelist.Files[Projections] {
	files := filelist.Files[Projections]{SourceInfo: info, ConfigField: "projections",
		RequestOf: func(p Projections) sources.Request {
			return sources.Request{Name: projectionsName, URL: p.URL, Accept: sources.AcceptNotHTML}
		},
		ParseFile: func(ctx context.Context, text []byte, p Projections) (filelist.ParsedFile, error) {
			rows, faults, err := parse(ctx, text, p.Sheet)
			parsed := filelist.ParsedFile{Faults: faults}
			day, _ := sources.ParseDate(p.Published) // checked by New
			for _, r := range rows {
				parsed.Records = append(parsed.Records, r.evidence(day))
			}
			return parsed, err
		}}
	if s.cfg.Projections != nil {
		files.Entries = []Projections{*s.cfg.Projections}
	}
	return files
}

// receivedSeries is a configured time series with the day on which it was downloaded. The day is
// zero if it is not known.
type receivedSeries struct {
	Series
	receivedOn sources.Date
}

// series returns the list of time series to download. For each series, the API returns the values
// of the last three years.
//
// key is the API's registration key, or "". It is part of the URL, but the fetcher keeps it out of
// the archive and the logs. If the API reports a failure, refused is set to its status and message.
func (s *Source) series(key string, refused *refusal) filelist.Files[receivedSeries] {
	files := filelist.Files[receivedSeries]{SourceInfo: info, ConfigField: "series",
		RequestOf: func(series receivedSeries) sources.Request {
			address := s.cfg.BaseURL + "/timeseries/data/" + url.PathEscape(series.ID)
			if key != "" {
				address += "?registrationkey=" + url.QueryEscape(key)
			}
			return sources.Request{Name: seriesName(series.ID), URL: address, MaxBytes: maxAnswer,
				Accept: responseCheck(key, refused)}
		},
		ParseFile: func(_ context.Context, text []byte, series receivedSeries) (parsed filelist.ParsedFile, err error) {
			list, err := observations(text, series.ID)
			if err == nil {
				parsed.Records = []sources.Record{series.evidence(list, series.receivedOn)}
			}
			return parsed, err
		}}
	for _, series := range s.cfg.Series {
		files.Entries = append(files.Entries, receivedSeries{Series: series})
	}
	return files
}

// responseCheck returns a function that checks an API response before it is archived. The function
// rejects responses that report a failure, although their HTTP status is 200. It sets refused to the
// status and message of such a response. It also rejects responses that contain key, the API's
// registration key.
func responseCheck(key string, refused *refusal) func(string, []byte) error {
	return func(contentType string, head []byte) error {
		if err := sources.AcceptJSON(contentType, head); err != nil {
			return err
		}
		if key != "" && strings.Contains(string(head), key) {
			return sources.CodedErrorf(sources.FaultWrongFormat,
				"the answer repeats the registration key and is not kept; check the key")
		}
		err := statusOf(head)
		errors.As(err, refused)
		return err
	}
}
