package yeartest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"time"
)

// cell is a number of people with the sum of their keys.
type cell struct {
	n   int
	key uint64
}

func (c *cell) add(key uint64) { c.n, c.key = c.n+1, c.key+key }

// ofPeople is the scope of the keys of people: "The same people print the same wherever they stand, so that
// asking twice gives nothing new", under every skill too.
const ofPeople = ""

// recordKey is the first 8 bytes of HMAC-SHA-256 of the secret over scope and record.
func recordKey(scope, record string) uint64 {
	raw, err := hex.DecodeString(secret)
	if err != nil {
		panic(err)
	}
	mac := hmac.New(sha256.New, raw)
	mac.Write([]byte(scope + "\x00" + record))
	return binary.BigEndian.Uint64(mac.Sum(nil))
}

// printed is what a count prints: a number, small ("<5") or nothing.
type printed struct {
	number int
	small  bool
	hidden bool
}

func (p printed) String() string {
	switch {
	case p.hidden:
		return "null"
	case p.small:
		return "<5"
	}
	return fmt.Sprint(p.number)
}

// print is P1: 0 is 0, 1 to 4 is "<5", and from 5 on one of the two multiples of 5 around it, by
// the key of the cell.
func (r rules) print(c cell) printed {
	q, rest := c.n/5, c.n%5
	switch {
	case c.n == 0:
		return printed{}
	case c.n < 5:
		return printed{small: true}
	case c.key < uint64(rest)*((1<<64-1)/5):
		return printed{number: 5 * (q + 1)}
	}
	return printed{number: 5 * q}
}

// below is P2: below a cell that prints "<5", less than 10 or nothing everything is null, zeros too;
// below one that prints 10 or 15 all that prints less than 10 is; below a printed 0 everything is 0.
func (r rules) below(c cell, parents ...printed) printed {
	alone := r.print(c)
	for _, p := range parents {
		small := p.hidden || p.small || p.number == 5
		coarse := p.number == 10 || p.number == 15
		if small || coarse && alone.number < 10 {
			return printed{hidden: true}
		}
	}
	return alone
}

// share is P3: whole per cent of printed counts, never above 100, where the printed total is at least 20.
func (r rules) share(part, whole printed) string {
	if part.hidden || whole.hidden || whole.small || whole.number < 20 {
		return "null"
	}
	twice := 2 * part.number
	if part.small {
		twice = 5
	}
	pct := (twice*100 + whole.number) / (2 * whole.number)
	return tenths(int64(min(pct, 100)) * 10)
}

// period is the time that figures of people describe, both days included.
type period struct{ from, to string }

// quarterOf returns the twelve months up to the end of the last quarter that is closed on a day.
func quarterOf(asOf string) period {
	d := day(asOf)
	first := time.Date(d.Year(), (d.Month()-1)/3*3+1, 1, 0, 0, 0, 0, time.UTC)
	return endingBefore(first)
}

func endingBefore(first time.Time) period {
	return period{date(first.AddDate(-1, 0, 0)), date(first.AddDate(0, 0, -1))}
}

// before returns the quarter before.
func (p period) before() period { return endingBefore(day(p.to).AddDate(0, 0, 1).AddDate(0, -3, 0)) }

// whole reports whether an extract is known to hold all of the period: its index says so, or it was
// fetched 24 hours after the end or later.
func (p period) whole(fetched, complete time.Time) bool {
	over := day(p.to).AddDate(0, 0, 1)
	if !complete.IsZero() {
		return !complete.Before(over)
	}
	return !fetched.Before(over.Add(24 * time.Hour))
}

// happened is an outcome of one person for one skill, where it counts.
type happened struct {
	day   string
	when  time.Time
	place string
	value map[string][]string // by filter
	had   bool
}

// measures are what is counted of people of a skill: turned down for it; hired, and had it; turned
// down, and had it.
var measures = []string{"named", "hired", "hired had", "turned", "turned had"}

