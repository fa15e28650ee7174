package query

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"labour/serve/labourdata"
	"labour/serve/query/lattice"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/snaptest"
)

// oracle answers questions about skills not met by walking through every row of
// the tables, as the contract words them and with no thought for speed.
type oracle struct {
	snaptest.Content
	asOf time.Time
}

// cell is what an advert row and a row of totals have in common.
type cell struct {
	kind, place, sector, soc, source string
	month                            time.Time
}

func ofAdverts(r snapshots.AdvertsRow) cell {
	return cell{r.AreaKind, r.Place, r.Sector, r.SOC, r.Source, r.Month}
}

func ofTotal(r snapshots.AdvertsTotalRow) cell {
	return cell{r.AreaKind, r.Place, r.Sector, r.SOC, r.Source, r.Month}
}

// matches says whether a cell passes the filters other than level and skill.
func (o oracle) matches(q labourdata.SkillsUnmetQuery, c cell) bool {
	latest := time.Date(o.asOf.Year(), o.asOf.Month(), 1, 0, 0, 0, 0, time.UTC)
	earliest := latest.AddDate(0, 1-q.Window, 0)
	inPlace := c.place == q.Place
	if q.By == labourdata.ByPlace && q.Place == "" {
		inPlace = c.kind != snapshots.AreaAll
	}
	return inPlace && (q.Sector == "" || c.sector == q.Sector) && strings.HasPrefix(c.soc, q.SOC) &&
		(q.Source == "" || c.source == q.Source) && !c.month.Before(earliest) && !c.month.After(latest)
}

// bucket is where a cell falls in the breakdown of denominators; ok is false for
// what is not known.
func bucketOf(q labourdata.SkillsUnmetQuery, c cell) (string, bool) {
	switch q.By {
	case labourdata.ByPlace:
		return c.place, true
	case labourdata.BySector:
		return c.sector, c.sector != ""
	case labourdata.BySOC:
		return c.soc, c.soc != ""
	case labourdata.ByMonth:
		return c.month.Format("2006-01"), true
	}
	return "", true
}

type totals struct {
	adverts   int64
	employers map[int32]bool
	sources   map[string]bool
}

func (o oracle) totals(q labourdata.SkillsUnmetQuery) map[string]*totals {
	all := map[string]*totals{}
	for _, r := range o.AdvertsTotal {
		b, known := bucketOf(q, ofTotal(r))
		if !known || !o.matches(q, ofTotal(r)) {
			continue
		}
		if all[b] == nil {
			all[b] = &totals{employers: map[int32]bool{}, sources: map[string]bool{}}
		}
		all[b].adverts += int64(r.Adverts)
		all[b].sources[r.Source] = true
		all[b].employers[r.Employer1] = true
		for _, e := range []*int32{r.Employer2, r.Employer3} {
			if e != nil {
				all[b].employers[*e] = true
			}
		}
	}
	maps.DeleteFunc(all, func(_ string, t *totals) bool { return t.adverts < 5 || len(t.employers) < 3 })
	return all
}

// key is a row before it is ranked: a skill, or a bucket of one.
type key struct{ skill, bucket string }

// asked counts the adverts that ask, by key and level stated.
func (o oracle) asked(q labourdata.SkillsUnmetQuery) map[key]map[int8]int64 {
	counts := map[key]map[int8]int64{}
	for _, r := range o.Adverts {
		b, known := bucketOf(q, ofAdverts(r))
		if q.By == labourdata.ByLevel {
			b, known = fmt.Sprint(r.Level), r.Level > 0
		}
		if !known || !o.matches(q, ofAdverts(r)) || q.Level != 0 && int(r.Level) != q.Level || q.By != "" && r.Skill != q.Skill {
			continue
		}
		k := key{r.Skill, b}
		if counts[k] == nil {
			counts[k] = map[int8]int64{}
		}
		counts[k][r.Level] += int64(r.Adverts)
	}
	return counts
}

// usual is the mode of the stated levels, the lower one on a tie.
func (o oracle) usual(skill string, levels map[int8]int64) int {
	best := int8(0)
	for level := int8(1); level <= 5; level++ {
		if levels[level] > 0 && (best == 0 || levels[level] > levels[best]) {
			best = level
		}
	}
	if best > 0 {
		return int(best)
	}
	for _, s := range o.Skills {
		if s.Skill == skill {
			return int(s.ReferenceLevel)
		}
	}
	return 0
}

