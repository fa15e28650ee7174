package ingest

import (
	"log/slog"
	"slices"

	"labour/pipeline/calendar"
	"labour/pipeline/report"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/archive"
)

// ReportCarriedParts adds the carried parts of a source to the report. A carried part, such as one
// job board, is taken from an older fetch because the newest fetch lacks it. ReportCarriedParts
// also logs a warning for each part that is too old or was never fetched. known reports whether a
// fetch may be read.
func ReportCarriedParts(a *archive.Archive, src sources.Source, known func(sources.Extract) bool, asOf sources.Date,
	to *report.Report, log *slog.Logger) error {
	key := src.Info().Key
	carried, err := carriedParts(a, src, known, asOf)
	of := to.EnsureSource(key)
	of.Carried = append(of.Carried, carried...)
	for _, c := range carried {
		if !c.Stale {
			continue
		}
		warning := "a part of a source has been carried forward for long"
		if c.NeverFetched {
			warning = "a part of a source was never fetched"
		}
		log.Warn(warning, "source", key, "part", c.Part, "what_to_do", c.Advice())
	}
	return err
}

// carriedParts returns the parts of a source, such as job boards, that are taken from older fetches
// or were never fetched. A part is stale if it is too old for the source's cadence, for example
// because the employer has moved its board to another vendor. known reports whether a fetch may be
// read.
func carriedParts(a *archive.Archive, src sources.Source, known func(sources.Extract) bool,
	asOf sources.Date) (carried []report.CarriedForwardPart, err error) {
	info := src.Info()
	parts, err := a.CarriedParts(info.Key, archive.PartNamer(src), known)
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		carried = append(carried, carriedPart(p, info.Cadence, asOf))
	}
	missing, err := missingParts(a, src, known)
	if err != nil || len(missing) == 0 {
		return carried, err
	}
	// An older fetch has a part that was out of the configuration for a time.
	earlier, err := a.PartDeliveryTimes(info.Key, missing, archive.PartOfObject, known)
	if err != nil {
		return nil, err
	}
	for _, p := range earlier {
		c := carriedPart(p, info.Cadence, asOf)
		c.NeverFetched = p.LastDelivered.IsZero()
		carried = append(carried, c)
	}
	return carried, nil
}

// carriedPart converts p, the delivery of one part of a source, to an entry of the report. cadence
// is the cadence of the source. asOf is the date on which the entry states the age of the part.
func carriedPart(p archive.PartDelivery, cadence sources.Cadence, asOf sources.Date) report.CarriedForwardPart {
	c := report.CarriedForwardPart{Part: p.Name, Stale: true}
	if !p.LastDelivered.IsZero() {
		c.LastDeliveredAt = &p.LastDelivered
		c.AgeDays = calendar.AgeInDays(p.LastDelivered, asOf)
		endOfDay := calendar.Period{To: asOf}.End() // pages too say which parts were late at this time
		c.Stale = snapshots.IsPartStale(string(cadence), &p.LastDelivered, endOfDay)
	}
	return c
}

// missingParts returns the configured parts of a source, such as job boards, that are not in its
// newest fetch for which known returns true.
func missingParts(a *archive.Archive, src sources.Source, known func(sources.Extract) bool) ([]string, error) {
	parted, ok := src.(sources.PartLister)
	if !ok {
		return nil, nil
	}
	for x, err := range a.ExtractsNewestFirst(src.Info().Key) {
		if err != nil {
			return nil, err
		}
		if !known(x) {
			continue
		}
		had := map[string]bool{}
		for _, o := range x.Objects {
			had[archive.PartOfObject(o.Name)] = true
		}
		return slices.DeleteFunc(parted.PartNames(), func(part string) bool { return had[part] }), nil
	}
	return nil, nil
}
