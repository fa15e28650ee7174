package diff

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// maxHashes is the largest number of archived files that one row of changes.parquet names.
const maxHashes = 20

// reasons determines the reason for each changed row, from the differences between two manifests.
type reasons struct {
	from, to snapshots.Manifest
	archived map[string]revision // how the archived files of each source differ, by source key
	byKind   map[string][]string // keys of the sources of both snapshots by kind, sorted
	// revisions caches how the archived files of several sources differ, by their joined keys.
	revisions   map[string]revision
	withdrawals withdrawnFigures
}

// revision records whether a source's files changed, and the hashes of the new files. The
// platform's files count as changed if they were fetched again, because their keyed hashes differ
// in every snapshot.
//
// If the newer snapshot was built without the source, hasLeft is true and differs is false: nothing
// new was received, but the configuration has changed.
type revision struct {
	differs   bool
	hasLeft   bool
	newHashes []string // SHA-256 of each new file, sorted, without duplicates
}

// rowReason is the reason for one changed row. sources are the keys of the row's sources, separated
// by commas. If the reason is ReasonRevision, archive has the SHA-256 of up to maxHashes new
// archived files, separated by commas.
type rowReason struct {
	reason           snapshots.ChangeReason
	sources, archive string
}

func newReasons(from, to ComparedSnapshot) (*reasons, error) {
	r := &reasons{from: from.Manifest, to: to.Manifest, archived: map[string]revision{}, byKind: map[string][]string{},
		revisions: map[string]revision{}}
	before, after := objects(from.Manifest), objects(to.Manifest)
	for _, side := range []map[string]map[string]string{before, after} {
		for source := range side {
			r.archived[source] = revise(before[source], after[source])
		}
	}
	for _, dir := range []string{from.Dir, to.Dir} {
		if err := r.readKinds(dir); err != nil {
			return nil, err
		}
	}
	var err error
	r.withdrawals, err = readWithdrawnFigures(to.Dir)
	return r, err
}

// readKinds reads the table sources of the snapshot in dir, and adds its source keys to byKind.
// byKind has the source keys for each kind of source, such as "statistics".
func (r *reasons) readKinds(dir string) error {
	path := snapshots.JoinPath(dir, snapshots.TableFileName("sources"))
	for s, err := range parquetio.Rows[source](path) {
		if err != nil {
			return err
		}
		if !slices.Contains(r.byKind[s.Kind], s.Key) {
			r.byKind[s.Kind] = append(r.byKind[s.Kind], s.Key)
		}
	}
	return nil
}

// source is a row of the table sources, with the columns key and kind only.
type source struct {
	Key  string `col:"key"`
	Kind string `col:"kind"`
}

// objects returns, for each source, the archived files from which a snapshot was built. The inner
// map identifies a file by its name and SHA-256, and its value is the SHA-256. The manifest has no
// SHA-256 for the platform's files. For them, the time of the fetch is used instead, and the value
// is empty.
func objects(m snapshots.Manifest) map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, in := range m.Inputs {
		if all[in.Source] == nil {
			all[in.Source] = map[string]string{}
		}
		for _, o := range in.Objects {
			same := o.SHA256
			if same == "" {
				same = in.FetchedAt.UTC().Format(time.RFC3339)
			}
			all[in.Source][o.Name+"\x00"+same] = o.SHA256
		}
	}
	return all
}

// revise compares the archived files of one source in the older and the newer snapshot. A key of
// each map identifies a file; its value is the SHA-256, which is empty for the platform's files.
func revise(before, after map[string]string) revision {
	if len(after) == 0 {
		return revision{hasLeft: len(before) > 0}
	}
	r := revision{}
	for id, sum := range after {
		if _, there := before[id]; there {
			continue
		}
		r.differs = true
		if sum != "" {
			r.newHashes = append(r.newHashes, sum)
		}
	}
	for id := range before {
		if _, there := after[id]; !there {
			r.differs = true
		}
	}
	slices.Sort(r.newHashes)
	r.newHashes = slices.Compact(r.newHashes)
	return r
}

// reasonFor returns the reason why a row differs between the two snapshots. If several reasons
// apply, it returns the first one in the order of the ChangeReason constants.
//
// If both snapshots were made by the same version of the program from the same files of the same
// sources, only their dates can explain the difference. The reason is then ReasonPeriod and not
// ReasonMethod.
func (r *reasons) reasonFor(c *comparison, old, fresh []parquetio.Value) rowReason {
	sources := r.sources(c, old, fresh)
	b := rowReason{sources: strings.Join(sources, ",")}
	received := r.revision(b.sources, sources)
	people := snapshots.IsPeopleTable(c.table.Name)
	anotherDay := len(sources) > 0 && !r.from.AsOf.Equal(r.to.AsOf.Time)
	switch {
	case people && fresh == nil && r.peopleWithdrawn(c, old), r.withdrawals.mustHide(c, old, fresh):
		b.reason = snapshots.ReasonWithdrawal
	case people && !samePeriod(r.from.PeopleAsOf, r.to.PeopleAsOf) || c.periods.isUncovered(c.layout, old, fresh):
		b.reason = snapshots.ReasonPeriod
	case received.differs:
		b.reason = snapshots.ReasonRevision
		b.archive = strings.Join(received.newHashes[:min(maxHashes, len(received.newHashes))], ",")
	case received.hasLeft:
		b.reason = snapshots.ReasonMethod
	case c.table.Name == "freshness": // the same bytes, received at another time
		b.reason = snapshots.ReasonPeriod
	case anotherDay && r.from.ToolVersion == r.to.ToolVersion: // the same bytes, described on another day
		b.reason = snapshots.ReasonPeriod
	default:
		b.reason = snapshots.ReasonMethod
	}
	return b
}

