package counting

import (
	"cmp"
	"maps"
	"slices"

	"pgregory.net/rapid"
)

// precedes orders candidates by which is kept of one vacancy: the source that comes
// first, then the one posted first, then by id.
func precedes(a, b *AdvertFields) int {
	rank := func(c *AdvertFields) int { return slices.Index(policy.Precedence, c.Source) }
	return cmp.Or(cmp.Compare(rank(a), rank(b)), a.Posted.Time().Compare(b.Posted.Time()),
		a.AdvertIDHash.Compare(b.AdvertIDHash))
}

// groups are candidates with a label each: those of one vacancy have the same.
type groups struct {
	cs      []AdvertFields
	labels  []int
	numbers []uint64 // requisition number of each; of a record that was delivered twice the first one
}

// join gives two groups one label, unless they have two requisition numbers.
func (g *groups) join(i, j int) {
	numbers := map[uint64]bool{}
	for k, number := range g.numbers {
		if (g.labels[k] == g.labels[i] || g.labels[k] == g.labels[j]) && number != 0 {
			numbers[number] = true
		}
	}
	if len(numbers) > 1 {
		return
	}
	from, to := g.labels[i], g.labels[j]
	for k := range g.labels {
		if g.labels[k] == from {
			g.labels[k] = to
		}
	}
}

