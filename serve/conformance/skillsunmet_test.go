package conformance

import (
	"math/big"
	"net/http"
	"strconv"
	"testing"
)

// unmetLists runs a test on lists of skills not met under several filters.
func unmetLists(t *testing.T, test func(*testing.T, string, []row)) {
	t.Helper()
	each(t, func(t *testing.T, s *server) {
		borough := s.borough(t)
		for _, pairs := range [][]string{{}, {"place", borough}, {"sector", s.buckets(t, "sector")[0].text("bucket")},
			{"level", "2"},
			{"source", "employer_boards"}, {"window", "3"}, {"place", borough, "level", "3"}} {
			path := query("/v1/labour/skills-unmet", append(pairs, "limit", "200")...)
			test(t, path, s.kept(t, path))
		}
	})
}

// unmetRows runs a test on every row of them.
func unmetRows(t *testing.T, test func(*testing.T, row)) {
	t.Helper()
	unmetLists(t, func(t *testing.T, _ string, rows []row) {
		for _, r := range rows {
			test(t, r)
		}
	})
}

// "Each row ranks one skill."
func TestUnmetRowRanksOneSkill(t *testing.T) {
	unmetLists(t, func(t *testing.T, path string, rows []row) {
		if len(rows) == 0 || len(keys(rows, "skill")) != len(rows) {
			t.Errorf("%s: %d rows of %d skills", path, len(rows), len(keys(rows, "skill")))
		}
		for i, r := range rows {
			if r.whole(t, "rank") != int64(i+1) {
				t.Fatalf("%s: row %d has rank %v", path, i+1, r["rank"])
			}
		}
	})
}

// "Share of adverts asking for the skill: adverts_share_pct."
func TestUnmetAdvertsShare(t *testing.T) {
	unmetRows(t, func(t *testing.T, r row) {
		checkPercent(t, r, "adverts_share_pct", 0, 100)
		if r["adverts_share_pct"] == nil {
			t.Errorf("no adverts_share_pct in %v", r)
		}
	})
}

// "Level usually asked."
func TestUnmetLevelUsuallyAsked(t *testing.T) {
	unmetRows(t, func(t *testing.T, r row) {
		if level := r.whole(t, "level"); level < 1 || level > 5 {
			t.Errorf("level %d in %v", level, r)
		}
	})
}

// belowByLevel are the shares of residents below each level, as rows of one skill
// print them under filters and in breakdowns that leave the residents alone.
func (s *server) belowByLevel(t *testing.T, skill, place string) map[int64]*big.Rat {
	t.Helper()
	below := map[int64]*big.Rat{}
	filters := [][]string{{}}
	for level := 1; level <= 5; level++ {
		filters = append(filters, []string{"level", strconv.Itoa(level)})
	}
	for _, by := range []string{"sector", "soc"} {
		filters = append(filters, []string{"by", by, "limit", "200"})
	}
	for _, f := range filters {
		pairs := append([]string{"skill", skill}, f...)
		if place != "" {
			pairs = append(pairs, "place", place)
		}
		for _, r := range s.labour(t, query("skills-unmet", pairs...)).Data {
			share, level := r.number("people_below_share_pct"), r.whole(t, "level")
			if before := below[level]; before != nil && share != nil && before.Cmp(share) != 0 {
				t.Errorf("%s below level %d: %v under %v, %v elsewhere", skill, level, share.FloatString(1), f,
					before.FloatString(1))
			}
			if share != nil {
				below[level] = share
			}
		}
	}
	return below
}

// printedFall is how far a printed share of residents may fall from a level to a higher
// one, in percentage points, though no fewer residents are below it. Each of the two
// counts prints as a multiple of 5 less than 5 away from the truth, so the higher one
// prints at most 5 lower; the least printed denominator of a share is 20; and both shares
// are rounded to whole per cent.
var printedFall = big.NewRat(100*5/20+1, 1)

