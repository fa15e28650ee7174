package query

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/outline"
)

// vocabularies holds look-up lists that every request uses, such as the known places and skills.
type vocabularies struct {
	values      map[api.Vocabulary][]string
	namedValues map[api.Vocabulary][]api.Named
	codes       map[code]int // numbers that stand for places, skills and so on in the tables
	// shares of residents who are below a level, by place and level; one share for each skill, in
	// the order of the skills
	belowShares map[placeLevel][]figure.Tenths
	sources     map[string]api.Source // description of each source, by key such as platform
	// when each part of a source was last received, by source key
	receipts map[string][]snapshots.FreshnessRow
	regions  map[string]api.Region // regions by code in upper case, and by slug
	// codes of the areas that became part of an area, by its current code
	formerCodes map[string][]string
	outlines    api.Page[api.Outline]
	// corrections of published figures, by the text that identifies the figure. A correction of a
	// figure for a former area code is also listed under the current code.
	corrections map[string]api.Correction
	// numbers of events by partner and type, counted once when the snapshot is mounted
	eventTotals []eventTotal
	// digests of the events by partner; "" = the events that every partner may see
	eventDigests map[string]string
}

// eventTotal is the number of events of one type for one partner. Partner 0 stands for the events
// that every partner may see.
type eventTotal struct {
	Partner int
	Type    string
	Events  int64
}

// placeLevel combines a place and a skill level from 1 to 5. The place is its number in the tables.
type placeLevel struct{ place, level int }

// code identifies a value that the tables store as a number. For example, {"place", "camden"} is a
// place slug.
type code struct{ dimension, value string }

func (s *Snapshot) readVocabularies(ctx context.Context) error {
	s.vocabularies = vocabularies{values: map[api.Vocabulary][]string{}, namedValues: map[api.Vocabulary][]api.Named{},
		codes: map[code]int{}, belowShares: map[placeLevel][]figure.Tenths{}, sources: map[string]api.Source{},
		receipts: map[string][]snapshots.FreshnessRow{}, regions: map[string]api.Region{},
		formerCodes: map[string][]string{},
		corrections: map[string]api.Correction{}}
	for _, v := range []api.Vocabulary{api.Places, api.Sectors, api.Skills, api.Occupations, api.Levels} {
		list, err := collect[api.Named](ctx, s, queryName(figures+"/"+string(v)), nil, 0)
		if err != nil {
			return err
		}
		s.namedValues[v] = list.Rows
		for _, n := range list.Rows {
			s.values[v] = append(s.values[v], n.Value)
		}
	}
	delete(s.values, api.Levels)
	for _, q := range []queryName{figures + "/codes", platform + "/codes"} {
		codes, err := collect[struct {
			Dimension string
			Number    int
			Value     string
		}](ctx, s, q, nil, 0)
		if err != nil {
			return err
		}
		for _, c := range codes.Rows {
			s.codes[code{c.Dimension, c.Value}] = c.Number
		}
	}
	for _, read := range []func(context.Context) error{s.readResidents, s.readSources, s.readFreshness, s.readEvents,
		s.readRegionNames, s.readOutlines, s.readCorrections, s.readCached} {
		if err := read(ctx); err != nil {
			return err
		}
	}
	return nil
}

// readSources reads the list of data sources. The error wraps ErrInconsistentTables if a figure
// names a source that is not in the list.
func (s *Snapshot) readSources(ctx context.Context) error {
	list, err := collect[api.Source](ctx, s, platform+"/credits", nil, 0)
	if err != nil {
		return err
	}
	for _, e := range list.Rows {
		s.sources[e.Key] = e
	}
	var faults []error
	for _, q := range []queryName{figures + "/used_sources", published + "/used_sources"} {
		list, err := collect[struct{ Table, Key string }](ctx, s, q, nil, 0)
		if err != nil {
			return err
		}
		for _, used := range list.Rows {
			if _, ok := s.sources[used.Key]; !ok {
				faults = append(faults, fmt.Errorf("%s: source %q is not in sources", used.Table, used.Key))
			}
		}
	}
	if len(faults) > 0 {
		return fmt.Errorf("%w: %w", ErrInconsistentTables, errors.Join(faults...))
	}
	return nil
}

// readFreshness reads when each part of a data source, such as one job board, was last received.
func (s *Snapshot) readFreshness(ctx context.Context) error {
	rows, err := all[struct {
		Source, Part  string
		LastSuccessAt api.NullableTimestamp
	}](ctx, s, freshness, nil)
	for _, r := range rows {
		s.receipts[r.Source] = append(s.receipts[r.Source], snapshots.FreshnessRow{SourceKey: r.Source, Part: r.Part,
			LastSuccessAt: r.LastSuccessAt.T})
	}
	return err
}