// neighbours are the candidates with each value of a key, by the day of posting and
// precedence. The values are in order: of two numbers that an advert without one could
// have, the first gets it.
func (g *groups) neighbours(key func(*AdvertFields) TextHash) (out [][]int) {
	lists := map[TextHash][]int{}
	for i := range g.cs {
		if k := key(&g.cs[i]); !k.IsZero() {
			lists[k] = append(lists[k], i)
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(lists), TextHash.Compare) {
		list := lists[k]
		slices.SortStableFunc(list, func(i, j int) int {
			a, b := &g.cs[i], &g.cs[j]
			return cmp.Or(a.Posted.Time().Compare(b.Posted.Time()), precedes(a, b))
		})
		out = append(out, list)
	}
	return out
}

// oracle groups candidates by the rules as they are said, one key after the other, and
// returns for each the one that is kept of its vacancy.
func oracle(cs []AdvertFields) []int {
	g := &groups{cs: cs}
	for i := range cs {
		g.labels, g.numbers = append(g.labels, i), append(g.numbers, cs[i].RequisitionNumberHash)
	}
	for _, list := range g.neighbours(func(c *AdvertFields) TextHash { return c.AdvertIDHash }) {
		for _, versions := range versionsOfVacancies(cs, list) {
			number := uint64(0)
			for _, i := range versions {
				number = cmp.Or(number, cs[i].RequisitionNumberHash)
			}
			for _, i := range versions {
				g.numbers[i] = number
				g.join(i, versions[0])
			}
		}
	}
	for _, key := range []func(*AdvertFields) TextHash{
		func(c *AdvertFields) TextHash { return c.RequisitionHash },
		func(c *AdvertFields) TextHash { return c.ApplyAddressHash },
	} {
		for _, list := range g.neighbours(key) {
			titles := map[uint64]bool{}
			for _, i := range list {
				titles[cs[i].TitleHash] = true
			}
			for k := 1; k < len(list) && len(titles) == 1 && !titles[0]; k++ {
				g.join(list[k], list[k-1])
			}
		}
	}
	for _, list := range g.neighbours(func(c *AdvertFields) TextHash { return c.EmployerTitlePlaceHash }) {
		start := 0
		for k := 1; k < len(list); k++ {
			if cs[list[k]].Posted.Before(cs[list[start]].Posted.AddDays(SameVacancyDays)) {
				g.join(list[k], list[k-1])
			} else {
				start = k
			}
		}
	}
	kept := make([]int, len(cs))
	for i := range cs {
		kept[i] = i
		for j := range cs {
			if g.labels[i] == g.labels[j] && precedes(&cs[j], &cs[kept[i]]) < 0 {
				kept[i] = j
			}
		}
	}
	return kept
}

// versionsOfVacancies divides the candidates of one id where another number and another title follow: the id
// was given to another vacancy.
func versionsOfVacancies(cs []AdvertFields, list []int) (out [][]int) {
	for k, i := range list {
		if k > 0 {
			before := &cs[list[k-1]]
			numbered := before.RequisitionNumberHash != 0 && cs[i].RequisitionNumberHash != 0
			titled := before.TitleHash != 0 && cs[i].TitleHash != 0
			renumbered := numbered && before.RequisitionNumberHash != cs[i].RequisitionNumberHash
			retitled := titled && before.TitleHash != cs[i].TitleHash
			if !renumbered || !retitled {
				out[len(out)-1] = append(out[len(out)-1], i)
				continue
			}
		}
		out = append(out, []int{i})
	}
	return out
}

// checkVerdicts holds verdicts against the oracle, and against what is said of
// requisition numbers: an employer's one number is one vacancy, and no vacancy has two.
func checkVerdicts(t *rapid.T, cs []AdvertFields, got []Verdict) {
	var admitted []AdvertFields
	var at []int
	for i, v := range got {
		reason := NewDeduper(policy).exclude(&cs[i])
		if reason != ReasonCounted && (v.Reason != reason || v.CountedAs != -1 || reason != ReasonBeforeWindow &&
			v.AppliedAs != -1) {
			t.Fatalf("advert %d: %+v, want %q", i, v, reason)
		}
		checkApplied(t, got, i)
		if v.CountedAs >= 0 {
			admitted, at = append(admitted, cs[i]), append(at, i)
		}
		if (v.Reason == ReasonCounted) != (v.CountedAs == i) {
			t.Fatalf("advert %d is in both or neither of kept and excluded: %+v", i, v)
		}
	}
	for i, kept := range oracle(admitted) {
		if got[at[i]].CountedAs != at[kept] && admitted[i].AdvertIDHash != admitted[kept].AdvertIDHash {
			t.Fatalf("advert %d counted as %d, want %d", at[i], got[at[i]].CountedAs, at[kept])
		}
	}
	for i := range admitted {
		for j := range i {
			a, b := &admitted[i], &admitted[j]
			together := got[at[i]].CountedAs == got[at[j]].CountedAs
			if a.RequisitionNumberHash != 0 && b.RequisitionNumberHash != 0 &&
				a.RequisitionNumberHash != b.RequisitionNumberHash && together &&
				distinctIDs(admitted) {
				t.Fatalf("adverts %d and %d have two requisition numbers and are one vacancy", at[j], at[i])
			}
			if a.TitleHash != b.TitleHash && together && distinctIDs(admitted) {
				t.Fatalf("adverts %d and %d have two titles and are one vacancy", at[j], at[i])
			}
			if !a.RequisitionHash.IsZero() && a.RequisitionHash == b.RequisitionHash && !together && distinctIDs(admitted) {
				t.Fatalf("adverts %d and %d have one requisition number and are two vacancies", at[j], at[i])
			}
		}
	}
}

// checkApplied holds that people are counted by a counted vacancy, or, of an advert that was posted
// before the longest window, by one that stands for itself.
func checkApplied(t *rapid.T, got []Verdict, i int) {
	v := got[i]
	if v.CountedAs >= 0 && v.AppliedAs != v.CountedAs || v.Reason == ReasonBeforeWindow && v.AppliedAs < 0 {
		t.Fatalf("advert %d: %+v", i, v)
	}
	if v.AppliedAs >= 0 && got[v.AppliedAs].AppliedAs != v.AppliedAs {
		t.Fatalf("advert %d: %+v, and that which stands for it %+v", i, v, got[v.AppliedAs])
	}
}

// distinctIDs reports whether no record was delivered twice: then its number may have
// changed in between.
func distinctIDs(cs []AdvertFields) bool {
	seen := map[TextHash]bool{}
	for i := range cs {
		if seen[cs[i].AdvertIDHash] {
			return false
		}
		seen[cs[i].AdvertIDHash] = true
	}
	return true
}
