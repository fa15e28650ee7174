package skill

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// rowsOfLikely are the rows of likely.tsv, by their fields before the weights.
func rowsOfLikely() map[string][]string {
	rows := map[string][]string{}
	for line := range strings.Lines(likelyTSV) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch names := 2; f[0] {
		case "found", "added":
			rows[f[0]] = f[1:]
		default:
			if f[0] == "wording" {
				names = 3
			}
			if !strings.HasPrefix(line, "#") {
				rows[strings.Join(f[:names], "\t")] = f[names:]
			}
		}
	}
	return rows
}

// judgeOracle is the slow way to judge an advert, on strings and floats.
type judgeOracle map[string][]string

// number is a weight of a row, 0 without one.
func (o judgeOracle) number(name string, field int) float64 {
	if row := o[name]; field < len(row) {
		n, _ := strconv.ParseFloat(row[field], 64)
		return n / 1000
	}
	return 0
}

// score is the score of a skill.
func (o judgeOracle) score(a *labelled, skill string) (score float64, scored bool) {
	if o["skill\t"+skill] == nil {
		return 0, false
	}
	for _, w := range a.words {
		name := "text\t" + w
		if w[0] == '^' {
			name = "title\t" + w[1:]
		}
		for _, share := range o[name] {
			if of, weight, _ := strings.Cut(share, ":"); of == skill {
				n, _ := strconv.ParseFloat(weight, 64)
				score += n
			}
		}
	}
	return o.number("skill\t"+skill, 0) + math.Trunc(score*1000/math.Floor(1000*math.Sqrt(float64(a.count))))/1000, true
}

// oddsOfFind are those of a find.
func (o judgeOracle) oddsOfFind(t rapid.TB, r *Register, a *labelled, s *Scratch, f Found, finds int) float64 {
	hits, titled, beside := 0, false, 0.0
	for _, h := range s.found {
		if int(r.patterns[h.pattern].skill) != f.Number {
			continue
		}
		if hits++; hits == 1 {
			beside = float64(h.beside) / 1000
		}
		titled = titled || h.titled
	}
	if !slices.ContainsFunc(slices.Collect(maps.Values(a.sentences)), func(words []string) bool { return math.Abs(o.beside(words)-beside) < 1e-9 }) {
		t.Fatalf("%v: %v is said by no sentence", f, beside)
	}
	odds := o.number("found", 0) + o.number("found", 1)*float64(min(hits, 3)) + o.number("found", 2)*one(titled) + o.number("found", 4)*float64(finds)
	odds += o.number("trust\t"+f.Skill, 0) + o.number("wording\t"+f.Skill+"\t"+f.MatchedBy, 0) + beside
	if score, scored := o.score(a, f.Skill); scored {
		return odds + o.number("found", 3)*logit(score)
	}
	return odds + o.number("found", 5)
}

// oddsOfNone are those of a skill that is not found.
func (o judgeOracle) oddsOfNone(a *labelled, skill string, finds int) float64 {
	score, _ := o.score(a, skill)
	return min(score-likelyScore/1000., o.number("added", 0)+o.number("added", 1)*logit(score)+o.number("added", 2)*float64(finds))
}

func (o judgeOracle) beside(words []string) (sum float64) {
	for _, w := range words {
		sum += o.number("beside\t"+w, 0)
	}
	return sum
}

// check holds an advert to the oracle, and counts what is dropped and added.
func (o judgeOracle) check(t rapid.TB, r, plain *Register, title, text string) (dropped, added int) {
	a, s := &labelled{}, &Scratch{}
	a.read(r, title, text)
	before, now := plain.RecogniseInto(nil, &Scratch{}, title, text), r.RecogniseInto(nil, s, title, text)
	if a.count < likelyWords {
		if !slices.Equal(before, now) {
			t.Fatalf("%d words: %v, want %v", a.count, now, before)
		}
		return 0, 0
	}
	if !slices.IsSortedFunc(now, func(a, b Found) int { return a.Number - b.Number }) {
		t.Fatalf("%v is not sorted", now)
	}
	for i, skill := range r.skills {
		was := slices.IndexFunc(before, func(f Found) bool { return f.Number == i })
		is := slices.IndexFunc(now, func(f Found) bool { return f.Number == i })
		odds := -1.0
		if was >= 0 {
			odds = o.oddsOfFind(t, r, a, s, before[was], len(before))
		} else if o["skill\t"+skill.Slug] != nil && !slices.Contains(s.denied, int32(i)) {
			odds = o.oddsOfNone(a, skill.Slug, len(before))
		}
		switch {
		case math.Abs(odds) > rounding && (is >= 0) != (odds > 0):
			t.Fatalf("%s with odds of %.3f: found before %v, now %v", skill.Slug, odds, was >= 0, is >= 0)
		case is < 0 && was >= 0:
			dropped++
			if !slices.Contains(s.Unlikely, before[was]) {
				t.Fatalf("%v is not among %v", before[was], s.Unlikely)
			}
		case is >= 0 && was < 0:
			added++
			if now[is].MatchedBy != ByWords || len(r.WordsFor(s, i)) == 0 {
				t.Fatalf("%v is added for %q", now[is], r.WordsFor(s, i))
			}
		case is >= 0 && now[is] != before[was]:
			t.Fatalf("%v, want %v", now[is], before[was])
		}
	}
	return dropped, added
}

