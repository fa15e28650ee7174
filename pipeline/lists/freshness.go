package lists

import (
	"slices"
	"time"

	"labour/pipeline/tablewriter"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
)

// Freshness returns the time at which each part of a source was last received, from the extracts
// for which known is true. "A part (a board, a data set, a file)": for a source with named parts
// these are the configured parts, for any other source the parts of its newest extract. A source
// that was never received has one row, for the source as a whole.
func Freshness(a *archive.Archive, src sources.Source,
	known func(sources.Extract) bool) ([]snapshots.FreshnessRow, error) {
	if parted, ok := src.(sources.PartedSource); ok {
		return partsHad(a, src.Info().Key, parted.Parts(), archive.PartOf, known)
	}
	return partsHad(a, src.Info().Key, nil, archive.FirstStep, known)
}

func partsHad(a *archive.Archive, key string, asked []string, partOf func(object string) string,
	known func(sources.Extract) bool) ([]snapshots.FreshnessRow, error) {
	parts, err := a.PartTimes(key, asked, partOf, known)
	if err != nil {
		return nil, err
	}
	if len(parts) == 0 {
		parts = []archive.Part{{}}
	}
	var rows []snapshots.FreshnessRow
	for _, p := range parts {
		row := snapshots.FreshnessRow{SourceKey: key, Part: p.Name}
		if !p.LastHad.IsZero() {
			row.LastSuccessAt = &p.LastHad
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// Extracts holds the fetches from which the freshness of the sources is calculated.
type Extracts struct {
	Archive  *archive.Archive
	Known    func(sources.Extract) bool // reports which extracts existed
	Sources  []sources.Source           // configured sources
	Imported []sources.Info             // sources that are not configured but have adverts in the feed
	Now      time.Time
}

// WriteFreshness writes the freshness of each source in the table sources.
func WriteFreshness(w *tablewriter.Writer, in Extracts) error {
	var rows []snapshots.FreshnessRow
	for _, s := range w.Sources {
		parts, err := in.freshnessOf(s.Key)
		if err != nil {
			return err
		}
		rows = append(rows, parts...)
	}
	return tablewriter.Write(w, "freshness", rows)
}

// freshnessOf returns the parts of a listed source. A source that is listed only because the
// platform imported its adverts is as fresh as the feed.
func (in *Extracts) freshnessOf(key string) ([]snapshots.FreshnessRow, error) {
	if i := slices.IndexFunc(in.Sources, func(s sources.Source) bool { return s.Info().Key == key }); i >= 0 {
		return Freshness(in.Archive, in.Sources[i], in.Known)
	}
	imported := slices.ContainsFunc(in.Imported, func(i sources.Info) bool { return i.Key == key })
	if !imported {
		return partsHad(in.Archive, key, nil, archive.FirstStep, in.Known)
	}
	feed, err := partsHad(in.Archive, platform.Key, nil, archive.FirstStep, in.Known)
	newest := snapshots.FreshnessOf("", feed, in.Now).LastSuccessAt
	return []snapshots.FreshnessRow{{SourceKey: key, LastSuccessAt: newest}}, err
}