// "Share of residents below that level: people_below_share_pct." It is the level of
// the row itself: a higher level has a smaller share only by how counts are printed,
// and the same level always has the same.
func TestUnmetShareBelowThatLevel(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		levels, borough := 0, s.borough(t)
		for _, r := range s.some(t, "skills-unmet?limit=12").Data {
			for _, place := range []string{"", borough} {
				below := s.belowByLevel(t, r.text("skill"), place)
				levels = max(levels, len(below))
				highest := new(big.Rat)
				for level := int64(1); level <= 5; level++ {
					share := below[level]
					if share == nil {
						continue
					}
					if new(big.Rat).Sub(highest, share).Cmp(printedFall) > 0 {
						t.Errorf("%s in %q: %s below level %d, %s below a lower one", r.text("skill"), place,
							share.FloatString(1), level, highest.FloatString(1))
					}
					if share.Cmp(highest) > 0 {
						highest = share
					}
				}
			}
		}
		if levels < 2 {
			t.Error("no skill is asked at two levels")
		}
	})
}

// "People turned down for the skill: count. Subject to small-number rule."
func TestUnmetPeopleTurnedDown(t *testing.T) {
	unmetRows(t, func(t *testing.T, r row) { checkPeople(t, r, "people_turned_down") })
}

// "Share of hired applicants who had the skill at the level the role asked."
func TestUnmetHiredShare(t *testing.T) {
	unmetRows(t, func(t *testing.T, r row) { checkPercent(t, r, "hired_with_skill_pct", 0, 100) })
}

// "Share of turned-down applicants who had it at that level."
func TestUnmetTurnedDownShare(t *testing.T) {
	unmetRows(t, func(t *testing.T, r row) { checkPercent(t, r, "turned_down_with_skill_pct", 0, 100) })
}

// "Hired share minus turned-down share: difference_pct_points."
func TestUnmetDifference(t *testing.T) {
	unmetRows(t, func(t *testing.T, r row) {
		checkPercent(t, r, "difference_pct_points", -100, 100)
		hired, turnedDown, difference := r.number("hired_with_skill_pct"), r.number("turned_down_with_skill_pct"),
			r.number("difference_pct_points")
		switch {
		case hired == nil || turnedDown == nil:
			if difference != nil {
				t.Errorf("a difference without both shares: %v", r)
			}
		case difference == nil || new(big.Rat).Sub(hired, turnedDown).Cmp(difference) != 0:
			t.Errorf("difference_pct_points is %v in %v", r["difference_pct_points"], r)
		}
	})
}

// "A large positive value means the skill is part of why people get these jobs": some
// skills have one.
func TestUnmetDifferenceIsKnownSomewhere(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, r := range s.walk(t, "/v1/labour/skills-unmet?window=24&limit=200") {
			if d := r.number("difference_pct_points"); d != nil && d.Sign() > 0 {
				return
			}
		}
		t.Error("no skill has a positive difference")
	})
}

// "score = adverts_share_pct × people_below_share_pct / 100."
func TestUnmetScore(t *testing.T) {
	unmetRows(t, func(t *testing.T, r row) {
		r.has(t, "score")
		adverts, below, score := r.number("adverts_share_pct"), r.number("people_below_share_pct"), r.number("score")
		switch {
		case adverts == nil || below == nil:
			if score != nil {
				t.Errorf("a score without both shares: %v", r)
			}
		case score == nil || new(big.Rat).Mul(score, big.NewRat(100, 1)).Cmp(new(big.Rat).Mul(adverts, below)) != 0:
			t.Errorf("score %v, of %v and %v", r["score"], r["adverts_share_pct"], r["people_below_share_pct"])
		}
	})
}

// "It reads as how many of every 100 advert-person pairings are an advert asking for
// the skill and a person who does not yet meet it": from 0 to 100. It is
// known for nearly every skill of the whole platform, and for many of a borough, where small groups
// have no share.
func TestUnmetScoreIsKnown(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for place, leastPct := range map[string]int{"": 90, s.borough(t): 20} {
			path := "/v1/labour/skills-unmet?limit=200"
			if place != "" {
				path += "&place=" + place
			}
			rows, known := s.walk(t, path), 0
			for _, r := range rows {
				if score := r.number("score"); score != nil {
					known++
					if score.Sign() < 0 || score.Cmp(big.NewRat(100, 1)) > 0 {
						t.Errorf("score %v", r["score"])
					}
				}
			}
			if known*100 < len(rows)*leastPct {
				t.Errorf("%s: the score of %d of %d rows is known, at least %d %% are wanted", path, known, len(rows),
					leastPct)
			}
		}
	})
}