// readResidents reads the shares of residents below each skill level, for every place and skill.
// They stay in memory.
func (s *Snapshot) readResidents(ctx context.Context) error {
	rows, err := all[struct {
		Place, Level int
		Below        string
	}](ctx, s, residents, nil)
	for _, r := range rows {
		var below []figure.Tenths
		for text := range strings.SplitSeq(r.Below, ",") {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return fmt.Errorf("residents below level %d: %w", r.Level, err)
			}
			below = append(below, figure.Tenths(n))
		}
		s.belowShares[placeLevel{r.Place, r.Level}] = below
	}
	return err
}

// readEvents reads the number of events of each partner and type into s.eventTotals. It reads a
// digest of all events of each partner into s.eventDigests. DigestOfEvents uses these digests.
func (s *Snapshot) readEvents(ctx context.Context) (err error) {
	if s.eventTotals, err = all[eventTotal](ctx, s, eventTotals, nil); err != nil {
		return err
	}
	digests, err := all[struct{ Partner, Digest string }](ctx, s, eventDigests, nil)
	s.eventDigests = map[string]string{}
	for _, d := range digests {
		s.eventDigests[d.Partner] = d.Digest
	}
	return err
}

// readRegionNames reads all valid values of the query parameter region. They stay in memory.
func (s *Snapshot) readRegionNames(ctx context.Context) error {
	type named struct {
		Name    string
		Offered bool
		api.Region
	}
	list, err := collect[named](ctx, s, regionNames, nil, 0)
	for _, r := range list.Rows {
		s.regions[strings.ToUpper(r.Name)] = r.Region
		switch {
		case r.Offered:
			s.values[api.RegionNames] = append(s.values[api.RegionNames], r.Name)
		case len(r.SplitInto) == 0:
			s.formerCodes[r.Code] = append(s.formerCodes[r.Code], r.Name)
		}
	}
	return err
}

// codesOfRegion returns the codes under which the figures of a region may be published, separated by
// commas: its own code and those of the areas that became part of it. For "" it returns "".
func (s *Snapshot) codesOfRegion(region string) string {
	return strings.Join(append([]string{region}, s.formerCodes[region]...), ",")
}

// readOutlines reads the boundaries of the boroughs for maps. They stay in memory, a few kilobytes
// for each borough.
func (s *Snapshot) readOutlines(ctx context.Context) error {
	list, err := collect[struct{ Place, Text, SourceKey string }](ctx, s, figures+"/outlines", nil, 0)
	for _, r := range list.Rows {
		shape, err := outline.Parse(r.Text)
		if err != nil {
			return fmt.Errorf("outline of %s: %w", r.Place, err)
		}
		s.outlines.Rows = append(s.outlines.Rows, api.Outline{Place: r.Place, Shape: shape})
	}
	s.outlines.Sources = list.Sources
	return err
}

// readCorrections reads the operator's corrections of published figures. They stay in memory.
func (s *Snapshot) readCorrections(ctx context.Context) error {
	rows, err := all[correctionRow](ctx, s, corrected, nil)
	if err != nil {
		return err
	}
	regions, err := all[snapshots.RegionsRow](ctx, s, published+"/former_codes", nil)
	if err != nil {
		return err
	}
	codes := snapshots.NewCurrentCodes(regions)
	for _, r := range rows {
		if r.HasFigures {
			continue // The area kept its code, or it was merged or split and is not the current area.
		}
		for _, record := range codes.RecodedRecords(r.Record) {
			s.corrections[record] = r.correctionOf(record)
		}
	}
	// A correction under the current code comes before those under former codes.
	for _, r := range rows {
		s.corrections[r.Record] = r.correctionOf(r.Record)
	}
	return nil
}

// correctionRow is one row of the database query corrected: a correction of a published figure by
// the operator.
type correctionRow struct {
	SourceKey  string
	Record     string
	Old, New   *string
	Reason     string
	DecidedOn  api.Date
	HasFigures bool // whether figures are published under the very area code that Record has
}

// correctionOf returns the correction of the figure that record identifies. record is either
// r.Record or the same text with the current code of the area.
func (r correctionRow) correctionOf(record string) api.Correction {
	return api.Correction{Source: r.SourceKey, Record: record, Old: r.Old, New: r.New, Reason: r.Reason,
		DecidedOn: r.DecidedOn}
}
