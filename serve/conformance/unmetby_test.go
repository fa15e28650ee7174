package conformance

import (
	"net/http"
	"regexp"
	"testing"
	"time"
)

// "window: one of 3, 6, 12, 24 (months)."
func TestUnmetWindow(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, months := range []string{"3", "6", "12", "24"} {
			s.some(t, "skills-unmet?limit=1&window="+months)
		}
		for _, months := range []string{"0", "1", "4", "13", "36", "-3", "3.0", "three"} {
			s.refused(t, "/v1/labour/skills-unmet?window="+months, http.StatusBadRequest, "invalid_parameter")
		}
	})
}

// "skill: with by, breaks one skill down."
func TestUnmetSkillWithBy(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		skill := s.skill(t)
		rows := s.some(t, query("skills-unmet", "skill", skill, "by", "place")).Data
		if len(rows) < 2 {
			t.Errorf("%d rows", len(rows))
		}
		for _, r := range rows {
			r.filled(t, "bucket", "bucket_name")
			if r.text("skill") != skill {
				t.Errorf("a row of %s", r.text("skill"))
			}
		}
		if rows := s.labour(t, query("skills-unmet", "skill", skill)).Data; len(rows) != 1 {
			t.Errorf("the skill without by has %d rows", len(rows))
		}
		s.refused(t, "/v1/labour/skills-unmet?by=place", http.StatusBadRequest, "invalid_parameter")
	})
}

// "by: one of place …"
func TestUnmetByPlace(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		seenArea := false
		for _, r := range s.buckets(t, "place") {
			switch r.text("area_kind") {
			case "area":
				seenArea = true
			case "borough":
				if seenArea {
					t.Errorf("%s stands below an area", r.text("bucket"))
				}
			default:
				t.Errorf("area_kind %v", r["area_kind"])
			}
		}
	})
}

// "… sector …"
func TestUnmetBySector(t *testing.T) {
	each(t, func(t *testing.T, s *server) { sameAsFiltered(t, s, "sector", "sector") })
}

// sameAsFiltered checks that a bucket has the figures of the filter by its value.
func sameAsFiltered(t *testing.T, s *server, by, filter string) {
	t.Helper()
	for i, r := range s.buckets(t, by) {
		alone := s.labour(t, query("skills-unmet", "skill", r.text("skill"), filter, r.text("bucket"))).Data
		if len(alone) != 1 || alone[0]["adverts_share_pct"] != r["adverts_share_pct"] ||
			alone[0]["level"] != r["level"] ||
			alone[0]["people_turned_down"] != r["people_turned_down"] || alone[0]["score"] != r["score"] {
			t.Errorf("by %s: %v, filtered %v", by, r, alone)
		}
		if i == 4 {
			return
		}
	}
}

// "… SOC 2020 …"
func TestUnmetBySOC2020(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		skill := s.skill(t)
		plain := s.some(t, query("skills-unmet", "skill", skill, "by", "soc"))
		for _, r := range plain.Data {
			if !regexp.MustCompile(`^[1-9][0-9]{1,3}$`).MatchString(r.text("bucket")) {
				t.Errorf("%s is no code of SOC 2020", r.text("bucket"))
			}
		}
		for _, by := range []string{"SOC 2020", "soc2020"} {
			if got := s.some(t, query("skills-unmet", "skill", skill, "by", by)); comparable(t, got.Data) != comparable(
				t, plain.Data) {
				t.Errorf("by=%s differs from by=soc", by)
			}
		}
		sameAsFiltered(t, s, "soc", "soc")
	})
}

// "… level …"
func TestUnmetByLevel(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, r := range s.buckets(t, "level") {
			if r.text("bucket") < "1" || r.text("bucket") > "5" || len(r.text("bucket")) != 1 {
				t.Errorf("level %q", r.text("bucket"))
			}
		}
	})
}

// "… month."
func TestUnmetByMonth(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		e := s.some(t, query("skills-unmet", "skill", s.skill(t), "by", "month", "window", "6"))
		before, asOf := "", e.Meta.text("as_of")[:len("2006-01")]
		for _, r := range e.Data {
			month := r.text("bucket")
			if _, err := time.Parse("2006-01", month); err != nil || month <= before || month > asOf {
				t.Errorf("%s after %s", month, before)
			}
			before = month
		}
		if len(e.Data) > 6 {
			t.Errorf("%d months of 6", len(e.Data))
		}
		s.refused(t, query("/v1/labour/skills-unmet", "skill", s.skill(t), "by", "weekday"), http.StatusBadRequest,
			"invalid_parameter")
	})
}

// "limit: page size."
func TestUnmetLimit(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, n := range []string{"1", "7"} {
			if e := s.labour(t, "skills-unmet?limit="+n); e.Meta["limit"] != e.Meta["returned"] {
				t.Errorf("limit=%s: %v", n, e.Meta)
			}
		}
	})
}

// "Freshness: skills not met is computed on every call."
func TestUnmetIsComputedOnEveryCall(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		first := s.labour(t, "skills-unmet?limit=1").Meta.time(t, "generated")
		time.Sleep(1100 * time.Millisecond)
		if again := s.labour(t, "skills-unmet?limit=1").Meta.time(t, "generated"); !again.After(first) {
			t.Errorf("generated at %v, and again at %v", first, again)
		}
	})
}

// An empty value is a fault: an empty variable in a client must not turn into the
// whole platform.
func TestEmptyParametersAreRefused(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, name := range []string{"place", "sector", "soc", "level", "source", "window", "skill", "by", "cursor",
			"limit"} {
			s.refused(t, "/v1/labour/skills-unmet?"+name+"=", http.StatusBadRequest, "invalid_parameter")
		}
	})
}