// "Skills adverts ask for that people do not yet meet, ranked": by score.
func TestUnmetIsRankedByScore(t *testing.T) {
	unmetLists(t, func(t *testing.T, path string, rows []row) {
		for i := range rows[:max(len(rows)-1, 0)] {
			a, b := rows[i].number("score"), rows[i+1].number("score")
			if a == nil && b != nil || a != nil && b != nil && a.Cmp(b) < 0 {
				t.Errorf("%s: rank %d has score %v, the next one %v", path, i+1, rows[i]["score"], rows[i+1]["score"])
			}
		}
	})
}

// narrowed checks that a filter is taken and changes the list.
func narrowed(t *testing.T, s *server, name, value string) {
	t.Helper()
	all := s.walk(t, "/v1/labour/skills-unmet?limit=200")
	rows := s.walk(t, query("/v1/labour/skills-unmet", name, value, "limit", "200"))
	if len(rows) == 0 || comparable(t, rows) == comparable(t, all) {
		t.Errorf("%s=%s: %d rows, the same as without it: %v", name, value, len(rows), len(rows) > 0)
	}
}

// "place: slug of a borough …"
func TestUnmetPlaceIsABorough(t *testing.T) {
	each(t, func(t *testing.T, s *server) { narrowed(t, s, "place", s.borough(t)) })
}

// "… or of another served area."
func TestUnmetPlaceIsAnArea(t *testing.T) {
	each(t, func(t *testing.T, s *server) { narrowed(t, s, "place", s.place(t, "area")) })
}

// "An unknown place returns 400."
func TestUnmetUnknownPlace(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		s.refused(t, "/v1/labour/skills-unmet?place=nowhere-at-all", http.StatusBadRequest, "unknown_place")
	})
}

// "sector: sector filter."
func TestUnmetSector(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		narrowed(t, s, "sector", s.buckets(t, "sector")[0].text("bucket"))
		s.refused(t, "/v1/labour/skills-unmet?sector=nothing", http.StatusBadRequest, "invalid_parameter")
	})
}

// "soc: occupation code, SOC 2020."
func TestUnmetSOC(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		soc := s.buckets(t, "soc")[0].text("bucket")
		narrowed(t, s, "soc", soc)
		narrowed(t, s, "soc", soc[:2])
		s.refused(t, "/v1/labour/skills-unmet?soc=9999", http.StatusBadRequest, "invalid_parameter")
		s.refused(t, "/v1/labour/skills-unmet?soc=0", http.StatusBadRequest, "invalid_parameter")
	})
}

// "level: skill level filter."
func TestUnmetLevel(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, level := range []string{"1", "2", "3", "4", "5"} {
			for _, r := range s.labour(t, "skills-unmet?limit=200&level="+level).Data {
				if strconv.FormatInt(r.whole(t, "level"), 10) != level {
					t.Errorf("level=%s: %v", level, r)
				}
			}
		}
		s.refused(t, "/v1/labour/skills-unmet?level=6", http.StatusBadRequest, "invalid_parameter")
	})
}

// "source: source filter."
func TestUnmetSource(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, source := range []string{"platform", "employer_boards", "find_an_apprenticeship"} {
			narrowed(t, s, "source", source)
		}
	})
}

// An advert counts under the source where it was first posted, and credits it.
func TestUnmetSourcesAreCredited(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for source, want := range map[string]string{"find_an_apprenticeship": "find_an_apprenticeship",
			"employer_boards": "employer_boards"} {
			if got := keys(s.some(t, "skills-unmet?limit=5&source="+source).Sources, "key"); !got[want] {
				t.Errorf("source=%s credits %v", source, got)
			}
		}
		if got := keys(s.some(t, "skills-unmet?limit=5&source=platform").Sources, "key"); len(got) != 1 ||
			!got["platform"] {
			t.Errorf("source=platform credits %v", got)
		}
		if got := s.some(t, "skills-unmet?limit=200").Sources; len(got) != 3 {
			t.Errorf("without a filter %v are credited", keys(got, "key"))
		}
	})
}
