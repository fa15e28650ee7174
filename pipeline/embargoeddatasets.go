package pipeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/planar"

	"labour/pipeline/cells"
	"labour/pipeline/embargoed"
	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources"
)

// embargoed writes the six datasets that wait on a condition. A closed one is built
// from all that is configured, so that it can be judged before it is opened; from an
// open one is left out what its publisher's terms do not permit to be shown: "A
// source with an unknown licence is not published."
func (t *tables) embargoed(ctx context.Context) error {
	t.build.o.step("build the embargoed datasets")
	var err error
	if t.states, err = t.build.basis.states(); err != nil {
		return err
	}
	if err := t.askShared(ctx); err != nil {
		return err
	}
	return errors.Join(
		countEmbargoed(ctx, t, cells.Demand, func(r snapshots.DemandRow) string { return r.SourceKeys }),
		countEmbargoed(ctx, t, cells.Trends, func(r snapshots.TrendsRow) string { return r.SourceKeys }),
		countEmbargoed(ctx, t, cells.Reach, func(r snapshots.ReachRow) string { return r.SourceKeys }),
		countEmbargoed(ctx, t, cells.Outlook, func(r snapshots.OutlookRow) string { return r.SourceKeys }),
		writeEmbargoed(t, "signals", embargoed.Signals(t.build.in.headlines, t.publishers("signals"), t.asOf()),
			func(r snapshots.SignalsRow) string { return r.SourceKey }),
		writeEmbargoed(t, "priorities", embargoed.Priorities(t.build.in.priorities, t.publishers("priorities"),
			t.build.priorityName, t.build.unknownPriority),
			func(r snapshots.PrioritiesRow) string { return r.SourceKey }))
}

// carryEmbargoed takes over the states of the embargoed datasets: what was closed since is closed in
// this snapshot, and what was opened waits for the whole run that builds it from what may be shown.
func (t *tables) carryEmbargoed() error {
	decided, err := t.build.basis.states()
	if err != nil {
		return err
	}
	t.states = slices.Clone(t.previous.Embargoed)
	for i, s := range t.states {
		at := slices.IndexFunc(decided, func(d snapshots.EmbargoedState) bool { return d.Name == s.Name })
		if s.Open && at >= 0 && !decided[at].Open {
			t.states[i] = decided[at]
			t.states[i].Rows = s.Rows
		}
		if s.Rows != nil {
			t.build.report.Embargoed[s.Name] = *s.Rows
		}
	}
	return nil
}

// open reports whether an embargoed dataset will be answered from this snapshot.
func (t *tables) open(name string) bool {
	return slices.ContainsFunc(t.states, func(h snapshots.EmbargoedState) bool { return h.Name == name && h.Open })
}

// writeEmbargoed writes one embargoed dataset, in its order. keys gives the keys of a row's sources.
func writeEmbargoed[T any](t *tables, name string, rows []T, keys func(T) string) error {
	table, _ := snapshots.EmbargoedTableNamed(name)
	used := map[string]bool{}
	for _, r := range rows {
		for key := range strings.SplitSeq(keys(r), ",") {
			used[key] = true
		}
	}
	from := slices.DeleteFunc(slices.Clone(t.listed), func(s snapshots.SourcesRow) bool { return !used[s.Key] })
	path := t.writer.FilePath(snapshots.EmbargoedFileName(name))
	if err := parquetio.WriteTable(path, table, snapshots.TableMetadata(table, t.writer.ID(), from), t.asOf(),
		snapshots.Sorted(table, rows)); err != nil {
		return fmt.Errorf("embargoed dataset %s: %w", name, err)
	}
	for i := range t.states {
		if t.states[i].Name == name {
			t.states[i].Rows = new(int64(len(rows)))
		}
	}
	t.build.report.Embargoed[name] = int64(len(rows))
	return nil
}

// countEmbargoed writes an embargoed dataset that is the answer to a question.
func countEmbargoed[T any](ctx context.Context, t *tables, q cells.Question, keys func(T) string) error {
	file, err := t.ask(ctx, q)
	if err != nil {
		return err
	}
	rows, err := parquetio.ReadAll[T](file)
	if err != nil {
		return fmt.Errorf("embargoed dataset %s: %w", q, err)
	}
	return writeEmbargoed(t, string(q), rows, keys)
}

// shownRow is a source that may be in a dataset. Since is when one that shows only what is
// live was first fetched; nil for one that shows its past.
type shownRow struct {
	Dataset   string     `col:"dataset"`
	SourceKey string     `col:"source_key"`
	Since     *time.Time `col:"since"`
}

// wardRow and middleRow are what reach is measured from and to.
type wardRow struct {
	Source    string  `col:"source"`
	Code      string  `col:"code"`
	Name      string  `col:"name"`
	Council   string  `col:"council"`
	Latitude  float64 `col:"latitude"`
	Longitude float64 `col:"longitude"`
}

type middleRow struct {
	Code      string  `col:"code"`
	Latitude  float64 `col:"latitude"`
	Longitude float64 `col:"longitude"`
}