// peopleWithdrawn reports whether the operator withdrew the counts of people in a row between the
// two snapshots. old is the row in the older snapshot.
func (r *reasons) peopleWithdrawn(c *comparison, old []parquetio.Value) bool {
	skill := ""
	if at := c.layout.at("skill"); at >= 0 {
		skill = old[at].Text
	}
	_, before := snapshots.WithdrawalOf(r.from.PeopleWithdrawn, skill)
	_, now := snapshots.WithdrawalOf(r.to.PeopleWithdrawn, skill)
	return now && !before
}

func samePeriod(a, b *snapshots.Date) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Equal(b.Time)
}

// sources returns the keys of the sources that a row names in either snapshot, sorted. If the row
// names no source, it returns all sources of the table's kinds.
func (r *reasons) sources(c *comparison, old, fresh []parquetio.Value) []string {
	var keys []string
	for _, row := range [][]parquetio.Value{old, fresh} {
		for _, at := range c.layout.sources {
			if row != nil && row[at].Text != "" {
				keys = append(keys, strings.Split(row[at].Text, ",")...)
			}
		}
	}
	if len(keys) == 0 {
		for _, kind := range c.table.From {
			keys = append(keys, r.byKind[kind]...)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// revision returns how the archived files of several sources differ between the two snapshots. It
// caches the result under text, which has the keys of the sources, separated by commas.
func (r *reasons) revision(text string, sources []string) revision {
	if known, ok := r.revisions[text]; ok {
		return known
	}
	joined := revision{}
	for _, key := range sources {
		joined.differs = joined.differs || r.archived[key].differs
		joined.hasLeft = joined.hasLeft || r.archived[key].hasLeft
		joined.newHashes = append(joined.newHashes, r.archived[key].newHashes...)
	}
	slices.Sort(joined.newHashes)
	joined.newHashes = slices.Compact(joined.newHashes)
	r.revisions[strings.Clone(text)] = joined
	return joined
}

// period names the column of a table that has the period of a row, such as "month". It also names
// the columns that identify a series. Each series has its own first and last period, because one
// series may be a year behind another.
//
// The table evidence has no such column: a publisher that revises one figure publishes the whole
// data set on another day, and that day is not the period of a figure.
type period struct {
	column        string
	seriesColumns []string
}

var periodOf = map[string]period{
	"adverts": {"month", nil}, "adverts_total": {"month", nil}, "jobs": {"posted_at", nil},
	"events": {"occurred_at", nil}, "demand": {"day", nil},
	"course_demand": {"period_end", []string{"source_key", "metric", "country"}},
	"skills_gaps":   {"horizon_year", []string{"source_key"}},
	"signals":       {"published_on", []string{"source_key"}},
	"priorities":    {"published_on", []string{"source_key"}},
}

// span holds the first and the last period of one series in one snapshot, as integers. A day is the
// number of days since 1970.
type span struct{ first, last int64 }

// periods holds the first and the last period of each series in the older and the newer snapshot.
// seriesKey makes the keys of the maps.
type periods struct {
	period
	before, after map[string]*span
}

func readPeriods(table, before, after string) (p periods, err error) {
	p.period = periodOf[table]
	if p.column == "" {
		return p, nil
	}
	if p.before, err = p.spans(before); err == nil {
		p.after, err = p.spans(after)
	}
	return p, err
}

func (p period) spans(path string) (map[string]*span, error) {
	all := map[string]*span{}
	for v, err := range parquetio.ScanColumns(path, append([]string{p.column}, p.seriesColumns...)) {
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return nil, err
		}
		if v[0].IsNull {
			continue
		}
		id, at := seriesKey(v[1:]), v[0].Int
		if s, seen := all[id]; seen {
			s.first, s.last = min(s.first, at), max(s.last, at)
		} else {
			all[strings.Clone(id)] = &span{at, at}
		}
	}
	return all, nil
}

// seriesKey returns the map key of a series: the texts of v, joined by NUL. v holds the values of
// the columns that identify the series. A caller that keeps the key must clone it, because it may
// share memory with v.
func seriesKey(v []parquetio.Value) string {
	texts := make([]string, len(v))
	for i, one := range v {
		texts[i] = one.Text
	}
	return strings.Join(texts, "\x00")
}

// isUncovered reports whether an added or removed row has a period that the other snapshot does not
// cover. Such a period is before the first or after the last period of the row's series. The result
// is false if the other snapshot lacks the whole series, or if the row has no period.
func (p periods) isUncovered(l layout, old, fresh []parquetio.Value) bool {
	row, other := fresh, p.before
	if fresh == nil {
		row, other = old, p.after
	}
	isInBoth := old != nil && fresh != nil
	if p.column == "" || isInBoth || row[l.at(p.column)].IsNull {
		return false
	}
	var values []parquetio.Value
	for _, name := range p.seriesColumns {
		values = append(values, row[l.at(name)])
	}
	s, there := other[seriesKey(values)]
	at := row[l.at(p.column)].Int
	return there && (at < s.first || at > s.last)
}
