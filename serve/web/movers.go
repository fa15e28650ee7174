package web

import (
	"cmp"
	"html/template"
	"net/url"
	"slices"
	"time"

	"labour/serve/api"
	"labour/serve/web/words"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/periods"
)

// moversView lists the skills that adverts require more often than a year before, and those that
// they require less often. It compares the last complete quarter with the same quarter of the year
// before, to exclude seasonal changes.
type moversView struct {
	Now, Before comparedQuarter
	Up, Down    []mover // skills with the largest significant changes
	Clear       int64   // number of skills whose share changed significantly
	// number of skills that adverts of either quarter require and whose share did not change
	// significantly
	Unclear int64
	// first month in which a comparison is possible; empty = possible now, or too few adverts
	From string
	// whether Up and Down have all skills whose share changed significantly
	Whole bool
	Few   bool // whether one of the two quarters has too few adverts
	// NotReceived is true if the quarters cannot be compared and not all adverts of the later one were
	// received.
	NotReceived bool

	now, before    api.Quarter // the two quarters that are compared
	allUp, allDown []mover     // skills with any significant change
}

// comparedQuarter has the name of a calendar quarter, such as "July to September 2026", and its
// number of adverts as a band.
type comparedQuarter struct {
	Name string
	Base template.HTML
}

// mover is a skill whose share of adverts changed significantly within a year.
type mover struct {
	Skill, Name string
	Was, Is     figure.Tenths // shares of adverts a year ago and now, in tenths of a per cent
	URL         string
}

// Change returns the change of the share of adverts in whole percentage points, with a sign, such
// as "+3".
func (m mover) Change() string { return pointsBetween(m.Was, m.Is) }

// ShareBefore returns the share of adverts a year ago as text, such as "12%".
func (m mover) ShareBefore() string { return shareInWords(m.Was) }

// ShareAfter returns the share of adverts now as text, such as "15%".
func (m mover) ShareAfter() string { return shareInWords(m.Is) }

const mostMovers = 8 // largest number of skills in each of moversView.Up and moversView.Down

// moversOf compares the last complete quarter with the same quarter a year before, for the adverts
// that match the filter f. If one of these quarters has no figures, the result states why there is
// no comparison. The result is nil after an error.
func moversOf(v *request, f filter) *moversView {
	if v.err != nil {
		return nil
	}
	p, err := v.snapshot.SkillsUnmetByQuarter(v.ctx, f.query())
	if v.fail(err); err != nil {
		return nil
	}
	addSources(v, p)
	m := &moversView{}
	closed := lastQuarter(v.snapshot.AsOf())
	now, isNow := quarterFrom(p.Rows, closed)
	before, isBefore := quarterFrom(p.Rows, closed.AddDate(-1, 0, 0))
	if !isNow || !isBefore {
		m.From = firstComparison(p.Rows, v.snapshot.AsOf())
		m.Few = m.From == ""
		m.NotReceived = m.Few && lastAdvertsDay(v, f).Before(closed.AddDate(0, 3, -1))
		m.Now.Name, m.Before.Name = quarterInWords(closed), quarterInWords(closed.AddDate(-1, 0, 0))
		return m
	}
	m.now, m.before = now, before
	m.Now, m.Before = comparedOf(now), comparedOf(before)
	m.compare(v, before, now)
	return m
}

// lastQuarter returns the first day of the last calendar quarter that ended before the day asOf. A
// quarter that ends on asOf is not over: a run soon after midnight has no adverts of its own day.
func lastQuarter(asOf time.Time) time.Time {
	return periods.QuarterStart(asOf).AddDate(0, -3, 0)
}

// quarterFrom returns the quarter that begins on the day from. It returns false if that quarter has
// no published figures.
func quarterFrom(quarters []api.Quarter, from time.Time) (api.Quarter, bool) {
	i := slices.IndexFunc(quarters, func(q api.Quarter) bool { return q.From.Equal(from) })
	if i < 0 {
		return api.Quarter{}, false
	}
	return quarters[i], true
}

// firstComparison returns the first month in which two quarters a year apart can be compared, such
// as "October 2026". quarters are the quarters with enough adverts. The result is "" if quarters is
// empty. It is also "" if that month has already begun: then one of the two quarters has too few
// adverts for a comparison.
func firstComparison(quarters []api.Quarter, asOf time.Time) string {
	if len(quarters) == 0 {
		return ""
	}
	from := quarters[0].From.AddDate(1, 3, 0)
	if !from.After(asOf) {
		return ""
	}
	return from.Format("January 2006")
}

func comparedOf(q api.Quarter) comparedQuarter {
	return comparedQuarter{quarterInWords(q.From), template.HTML(words.DisplayName("base", figure.BaseOf(q.Adverts).Band))}
}

// quarterInWords returns the name of a quarter, such as "July to September 2026". from is its first
// day.
func quarterInWords(from time.Time) string {
	return from.Format("January") + " to " + from.AddDate(0, 2, 0).Format("January 2006")
}

// compare finds the skills whose share of adverts changed significantly between two quarters. It
// lists the largest increases and decreases. It counts the skills with a significant change and the
// skills without one.
func (m *moversView) compare(v *request, before, now api.Quarter) {
	errors := v.snapshot.CodingErrors()
	for _, skill := range v.snapshot.NamedValues(api.Skills) {
		was, is := before.AdvertsRequiring(skill.Value), now.AdvertsRequiring(skill.Value)
		if was.Requiring == 0 && is.Requiring == 0 {
			continue
		}
		if !errors.SharesDiffer(was, is) {
			m.Unclear++
			continue
		}
		m.Clear++
		one := mover{Skill: skill.Value, Name: skill.Name, Was: roundedOnce(was.Share(), was),
			Is:  roundedOnce(is.Share(), is),
			URL: address("/skills/"+skill.Value, url.Values{"place": {v.place}})}
		if one.Is > one.Was {
			m.allUp = append(m.allUp, one)
		} else {
			m.allDown = append(m.allDown, one)
		}
	}
	m.Up, m.Down = largestMoves(m.allUp), largestMoves(m.allDown)
	m.Whole = int64(len(m.Up)+len(m.Down)) == m.Clear
}

// largestMoves sorts moves by the size of the change, the largest first. It returns the first
// mostMovers of them.
func largestMoves(moves []mover) []mover {
	slices.SortStableFunc(moves, func(a, b mover) int {
		return cmp.Compare(max(b.Is-b.Was, b.Was-b.Is), max(a.Is-a.Was, a.Was-a.Is))
	})
	return moves[:min(mostMovers, len(moves))]
}

type changesNowView struct {
	Place  string
	Places []optionGroup
	Movers *moversView
	ID     snapshots.ID
	CSV    string
}

func (s *Site) changesNow(v *request) view {
	f := filterOf(v)
	d := changesNowView{
		Place:  f.whose(v.snapshot),
		Places: placeGroups(v.snapshot, f.Place),
		ID:     snapshots.ID(v.snapshot.ID()),
		Movers: moversOf(v, f),
		CSV:    address("/changes.csv", url.Values{"place": {f.Place}}),
	}
	v.stamp.Snapshot, v.stamp.Notice = v.snapshot, pageNotice
	return view{template: "movers", title: "What changed: " + d.Place, section: "/changes", data: d}
}