// outcomes returns of each person the most recent event of a kind in the period.
func (k *known) outcomes(of period, asOf string) map[string]map[string]map[string]happened {
	adverts := map[string]counted{}
	for _, a := range k.adverts(asOf) {
		adverts[a.id] = a
	}
	homes := map[string]string{}
	for _, r := range k.applied.Residents {
		homes[r.ID] = r.Borough
	}
	latest := map[string]map[string]map[string]happened{} // by skill, kind and person
	for _, a := range k.applied.Applications {
		advert, counts := adverts[a.Advert]
		if !counts || a.Recorded == "" || a.Recorded[:10] < of.from || a.Recorded[:10] > of.to ||
			a.Outcome == "withdrawn" {
			continue
		}
		when, _ := time.Parse(time.RFC3339, a.Recorded) // written by the world
		for _, s := range a.Skills {
			h := happened{a.Recorded[:10], when, placeOf(advert, homes[a.Resident]), valuesOf(advert, s),
				s.Held >= s.Asked}
			kinds := []string{"hired"}
			if a.Outcome == "turned_down" {
				kinds = []string{"turned"}
				if s.Named {
					kinds = []string{"turned", "named"}
				}
			}
			for _, kind := range kinds {
				keep(latest, s.Skill, kind, a.Resident, h)
			}
		}
	}
	return latest
}

func keep(latest map[string]map[string]map[string]happened, skill, kind, person string, h happened) {
	if latest[skill] == nil {
		latest[skill] = map[string]map[string]happened{}
	}
	if latest[skill][kind] == nil {
		latest[skill][kind] = map[string]happened{}
	}
	if was, ok := latest[skill][kind][person]; !ok || was.when.Before(h.when) {
		latest[skill][kind][person] = h
	}
}

// placeOf returns the borough in which an applicant counts: their own if the advert has it, else
// its first.
func placeOf(a counted, home string) string {
	switch {
	case len(a.boroughs) == 0:
		return ""
	case slices.Contains(a.boroughs, home):
		return home
	}
	return a.boroughs[0]
}

// valuesOf returns under which value of each filter an outcome counts.
func valuesOf(a counted, s judged) map[string][]string {
	values := map[string][]string{"none": {""}, "level": {fmt.Sprint(s.Asked)}, "source": {a.source}}
	if a.sector != "" {
		values["sector"] = []string{a.sector}
	}
	for n := range len(a.soc) {
		values["soc"] = append(values["soc"], a.soc[:n+1])
	}
	return values
}

// at is a published combination of a place and the value of a filter.
type combination struct{ place, filter, value string }

// parents returns the cells that a combination is directly a part of.
func (c combination) parents() []combination {
	var up []combination
	if slices.Contains(areaMembers, c.place) {
		up = append(up, combination{area, c.filter, c.value})
	}
	if c.place != "" {
		up = append(up, combination{"", c.filter, c.value})
	}
	if c.filter == "soc" && len(c.value) > 1 {
		up = append(up, combination{c.place, "soc", c.value[:len(c.value)-1]})
	}
	if c.filter != "none" {
		up = append(up, combination{c.place, "none", ""})
	}
	return up
}

// signature is how the table names the filters of a combination.
func (c combination) signature() string {
	switch {
	case c.place == "":
		return c.filter
	case c.filter == "none":
		return "place"
	}
	return "place_" + c.filter
}

// askable returns the combinations that P9 lets be asked: at least 5 adverts of at least 3
// employers in the period. Under level they are those of the other filter.
func (k *known) askable(of period, asOf string) map[combination]bool {
	adverts, employers := map[combination]int{}, map[combination]map[int]bool{}
	for _, a := range k.adverts(asOf) {
		if a.posted < of.from || a.posted > of.to || len(a.skills) == 0 {
			continue
		}
		for _, p := range a.places() {
			for filter, values := range valuesOf(a, judged{}) {
				for _, v := range values {
					if filter == "level" {
						continue
					}
					c := combination{p[1], filter, v}
					adverts[c]++
					if employers[c] == nil {
						employers[c] = map[int]bool{}
					}
					employers[c][a.employer] = true
				}
			}
		}
	}
	may := map[combination]bool{}
	for c, n := range adverts {
		if n < 5 || len(employers[c]) < 3 {
			continue
		}
		may[c] = true
		for level := 1; c.filter == "none" && level <= 5; level++ {
			may[combination{c.place, "level", fmt.Sprint(level)}] = true
		}
	}
	return may
}

// asked returns at which levels, by place, adverts of 24 months ask for each skill: under `level=`
// "only adverts that ask for the skill at that level are in the numerator", so that a skill which
// none asks for at the level has no row there.
func (k *known) asked(r rules, asOf string) map[string]map[combination]bool {
	asked := map[string]map[combination]bool{}
	for _, a := range k.adverts(asOf) {
		if monthsBack(a.month, asOf) >= 24 {
			continue
		}
		for _, p := range a.places() {
			for _, s := range a.skills {
				if asked[s.Skill] == nil {
					asked[s.Skill] = map[combination]bool{}
				}
				asked[s.Skill][combination{p[1], "level", fmt.Sprint(r.level(s))}] = true
			}
		}
	}
	return asked
}
