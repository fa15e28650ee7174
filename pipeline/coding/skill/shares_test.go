package skill

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"labour/snapshots/figure"
)

// heldBack is an advert that nothing was learnt from and that no wording was changed in view of.
type heldBack struct {
	group, title, text string
	want               map[string]bool
}

// readHeldBack reads the recorded and the written adverts that are held back. The recorded ones
// have their sector group, the written ones, of every sector, are a group of their own.
func readHeldBack(t *testing.T, r *Register) (adverts []heldBack) {
	t.Helper()
	recorded := recordedAdverts(t)
	for _, f := range rowsOf(t, "adverts.tsv") {
		if f[2] == "held" {
			a := recorded[f[0]+"/"+f[1]]
			adverts = append(adverts,
				heldBack{a.group, a.title, a.read(f[2]), wanted(t, r, f[1], strings.Fields(strings.Join(f[3:], " ")))})
		}
	}
	for _, a := range readWritten(t) {
		if a.Part == "blind" {
			adverts = append(adverts, heldBack{"written, every sector", a.Title, a.Text, wanted(t, r, a.ID, a.Labels)})
		}
	}
	return adverts
}

// shareOf is of how many adverts a skill is found and labelled.
type shareOf struct{ found, labelled float64 }

// sharesOf counts the adverts that ask for each skill, as found and as labelled.
func sharesOf(r *Register, adverts []heldBack) map[string]shareOf {
	shares, s := map[string]shareOf{}, &MatchBuffers{}
	for _, a := range adverts {
		for _, f := range r.AppendRequiredSkills(nil, s, a.title, a.text) {
			n := shares[f.Skill]
			n.found++
			shares[f.Skill] = n
		}
		for skill := range a.want {
			n := shares[skill]
			n.labelled++
			shares[skill] = n
		}
	}
	return shares
}

// errorOfShares is the mean distance, in points, of the found and the labelled share of adverts, over the
// skills that were found in at least 5 % of adverts.
func errorOfShares(r *Register, adverts []heldBack) (mean float64, skills int) {
	n := float64(len(adverts))
	for _, s := range sharesOf(r, adverts) {
		if s.found/n >= 0.05 {
			mean += 100 * math.Abs(s.found-s.labelled) / n
			skills++
		}
	}
	return mean / float64(max(1, skills)), skills
}

// fewestOfGroup is how many held-back adverts a sector group needs to be measured by itself.
const fewestOfGroup = 40

// TestPrintedShares holds that the margin covers at least 93 % of the labelled shares of held-back
// adverts, over all and for each sector group with 40 of them or more, and that the shares
// themselves stay as right as they were measured. Of each skill that is found at all the found
// share is compared with the labelled one.
func TestPrintedShares(t *testing.T) {
	r := load(t)
	all := readHeldBack(t, r)
	groups := map[string][]heldBack{"all": all}
	for _, a := range all {
		groups[a.group] = append(groups[a.group], a)
	}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		adverts := groups[group]
		if len(adverts) < fewestOfGroup {
			continue
		}
		n, within, skills := float64(len(adverts)), 0, 0
		for _, s := range sharesOf(r, adverts) {
			if s.found == 0 {
				continue
			}
			skills++
			if math.Abs(s.found-s.labelled)/n <= codingMargin(s.found/n, n) {
				within++
			}
		}
		mean, printed := errorOfShares(r, adverts)
		t.Logf("%s: %d adverts, the margin covers %d of %d shares (%.1f %%); mean error %.2f points of %d shares of 5 %% "+
			"or more",
			group, len(adverts), within, skills, 100*float64(within)/float64(skills), mean, printed)
		if covered := float64(within) / float64(skills); covered < 0.93 {
			t.Errorf("%s: the margin covers %.3f of the labelled shares", group, covered)
		}
		if group == "all" && mean > 1.3 {
			t.Errorf("%s: mean error %.2f points", group, mean)
		}
	}
}

// codingMargin returns half of the 95 % interval that coding alone leaves around the share p, 0 to
// 1, of n adverts that are found to ask for a skill. Chance of few adverts, which the printed
// margin has too, is no part of it: the same adverts were labelled.
func codingMargin(p, n float64) float64 {
	return figure.Z95 * math.Sqrt(RandomErrorRate*p/n+SystematicErrorRate*SystematicErrorRate*p*(1-p))
}
