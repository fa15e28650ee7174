package query

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"labour/serve/api"
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

// matches reports whether a cell passes the filters other than level and skill.
func (o oracle) matches(q api.SkillsUnmetQuery, c cell) bool {
	latest := time.Date(o.asOf.Year(), o.asOf.Month(), 1, 0, 0, 0, 0, time.UTC)
	earliest := latest.AddDate(0, 1-q.Window, 0)
	inPlace := c.place == q.Place
	if q.By == api.ByPlace && q.Place == "" {
		inPlace = c.kind != snapshots.AreaKindAll
	}
	return inPlace && (q.Sector == "" || c.sector == q.Sector) && strings.HasPrefix(c.soc, q.SOC) &&
		(q.Source == "" || c.source == q.Source) && !c.month.Before(earliest) && !c.month.After(latest)
}

// bucket is where a cell falls in the breakdown of denominators; ok is false for
// what is not known.
func bucketOf(q api.SkillsUnmetQuery, c cell) (string, bool) {
	switch q.By {
	case api.ByPlace:
		return c.place, true
	case api.BySector:
		return c.sector, c.sector != ""
	case api.BySOC:
		return c.soc, len(c.soc) == 4
	case api.ByMonth:
		return c.month.Format("2006-01"), true
	}
	return "", true
}

type totals struct {
	adverts   int64
	inCouncil int64
	inArea    int64
	employers map[int32]bool
	sources   map[string]bool
}