// answer is the whole list and the sources of its rows.
func (o oracle) answer(q labourdata.SkillsUnmetQuery) (rows []labourdata.SkillsUnmetRow, sources []map[string]bool) {
	all := o.totals(q)
	type ranked struct {
		labourdata.SkillsUnmetRow
		sources map[string]bool
	}
	var list []ranked
	for k, levels := range o.asked(q) {
		t := all[k.bucket]
		if q.By == labourdata.ByLevel {
			t = all[""]
		}
		if t != nil {
			list = append(list, ranked{o.row(q, k, levels, t), t.sources})
		}
	}
	slices.SortFunc(list, func(a, b ranked) int { return o.compare(q, a.SkillsUnmetRow, b.SkillsUnmetRow) })
	for i, r := range list {
		r.Rank = i + 1
		if q.Skill == "" || r.Skill == q.Skill {
			rows, sources = append(rows, r.SkillsUnmetRow), append(sources, r.sources)
		}
	}
	return rows, sources
}

func (o oracle) compare(q labourdata.SkillsUnmetQuery, a, b labourdata.SkillsUnmetRow) int {
	if q.By == labourdata.ByMonth {
		return strings.Compare(*a.Bucket, *b.Bucket)
	}
	score := func(r labourdata.SkillsUnmetRow) int64 {
		if r.Score == nil {
			return -1
		}
		return *r.Score
	}
	bucket := 0
	if a.Bucket != nil {
		bucket = strings.Compare(*a.Bucket, *b.Bucket)
	}
	return cmp.Or(cmp.Compare(score(b), score(a)), cmp.Compare(b.AdvertsShare, a.AdvertsShare), strings.Compare(a.Skill, b.Skill), bucket)
}

func (o oracle) row(q labourdata.SkillsUnmetQuery, k key, levels map[int8]int64, t *totals) labourdata.SkillsUnmetRow {
	var adverts int64
	for _, n := range levels {
		adverts += n
	}
	r := labourdata.SkillsUnmetRow{Skill: k.skill, Level: o.usual(k.skill, levels), SourceKey: "platform",
		AdvertsShare: figure.ShareTenths(adverts, t.adverts)}
	for _, s := range o.Skills {
		if s.Skill == k.skill {
			r.SkillName = s.Name
		}
	}
	for _, l := range o.Levels {
		if int(l.Level) == r.Level {
			r.LevelName = l.Name
		}
	}
	place := q.Place
	if q.By == labourdata.ByPlace {
		place = k.bucket
	}
	for _, res := range o.Residents {
		if res.Place == place && res.Skill == k.skill && res.PeopleBelowSharePct != nil {
			score := figure.ScoreHundredths(r.AdvertsShare, *res.PeopleBelowSharePct)
			r.PeopleBelow, r.Score = res.PeopleBelowSharePct, &score
		}
	}
	o.people(q, k, &r)
	if q.By != "" {
		r.Bucket = &k.bucket
		name := o.bucketName(q.By, k.bucket)
		r.BucketName = &name
	}
	return r
}

func (o oracle) people(q labourdata.SkillsUnmetQuery, k key, r *labourdata.SkillsUnmetRow) {
	c := lattice.Of(q)
	switch q.By {
	case "":
	case labourdata.ByPlace:
		c.Place = k.bucket
	default:
		c.Value = k.bucket
	}
	for _, p := range o.People {
		if p.Signature != c.Signature || p.Place != c.Place || p.Value != c.Value || int(p.WindowMonths) != c.Window || p.Skill != k.skill {
			continue
		}
		var n *int64
		if p.PeopleTurnedDown != nil {
			v := int64(*p.PeopleTurnedDown)
			n = &v
		}
		r.TurnedDown, _ = figure.Parse(n, p.PeopleTurnedDownStatus)
		r.HiredWith, r.TurnedDownWith = p.HiredWithSkillPct, p.TurnedDownWithSkillPct
		if r.HiredWith != nil && r.TurnedDownWith != nil {
			d := *r.HiredWith - *r.TurnedDownWith
			r.Difference = &d
		}
	}
}

func (o oracle) bucketName(by labourdata.By, bucket string) string {
	switch by {
	case labourdata.ByPlace:
		for _, p := range o.Places {
			if p.Place == bucket {
				return p.Name
			}
		}
	case labourdata.BySector:
		for _, s := range o.Sectors {
			if s.Sector == bucket {
				return s.Name
			}
		}
	case labourdata.BySOC:
		for _, s := range o.Occupations {
			if s.SOC == bucket {
				return s.Name
			}
		}
	case labourdata.ByLevel:
		for _, l := range o.Levels {
			if fmt.Sprint(l.Level) == bucket {
				return l.Name
			}
		}
	case labourdata.ByMonth:
		month, _ := time.Parse("2006-01", bucket)
		return month.Format("January 2006")
	}
	return bucket
}
