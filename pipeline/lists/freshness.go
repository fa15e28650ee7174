package lists

import (
	"slices"

	"labour/pipeline/tablewriter"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
)

// FreshnessRows returns when each part of a source was last received. A part is a board, a data set
// or a file. If the configuration of the source lists no parts, the parts are those of its newest
// fetch. A source without parts has one row with an empty part. Only fetches for which known
// returns true are considered.
func FreshnessRows(a *archive.Archive, src sources.Source,
	known func(sources.Extract) bool) ([]snapshots.FreshnessRow, error) {
	var asked []string
	if parted, ok := src.(sources.PartLister); ok {
		asked = parted.PartNames()
	}
	return partsHad(a, src.Info().Key, asked, archive.PartNamer(src), known)
}

func partsHad(a *archive.Archive, key string, asked []string, partOf func(object string) string,
	known func(sources.Extract) bool) ([]snapshots.FreshnessRow, error) {
	parts, err := a.PartDeliveryTimes(key, asked, partOf, known)
	if err != nil {
		return nil, err
	}
	if len(parts) == 0 {
		parts = []archive.PartDelivery{{}}
	}
	var rows []snapshots.FreshnessRow
	for _, p := range parts {
		row := snapshots.FreshnessRow{SourceKey: key, Part: p.Name}
		if !p.LastDelivered.IsZero() {
			row.LastSuccessAt = &p.LastDelivered
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// FreshnessInputs holds the inputs of WriteFreshness, such as the archive and the list of sources.
type FreshnessInputs struct {
	Archive *archive.Archive
	// reports whether an extract (one fetch of a source) may be considered
	MayRead func(sources.Extract) bool
	Sources []sources.Source // sources in the configuration
	// sources that are not configured, but whose adverts the platform has imported
	ImportedSources []sources.Info
}

// WriteFreshness writes the table freshness. It has the time at which each part of each source in
// w.Sources was last received.
func WriteFreshness(w *tablewriter.Writer, in FreshnessInputs) error {
	var rows []snapshots.FreshnessRow
	for _, s := range w.Sources {
		parts, err := in.freshnessOf(s.Key)
		if err != nil {
			return err
		}
		rows = append(rows, parts...)
	}
	return tablewriter.WriteRows(w, "freshness", rows)
}

// freshnessOf returns the rows of the table freshness for one source. For a source whose adverts
// were only imported by the platform, it returns one row with the time of the platform's feed.
func (in *FreshnessInputs) freshnessOf(key string) ([]snapshots.FreshnessRow, error) {
	if i := slices.IndexFunc(in.Sources, func(s sources.Source) bool { return s.Info().Key == key }); i >= 0 {
		return FreshnessRows(in.Archive, in.Sources[i], in.MayRead)
	}
	imported := slices.ContainsFunc(in.ImportedSources, func(i sources.Info) bool { return i.Key == key })
	if !imported {
		return partsHad(in.Archive, key, nil, archive.FirstSegmentOfObject, in.MayRead)
	}
	feed, err := partsHad(in.Archive, platform.Key, nil, archive.FirstSegmentOfObject, in.MayRead)
	return []snapshots.FreshnessRow{{SourceKey: key, LastSuccessAt: snapshots.LastReceived(feed)}}, err
}
