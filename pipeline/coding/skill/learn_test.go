package skill

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "learn likely.tsv anew")

// How likely it has to be that the advert asks for a skill for a find to be kept, and for a skill to
// be added: at these, no part of the adverts loses recall by cross-validation.
const (
	keptFrom  = 0.38
	addedFrom = 0.40
)

// folds are the parts of the adverts: what is measured on one is learnt from the others.
const folds = 5

// TestLearnLikely learns likely.tsv from the labelled adverts that are not held back, and measures
// by cross-validation what it does to adverts that it was not learnt from. The finds are those of
// testdata/finds.tsv: the wordings of the register were mended in view of these very adverts, so
// that it finds too little that is wrong in them.
func TestLearnLikely(t *testing.T) {
	if !*update {
		t.Skip("learns for minutes, with -update only")
	}
	r, before, after := withoutWeights(t), map[string]*tally{}, map[string]*tally{}
	adverts := readLabelled(t, r)
	for fold := range folds {
		l, err := newLikely(r, learnLikely(r, without(adverts, fold)))
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range adverts {
			if a.fold == fold && len(a.finds) > 0 {
				if before[a.part] == nil {
					before[a.part], after[a.part] = &tally{}, &tally{}
				}
				a.measure(r, l, before[a.part], after[a.part])
			}
		}
	}
	for _, part := range slices.Sorted(maps.Keys(before)) {
		t.Logf("%s before: %v", part, before[part])
		t.Logf("%s after:  %v", part, after[part])
	}
	if err := os.WriteFile("likely.tsv", []byte(learnLikely(r, adverts)), 0o644); err != nil {
		t.Fatal(err)
	}
}

func without(adverts []*labelled, fold int) []*labelled {
	return slices.DeleteFunc(slices.Clone(adverts), func(a *labelled) bool { return a.fold == fold })
}

// digestOfLabels names the state of the labels and finds.
func digestOfLabels() string {
	digest := sha256.New()
	for _, name := range []string{"adverts.tsv", "written.jsonl", "labels.tsv", "finds.tsv"} {
		raw, _ := os.ReadFile(filepath.Join("testdata", name))
		digest.Write(raw)
	}
	return fmt.Sprintf("%.8x", digest.Sum(nil))
}

// TestLikelyIsOfTheLabels holds that likely.tsv was learnt from the labels as they are.
func TestLikelyIsOfTheLabels(t *testing.T) {
	if !strings.Contains(likelyTSV, digestOfLabels()) {
		t.Errorf("labels or finds have changed since likely.tsv was learnt: go test -run TestLearnLikely -update")
	}
}

// learnLikely gives likely.tsv as learnt from adverts.
func learnLikely(r *Register, adverts []*labelled) string {
	skills, beside := askedOften(adverts), besideOften(adverts)
	var found, added examples
	for fold := range folds {
		rest := without(adverts, fold)
		if len(rest) == len(adverts) { // it is held out
			continue
		}
		words, trust := learnWords(rest, skills), learnTrust(rest)
		for _, a := range adverts {
			if a.fold != fold || a.finds == nil {
				continue
			}
			scores := words.scores(a)
			for _, skill := range slices.Sorted(maps.Keys(a.finds)) {
				f := a.finds[skill]
				score, scored := scores[skill]
				found.add(a.want[skill], beside.numbers(a.beside[skill]), trust.of(skill), trust.ofWording(skill, a.wordings[skill])-trust.of(skill),
					float64(f.hits), one(f.titled), logit(score), float64(len(a.finds)), one(!scored))
			}
			for _, skill := range skills {
				if _, is := a.finds[skill]; !is && scores[skill] > likelyScore/1000. {
					added.add(a.want[skill], nil, logit(scores[skill]), float64(len(a.finds)))
				}
			}
		}
	}
	f, a := found.fit(), added.fit()
	var out strings.Builder
	fmt.Fprintf(&out, "# How likely an advert asks for a skill, in thousandths, as TestLearnLikely learnt it from the labels %s.\n", digestOfLabels())
	row(&out, "found", f[0]+f[1]*logit(trusted)-logit(keptFrom), f[3], f[4], f[5], f[6], f[5]*logit(0)+f[7])
	row(&out, "added", a[0]-logit(addedFrom), a[1], a[2])
	learnTrust(adverts).write(&out, r, f[1], f[2])
	for i, w := range beside.words {
		if n := f[8+i] * besideValue; math.Abs(n) >= 0.01 {
			row(&out, "beside\t"+w, n)
		}
	}
	learnWords(adverts, skills).write(&out)
	return out.String()
}