// rounding is how far whole thousandths may be from the odds.
const rounding = 0.005

// TestJudge holds what is dropped and added to the oracle, in written adverts and in such put together of their lines.
func TestJudge(t *testing.T) {
	r, plain, o := load(t), withoutWeights(t), judgeOracle(rowsOfLikely())
	var lines []string
	dropped, added := 0, 0
	for _, advert := range readWritten(t) {
		d, a := o.check(t, r, plain, advert.Title, advert.Text)
		dropped, added = dropped+d, added+a
		lines = append(lines, strings.Split(advert.Text, "\n")...)
	}
	rapid.Check(t, func(t *rapid.T) {
		title := rapid.SampledFrom([]string{"Staff Nurse", "Teacher of Maths", "Administrator", "Chef", "Electrician"}).Draw(t, "title")
		o.check(t, r, plain, title, strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), 0, 40).Draw(t, "lines"), "\n"))
	})
	if dropped == 0 || added == 0 {
		t.Errorf("%d dropped, %d added: nothing was tried", dropped, added)
	}
}

// TestDeniedIsNotAdded holds that no words add a skill that the text says is not needed, or will be taught.
func TestDeniedIsNotAdded(t *testing.T) {
	r := load(t)
	const nurse = "You care for patients on a busy ward of the hospital, day and night, as a registered nurse. You assess each patient, plan the care " +
		"with the family, give medicines and keep a record of it. You work with doctors, therapists and social workers, and support students and new " +
		"nurses in their first months. The ward has twenty beds for older patients who are recovering from surgery. You are registered with the NMC, " +
		"work well under pressure and enjoy leading a shift. Our shifts are planned six weeks ahead. "
	for text, want := range map[string]bool{"We are known for clinical assessment.": true, "Clinical assessment is not needed.": false, "Training in clinical assessment will be given.": false} {
		found := r.RecogniseInto(nil, &Scratch{}, "Staff Nurse", nurse+text)
		if is := slices.ContainsFunc(found, func(f Found) bool { return f.Skill == "clinical-assessment" && f.MatchedBy == ByWords }); is != want {
			t.Errorf("%q: found %v, want %v, in %v", text, is, want, found)
		}
	}
}

// TestLogOdds holds that no logarithm is so near to where it is rounded that its last bits matter.
func TestLogOdds(t *testing.T) {
	for score := 10; score <= 990; score++ {
		odds := 1000 * math.Log(float64(score)/float64(1000-score))
		if _, part := math.Modf(math.Abs(odds)); math.Abs(part-0.5) < 1e-9 || logOdds(score) != -logOdds(1000-score) {
			t.Errorf("score %d has log-odds of %.12f, read as %d", score, odds, logOdds(score))
		}
	}
}

// TestLikelyFaults holds that a bad row is refused, with what is wrong in it.
func TestLikelyFaults(t *testing.T) {
	r := load(t)
	for row, want := range map[string]string{
		"colour\tred":                         `no row has 2 fields and begins with "colour"`,
		"found\t1\t2":                         `no row has 3 fields`,
		"":                                    `no row has 1 fields`,
		"trust\tnursing\tmuch":                `"much" is no weight`,
		"trust\tnursing\t40000":               `"40000" is no weight`,
		"trust\tjuggling\t1":                  `no skill of the register is "juggling"`,
		"beside\tzorbing\t1":                  `no wording of the register has the word "zorbing"`,
		"text\tward\tnursing:1":               `no row before gives "nursing" a score`,
		"skill\tnursing\t1\ntitle\tward\tx:1": `no skill of the register is "x"`,
	} {
		if _, err := newLikely(r, row+"\n"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", row, err, want)
		}
	}
}
