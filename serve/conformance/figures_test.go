package conformance

import (
	"encoding/json"
	"math/big"
	"regexp"
	"testing"
)

// small is how a count of people from 1 to 4 is written.
const small = "<5"

// checkPeople checks counts of people: 0, at least 5, "<5" or null.
func checkPeople(t *testing.T, r row, names ...string) {
	t.Helper()
	r.has(t, names...)
	for _, name := range names {
		switch v := r[name].(type) {
		case nil:
		case string:
			if v != small {
				t.Errorf("%s is %q in %v", name, v, r)
			}
		case json.Number:
			if n := r.whole(t, name); n < 0 || n > 0 && n < 5 {
				t.Errorf("%s is %d in %v", name, n, r)
			}
		default:
			t.Errorf("%s is %v in %v", name, v, r)
		}
	}
}

// checkPercent checks a percentage of at most one decimal, or null.
func checkPercent(t *testing.T, r row, name string, least, most int64) {
	t.Helper()
	r.has(t, name)
	if r[name] == nil {
		return
	}
	n := r.number(name)
	if n == nil || n.Cmp(big.NewRat(least, 1)) < 0 || n.Cmp(big.NewRat(most, 1)) > 0 ||
		!new(big.Rat).Mul(n, big.NewRat(10, 1)).IsInt() {
		t.Errorf("%s is %v in %v", name, r[name], r)
	}
}

// comparable writes a row so that two can be compared.
func comparable(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// officialCode is a code of the Office for National Statistics, or of an ITL region.
var officialCode = regexp.MustCompile(`^([EWSNKJ][0-9]{8}|N[0-9]{8}|TL[A-Z][0-9]{0,2})$`)

// skill returns the skill that is ranked first.
func (s *server) skill(t *testing.T) string {
	t.Helper()
	return s.some(t, "skills-unmet?limit=1").Data[0].text("skill")
}

// buckets returns the buckets of the first skill by a dimension.
func (s *server) buckets(t *testing.T, by string) []row {
	t.Helper()
	return s.some(t, query("skills-unmet", "skill", s.skill(t), "by", by, "limit", "200")).Data
}

// place returns a place of this kind: borough or area.
func (s *server) place(t *testing.T, kind string) string {
	t.Helper()
	boroughs := map[string]bool{}
	for _, b := range s.object(t, "/v1/candidates").list("by_borough") {
		boroughs[b.text("borough")] = true
	}
	for _, r := range s.buckets(t, "place") {
		if boroughs[r.text("bucket")] == (kind == "borough") {
			return r.text("bucket")
		}
	}
	t.Skipf("no %s is served", kind)
	return ""
}

func (s *server) borough(t *testing.T) string { return s.place(t, "borough") }

// boroughs are the served boroughs.
func (s *server) boroughs(t *testing.T) (out []string) {
	t.Helper()
	for _, b := range s.object(t, "/v1/candidates").list("by_borough") {
		out = append(out, b.text("borough"))
	}
	return out
}

// everyone is a few calls that show many counts of people.
func (s *server) everyone(t *testing.T) []row {
	t.Helper()
	rows := s.walk(t, "/v1/labour/skills-unmet?limit=200")
	rows = append(rows, s.walk(t, query("/v1/labour/skills-unmet", "place", s.borough(t), "limit", "200"))...)
	for _, by := range []string{"place", "sector", "soc", "level"} {
		rows = append(rows, s.buckets(t, by)...)
	}
	return rows
}
