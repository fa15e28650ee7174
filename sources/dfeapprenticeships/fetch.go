package dfeapprenticeships

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"

	"labour/sources"
	"labour/sources/filelist"
)

// maxDownload bounds a file as it is sent, compressed or not.
const maxDownload = 2 << 30

// maxDescription bounds the description of a data set.
const maxDescription = 4 << 20

// Names of the two objects of a data set.
func descriptionName(id string) string { return id + "/data-set.json" }
func tableName(id string) string       { return id + "/data.csv" }

// Fetch downloads the description of every data set, and the file of the very
// version that it describes. Of a file no more than the header is read: a file
// that Read would refuse as a whole is not taken over, and the last good one of
// that data set, with its own description, stands in.
func (s *Source) Fetch(ctx context.Context, f sources.Fetcher) error {
	return filelist.Fetch(ctx, "data_sets", s.cfg.DataSets, func(d DataSet) error {
		err := s.fetch(ctx, f, d)
		if err != nil {
			f.Failed(descriptionName(d.ID), err)
			f.Failed(tableName(d.ID), err)
		}
		return err
	})
}

func (s *Source) fetch(ctx context.Context, f sources.Fetcher, d DataSet) error {
	address := s.cfg.BaseURL + "/data-sets/" + url.PathEscape(d.ID)
	o, err := f.Get(ctx, sources.Request{Name: descriptionName(d.ID), URL: address, MaxBytes: maxDescription,
		Header: map[string]string{"Accept": "application/json"}, Accept: sources.AcceptJSON})
	if err != nil {
		return fmt.Errorf("data set %s: %w", d.ID, err)
	}
	r, err := openRelease(f, o)
	if err != nil {
		return fmt.Errorf("data set %s: %w", d.ID, err)
	}
	o, err = f.Get(ctx, sources.Request{Name: tableName(d.ID), MaxBytes: maxDownload, Accept: sources.AcceptData,
		URL: address + "/csv?dataSetVersion=" + url.QueryEscape(r.Latest.Version)})
	if err != nil {
		return fmt.Errorf("data set %s: %w", d.ID, err)
	}
	if err := checkHeader(f, o, d, r); err != nil {
		return fmt.Errorf("data set %s, version %s: %w", d.ID, r.Latest.Version, err)
	}
	return nil
}

// openRelease reads a filed description.
func openRelease(from sources.Opener, o sources.Object) (release, error) {
	b, err := from.Open(o)
	if err != nil {
		return release{}, fmt.Errorf("open %s: %w", o.Name, err)
	}
	defer b.Close()
	body, err := io.ReadAll(io.LimitReader(b, maxDescription))
	if err != nil {
		return release{}, fmt.Errorf("read %s: %w", o.Name, err)
	}
	r, err := parseRelease(body)
	if err != nil {
		return release{}, sources.Coded(sources.FaultSchema, err)
	}
	return r, nil
}

// checkHeader says why Read would refuse a file as a whole, as far as its header
// and the publisher's description of it tell.
func checkHeader(from sources.Opener, o sources.Object, d DataSet, r release) error {
	_, err := r.covers(d.Covers)
	if err = errors.Join(err, r.measures(d)); err != nil {
		return sources.Coded(sources.FaultSchema, err)
	}
	b, err := from.Open(o)
	if err != nil {
		return fmt.Errorf("open %s: %w", o.Name, err)
	}
	defer b.Close()
	plain, err := unpack(b)
	if err != nil {
		return sources.Coded(sources.FaultNotExpected, err)
	}
	header, err := newReader(plain).Read()
	if err != nil {
		return sources.Coded(sources.FaultNotExpected, fmt.Errorf("read the header: %w", err))
	}
	_, faults := planFor(header, d)
	var errs []error
	for _, f := range faults {
		errs = append(errs, sources.Coded(f.code, errors.New(f.detail)))
	}
	return errors.Join(errs...)
}