func (o oracle) totals(q api.SkillsUnmetQuery) map[string]*totals {
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
		all[b].inCouncil += int64(r.InCouncil)
		all[b].inArea += int64(r.InArea)
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

// asked counts the adverts that ask, by key; a month in which none does has a 0.
func (o oracle) asked(q api.SkillsUnmetQuery, all map[string]*totals) map[key]int64 {
	counts := map[key]int64{}
	for month := range all {
		if q.By == api.ByMonth {
			counts[key{q.Skill, month}] = 0
		}
	}
	for _, r := range o.Adverts {
		b, known := bucketOf(q, ofAdverts(r))
		if q.By == api.ByLevel {
			b = fmt.Sprint(r.Level)
		}
		if known && o.matches(q, ofAdverts(r)) && (q.Level == 0 || int(r.Level) == int(q.Level)) &&
			(q.By == "" || r.Skill == q.Skill) {
			counts[key{r.Skill, b}] += int64(r.Adverts)
		}
	}
	return counts
}

// level is the mode of the levels that all adverts of 24 months ask of a skill, the lower one
// on a tie; where none asks for it, the register's.
func (o oracle) level(skill string) int {
	asked, best := map[int]int64{}, 0
	for _, r := range o.Adverts {
		if r.Skill == skill && o.matches(api.SkillsUnmetQuery{Window: 24}, ofAdverts(r)) {
			asked[int(r.Level)] += int64(r.Adverts)
		}
	}
	for level := 1; level <= 5; level++ {
		if asked[level] > asked[best] {
			best = level
		}
	}
	for _, s := range o.Skills {
		if s.Skill == skill && best == 0 {
			return int(s.ReferenceLevel)
		}
	}
	return best
}

// answer is the whole list and the sources of its rows.
func (o oracle) answer(q api.SkillsUnmetQuery) (rows []api.SkillsUnmetRow, sources []map[string]bool) {
	all := o.totals(q)
	type ranked struct {
		api.SkillsUnmetRow
		sources map[string]bool
	}
	var list []ranked
	for k, adverts := range o.asked(q, all) {
		t := all[k.bucket]
		if q.By == api.ByLevel {
			t = all[""]
		}
		if t != nil {
			list = append(list, ranked{o.row(q, k, adverts, t), t.sources})
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

// placed is how exactly the places of the adverts of a question are known; nil where it
// has no rows, and of a breakdown.
func (o oracle) placed(q api.SkillsUnmetQuery, rows []api.SkillsUnmetRow) *api.AdvertsPlaced {
	if q.By != "" || len(rows) == 0 {
		return nil
	}
	t := o.totals(q)[""]
	share := func(n int64) api.Percent { x := figure.ShareTenths(n, t.adverts); return api.Percent{Tenths: &x} }
	return &api.AdvertsPlaced{InBorough: share(t.inCouncil), InAreaOnly: share(t.inArea),
		NotPlaced: share(t.adverts - t.inCouncil - t.inArea)}
}

func (o oracle) compare(q api.SkillsUnmetQuery, a, b api.SkillsUnmetRow) int {
	if q.By == api.ByMonth {
		return strings.Compare(*a.Bucket, *b.Bucket)
	}
	score := func(r api.SkillsUnmetRow) int64 {
		if r.Score.TenThousandths == nil {
			return -1
		}
		return *r.Score.TenThousandths
	}
	bucket := 0
	if q.By == api.ByPlace && *a.AreaKind != *b.AreaKind { // boroughs first
		return strings.Compare(*b.AreaKind, *a.AreaKind)
	}
	if a.Bucket != nil {
		bucket = strings.Compare(*a.Bucket, *b.Bucket)
	}
	return cmp.Or(cmp.Compare(score(b), score(a)), cmp.Compare(b.AdvertsShare.Tenths, a.AdvertsShare.Tenths),
		strings.Compare(a.Skill, b.Skill), bucket)
}

func (o oracle) row(q api.SkillsUnmetQuery, k key, adverts int64, t *totals) api.SkillsUnmetRow {
	r := api.SkillsUnmetRow{Skill: k.skill, Level: o.level(k.skill), SourceKey: "platform",
		AdvertsSample: figure.AdvertSample{Requiring: adverts, Adverts: t.adverts},
		AdvertsShare:  api.Share{Tenths: figure.ShareTenths(adverts, t.adverts)}}
	r.AdvertsBase, r.AdvertsMargin = based(r.AdvertsShare, t.adverts)
	if q.Level != 0 {
		r.Level = int(q.Level)
	}
	if q.By == api.ByLevel {
		fmt.Sscan(k.bucket, &r.Level)
	}
	for _, l := range o.Levels {
		if int(l.Level) == r.Level {
			r.LevelName = l.Name
		}
	}
	for _, s := range o.Skills {
		if s.Skill == k.skill {
			r.SkillName = s.Name
			if s.Kind == "licence" {
				r.LevelName = "held"
			}
		}
	}
	place := q.Place
	if q.By == api.ByPlace {
		place = k.bucket
	}
	for _, res := range o.Residents {
		if res.Place == place && res.Skill == k.skill && int(res.Level) == r.Level && res.PeopleBelowSharePct != nil {
			score := int64(r.AdvertsShare.Tenths * *res.PeopleBelowSharePct)
			r.PeopleBelow.Tenths, r.Score.TenThousandths = res.PeopleBelowSharePct, &score
		}
	}
	o.people(q, k, &r)
	if q.By != "" {
		r.Bucket = &k.bucket
		name := o.bucketName(q.By, k.bucket)
		if q.By == api.ByLevel {
			name = r.LevelName
		}
		r.BucketName = &name
	}
	for _, p := range o.Places {
		if q.By == api.ByPlace && p.Place == k.bucket {
			r.AreaKind = &p.AreaKind
		}
	}
	return r
}

// based is the band of a number of adverts, and the margin by the formula of the contract.
func based(share api.Share, adverts int64) (string, api.Share) {
	n, band := 5.0, "5-19"
	for lowest, name := range map[int64]string{20: "20-49", 50: "50-99", 100: "100-249", 250: "250-999",
		1000: "1000+"} {
		if adverts >= lowest && float64(lowest) > n {
			n, band = float64(lowest), name
		}
	}
	p := float64(share.Tenths) / 1000
	margin := 1000 * 1.96 * math.Sqrt(p*(1-p)/n+0.46*p/n+0.05*0.05*p*(1-p))
	return band, api.Share{Tenths: figure.Tenths(math.Round(margin))}
}

func (o oracle) people(q api.SkillsUnmetQuery, k key, r *api.SkillsUnmetRow) {
	c := combinationOf(q)
	switch q.By {
	case "":
	case api.ByPlace:
		c.Place = k.bucket
	default:
		c.Value = k.bucket
	}
	for _, p := range o.People {
		if p.Signature != c.Signature || p.Place != c.Place || p.Value != c.Value || p.Skill != k.skill {
			continue
		}
		var n *int64
		if p.PeopleTurnedDown != nil {
			v := int64(*p.PeopleTurnedDown)
			n = &v
		}
		r.TurnedDown.Count, _ = figure.ParseCount(n, p.PeopleTurnedDownStatus)
		r.HiredWith.Tenths, r.TurnedDownWith.Tenths = p.HiredWithSkillPct, p.TurnedDownWithSkillPct
		if r.HiredWith.Tenths != nil && r.TurnedDownWith.Tenths != nil {
			d := *r.HiredWith.Tenths - *r.TurnedDownWith.Tenths
			r.Difference.Tenths = &d
		}
	}
}

func (o oracle) bucketName(by api.Breakdown, bucket string) string {
	switch by {
	case api.ByPlace:
		for _, p := range o.Places {
			if p.Place == bucket {
				return p.Name
			}
		}
	case api.BySector:
		for _, s := range o.Sectors {
			if s.Sector == bucket {
				return s.Name
			}
		}
	case api.BySOC:
		for _, s := range o.Occupations {
			if s.SOC == bucket {
				return s.Name
			}
		}
	case api.ByLevel:
		for _, l := range o.Levels {
			if fmt.Sprint(l.Level) == bucket {
				return l.Name
			}
		}
	case api.ByMonth:
		month, _ := time.Parse("2006-01", bucket)
		return month.Format("January 2006")
	}
	return bucket
}