// askShared finds the vacancies that may be shared, and gives the questions of the embargoed
// datasets what else they read. Wards with one code count once, the first.
func (t *tables) askShared(ctx context.Context) error {
	for _, q := range []cells.Question{cells.Shared, cells.SharedPlaces} {
		if _, err := t.ask(ctx, q); err != nil {
			return err
		}
	}
	shown, err := t.shown()
	if err != nil {
		return err
	}
	var wards []wardRow
	met := map[string]bool{}
	for _, w := range t.build.in.wards {
		if !met[w.Code] {
			met[w.Code] = true
			wards = append(wards, wardRow{w.Source, w.Code, w.Name, w.Council, w.Latitude, w.Longitude})
		}
	}
	return errors.Join(show(ctx, t, "evidence_shown", staging.EvidenceRows(t.projected())),
		show(ctx, t, "shown", shown), show(ctx, t, "ward", wards), show(ctx, t, "middle", t.build.councilMiddles()),
		t.cells.Show(ctx, "occupations", t.writer.TablePath("occupations")))
}

// show lets questions read rows under a name.
func show[T any](ctx context.Context, t *tables, name string, rows []T) error {
	file, err := staging.WriteRows(t.build.o.protected("truth"), "input_"+name, rows)
	if err != nil {
		return err
	}
	return t.cells.Show(ctx, name, file)
}

// shown lists the sources that may be in each dataset that counts vacancies.
func (t *tables) shown() (rows []shownRow, err error) {
	for _, i := range t.build.infos {
		var since *time.Time
		if i.Listing {
			first, err := t.build.archive.FirstAt(i.Key)
			if err != nil {
				return nil, err
			}
			if first.IsZero() {
				first = t.asOf()
			}
			since = &first
		}
		for _, dataset := range []cells.Question{cells.Demand, cells.Trends, cells.Reach} {
			if t.published(string(dataset), i.Key) {
				rows = append(rows, shownRow{string(dataset), i.Key, since})
			}
		}
	}
	return rows, nil
}

// published reports whether a source may be in a dataset. A closed dataset takes any source, an
// open one only sources with a known licence.
func (t *tables) published(dataset, key string) bool {
	return !t.open(dataset) || slices.ContainsFunc(t.build.infos,
		func(i sources.Info) bool { return i.Key == key && i.LicenceKnown() })
}

// councilMiddles returns the centres of area of the councils' outlines.
func (b *build) councilMiddles() []middleRow {
	middles := map[string]middleRow{}
	for _, o := range b.in.boundaries {
		g, err := geojson.UnmarshalGeometry(o.GeoJSON)
		if err != nil || g.Geometry() == nil {
			continue // a fault of the source, which was noted where places are coded
		}
		if middle, area := planar.CentroidArea(g.Geometry()); area != 0 {
			middles[o.Code] = middleRow{o.Code, middle.Lat(), middle.Lon()}
		}
	}
	return slices.Collect(maps.Values(middles))
}

// projected is the evidence that the outlook blends: all of it, and once it is open
// only what is not embargoed for terms of its own.
func (t *tables) projected() []sources.Evidence {
	if !t.open("outlook") {
		return t.build.in.evidence
	}
	return slices.DeleteFunc(slices.Clone(t.build.in.evidence),
		func(e sources.Evidence) bool { return e.Embargoed || !t.published("outlook", e.Source) })
}

// publishers returns the sources whose records a dataset may summarise, by key. Once it is open,
// those that permit no summary, or whose licence is unknown, are not among them.
func (t *tables) publishers(dataset string) map[string]sources.Info {
	return t.publishersWith(func(i sources.Info) bool { return !t.open(dataset) || mayShow(i) })
}

// mayShow reports whether the terms of a source are known and permit a summary.
func mayShow(i sources.Info) bool { return i.Terms.Summarise && i.LicenceKnown() }

func (t *tables) publishersWith(keep func(sources.Info) bool) map[string]sources.Info {
	by := map[string]sources.Info{}
	for _, i := range t.build.infos {
		if keep(i) {
			by[i.Key] = i
		}
	}
	return by
}

// priorityName is the name of a code in the lists of the service.
func (b *build) priorityName(kind, code string) (string, bool) {
	switch kind {
	case sources.PriorityOccupation:
		return b.registers.Occupations.Name(code)
	case sources.PrioritySector:
		return b.registers.Sectors.Name(code)
	case sources.PrioritySkill:
		s, known := b.registers.Skills.Lookup(code)
		return s.Name, known
	}
	return "", false
}

// unknownPriority names a code of a plan that no list holds.
func (b *build) unknownPriority(p sources.Priority) {
	b.report.source(p.Source).fault(sources.Fault{Source: p.Source, Where: p.Kind + " " + p.Code,
		Code:   sources.FaultValue,
		Detail: fmt.Sprintf("%q is the code of no %s in the lists of the service; it is left out", p.Code, p.Kind)})
}