// askedOften are the skills that enough adverts ask for.
func askedOften(adverts []*labelled) (skills []string) {
	const least = 10
	asked := map[string]int{}
	for _, a := range adverts {
		for skill := range a.want {
			asked[skill]++
		}
	}
	for skill, n := range asked {
		if n >= least {
			skills = append(skills, skill)
		}
	}
	slices.Sort(skills)
	return skills
}

// numbered are words by number.
type numbered struct {
	words  []string
	number map[string]int
}

// besideOften are the words that stand in sentences of finds in enough adverts.
func besideOften(adverts []*labelled) *numbered {
	const least = 10
	seen, n := map[string]int{}, &numbered{number: map[string]int{}}
	for _, a := range adverts {
		words := slices.Concat(slices.Collect(maps.Values(a.beside))...)
		slices.Sort(words)
		for _, w := range slices.Compact(words) {
			seen[w]++
		}
	}
	for _, w := range slices.Sorted(maps.Keys(seen)) {
		if seen[w] >= least {
			n.number[w] = len(n.words)
			n.words = append(n.words, w)
		}
	}
	return n
}

func (n *numbered) numbers(words []string) (numbers []int) {
	for _, w := range words {
		if i, is := n.number[w]; is {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// trust counts how many finds of each skill, and of each of its wordings, are right, and how many there are.
type trust struct{ skills, wordings map[string][2]float64 }

// trusted is the share of finds that are right, as far as nothing is known of a skill: it counts as
// much as six finds of the skill, and those of a skill as much as four of a wording.
const (
	trusted        = 0.76
	trustedSkill   = 6
	trustedWording = 4
)

func learnTrust(adverts []*labelled) *trust {
	y := &trust{map[string][2]float64{}, map[string][2]float64{}}
	for _, a := range adverts {
		for skill, text := range a.wordings {
			for key, counts := range map[string]map[string][2]float64{skill: y.skills, skill + "\t" + text: y.wordings} {
				n := counts[key]
				counts[key] = [2]float64{n[0] + one(a.want[skill]), n[1] + 1}
			}
		}
	}
	return y
}

func (y *trust) share(skill string) float64 {
	n := y.skills[skill]
	return (n[0] + trusted*trustedSkill) / (n[1] + trustedSkill)
}

func (y *trust) of(skill string) float64 { return logit(y.share(skill)) }

func (y *trust) ofWording(skill, text string) float64 {
	const least = 5
	n := y.wordings[skill+"\t"+text]
	if n[1] < least {
		return y.of(skill)
	}
	return logit((n[0] + y.share(skill)*trustedWording) / (n[1] + trustedWording))
}

// write writes the rows of skills, and of those wordings that the register has and that tell something.
func (y *trust) write(out *strings.Builder, r *Register, ofSkill, ofWording float64) {
	for _, skill := range slices.Sorted(maps.Keys(y.skills)) {
		row(out, "trust\t"+skill, ofSkill*(y.of(skill)-logit(trusted)))
	}
	const tells = 0.1
	for _, key := range slices.Sorted(maps.Keys(y.wordings)) {
		skill, text, _ := strings.Cut(key, "\t")
		if n := ofWording * (y.ofWording(skill, text) - y.of(skill)); math.Abs(n) >= tells && r.patternOf(skill, text) >= 0 {
			row(out, "wording\t"+key, n)
		}
	}
}

// row writes a row of likely.tsv, with weights in thousandths.
func row(out *strings.Builder, name string, weights ...float64) {
	out.WriteString(name)
	for _, w := range weights {
		fmt.Fprintf(out, "\t%.0f", 1000*w)
	}
	out.WriteByte('\n')
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func logit(p float64) float64 {
	p = min(max(p, 0.01), 0.99)
	return math.Log(p / (1 - p))
}

// patternOf is the pattern of a skill with a text, -1 if the register has none.
func (r *Register) patternOf(skill, text string) int32 {
	number := r.bySlug[skill]
	for _, p := range r.phrases.ends[r.phrases.find(r.words.numbers(text))] {
		for _, p := range append(r.too[p], p) {
			if r.patterns[p].skill == number {
				return p
			}
		}
	}
	return -1
}
