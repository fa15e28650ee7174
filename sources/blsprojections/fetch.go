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

// The bounds of the bodies; the workbook has about 1 MB.
const (
	maxDownload = 64 << 20
	maxAnswer   = 4 << 20
)

// projectionsName is the object of the projections, seriesName that of a series.
const projectionsName = "projections"

func seriesName(id string) string { return "series/" + id }

// Fetch downloads the projections and each series. What Read would refuse as a whole
// is not taken over, and the last good one stands in.
func (s *Source) Fetch(ctx context.Context, f sources.Fetcher) error {
	var errs []error
	had := 0
	note := func(name string, err error) {
		if err == nil {
			had++
			return
		}
		f.Failed(name, err)
		errs = append(errs, err)
	}
	if s.cfg.Projections != nil {
		note(projectionsName, s.projections().FetchOne(ctx, f, *s.cfg.Projections))
	}
	var spent error
	for _, series := range s.cfg.Series {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("fetch series: %w", err)
		}
		if spent != nil {
			note(seriesName(series.ID), fmt.Errorf("series %s was not asked for: %w", series.ID, spent))
			continue
		}
		status, err := s.fetchSeries(ctx, f, series)
		if status == notProcessed {
			spent = err
		}
		note(seriesName(series.ID), err)
	}
	if had == 0 {
		return fmt.Errorf("nothing could be had: %w", errors.Join(errs...))
	}
	return nil
}

// projections is the file of the projections, as a list of one.
func (s *Source) projections() filelist.Files[Projections] {
	return filelist.Files[Projections]{About: s.Info(), Field: "projections", Entries: []Projections{*s.cfg.Projections},
		Request: func(p Projections) sources.Request {
			return sources.Request{Name: projectionsName, URL: p.URL, MaxBytes: maxDownload, Accept: sources.AcceptData}
		},
		Parse: func(ctx context.Context, text []byte, p Projections) (filelist.Parsed, error) {
			rows, faults, err := parse(ctx, text, p.Sheet)
			parsed := filelist.Parsed{Faults: faults}
			day, _ := sources.ParseDate(p.Published) // checked by New
			for _, r := range rows {
				parsed.Records = append(parsed.Records, r.evidence(day))
			}
			return parsed, err
		}}
}

// fetchSeries asks for one series and gives the status that the API stated when it
// refused; without years the API gives the last three. The key has to stand in the
// address, where the fetcher keeps it out of the archive, the log and every error.
func (s *Source) fetchSeries(ctx context.Context, f sources.Fetcher, series Series) (status string, err error) {
	address := s.cfg.BaseURL + "/timeseries/data/" + url.PathEscape(series.ID)
	key, ok := f.Secret(s.cfg.KeyEnv)
	if ok && key != "" {
		address += "?registrationkey=" + url.QueryEscape(key)
	}
	var refused refusal // the fetcher keeps only the words of an error, without the key
	accept := func(contentType string, head []byte) error {
		err := accepting(key)(contentType, head)
		errors.As(err, &refused)
		return err
	}
	r := sources.Request{Name: seriesName(series.ID), URL: address, MaxBytes: maxAnswer, Accept: accept}
	err = sources.FetchWhole(ctx, f, r, func(text []byte) error {
		_, err := observations(text, series.ID)
		return err
	})
	if err != nil {
		err = fmt.Errorf("series %s: %w", series.ID, err)
	}
	return refused.status, err
}

// accepting refuses an answer that reports a failure, which the API sends with
// status 200, before it is archived: some of these answers repeat the key.
func accepting(key string) func(string, []byte) error {
	return func(contentType string, head []byte) error {
		if err := sources.AcceptJSON(contentType, head); err != nil {
			return err
		}
		if key != "" && strings.Contains(string(head), key) {
			return sources.Coded(sources.FaultNotExpected, errors.New("the answer repeats the registration key and is not kept; check the key"))
		}
		return statusOf(head)
	}
}

// What every record of this source has.
const (
	country    = "US"
	class      = "SOC2018-US"
	signalNone = "none"
)

// Read turns the projections into sources.Evidence, in the order of the file, and
// then each series. A file whose columns are not those that are expected is refused
// whole; a row that cannot be read is a fault.
func (s *Source) Read(ctx context.Context, x sources.Extract, open sources.Opener, out sources.Sink) error {
	if s.cfg.Projections != nil {
		if err := s.projections().Read(ctx, x, open, out); err != nil {
			return err
		}
	}
	for _, series := range s.cfg.Series {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read series: %w", err)
		}
		o, ok := x.Object(seriesName(series.ID))
		if !ok {
			continue // its absence was a fault of the fetch
		}
		text, err := sources.ReadWhole(open, o)
		var list []observation
		if err == nil {
			list, err = observations(text, series.ID)
		}
		if err != nil {
			if err := sources.DataFault(out, Key, o.Name, err); err != nil {
				return err
			}
			continue
		}
		if err := out.Emit(series.evidence(list, sources.DateOf(o.FetchedAt))); err != nil {
			return err
		}
	}
	return nil
}
