package disclosure_test

import (
	"fmt"
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/attackertest"
	"labour/pipeline/disclosure/synthtest"
)

// attackedWorlds prints one skill of each of so many worlds, and returns the figures.
func attackedWorlds(worlds int, protection disclosure.Protection) (all []attackertest.Figures) {
	for seed := range worlds {
		w, adverts := world(seed)
		people := peopleOf(w, adverts, uint64(seed), []int{25, 60, 120, 300}[seed%4])
		p := newPrinter(w, protection)
		all = append(all, p.figures(fmt.Sprint("world ", seed), adverts, p.print(adverts, outcomes{turnedDownFor: people}, nil), people))
	}
	return all
}

func worlds() int {
	if long() {
		return 200
	}
	return 12
}

// judge fails for what leaks, and where little was attacked.
func judge(t *testing.T, how string, v attackertest.Verdict, least int) {
	t.Helper()
	t.Logf("%s: %v", how, v)
	for _, leak := range v.Leaks[:min(len(v.Leaks), 20)] {
		t.Errorf("%s: %s", how, leak)
	}
	if v.Small < least {
		t.Errorf("%s: only %d small groups were attacked", how, v.Small)
	}
}

// TestMadeUpWorldsAreNotWorkedOut attacks every figure of a skill of 200 worlds in one
// linear program each, with the adverts known, and then with whole people only.
func TestMadeUpWorldsAreNotWorkedOut(t *testing.T) {
	tightened, systems, err := attackertest.Attack(attackedWorlds(worlds(), disclosure.Rounded))
	if err != nil {
		t.Fatal(err)
	}
	judge(t, "by tightening", tightened, 100*worlds())
	s := solver(t)
	v, err := s.Solve(systems...)
	if err != nil {
		t.Fatal(err)
	}
	judge(t, "by linear programs", v, 100*worlds())
	s.Integer, systems = true, systems[:min(40, len(systems))] // which takes much longer
	if v, err = s.Solve(systems...); err != nil {
		t.Fatal(err)
	}
	judge(t, "by linear programs of whole people", v, 100*len(systems))
}

// TestPlainIsWorkedOut shows that the attacker works: of exact numbers it finds most
// small groups.
func TestPlainIsWorkedOut(t *testing.T) {
	s := solver(t)
	var systems []*attackertest.System
	for _, f := range attackedWorlds(12, disclosure.Plain) {
		atoms, err := f.Atoms()
		if err != nil {
			t.Fatal(err)
		}
		systems = append(systems, atoms)
	}
	v, err := s.Solve(systems...)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(v)
	if v.Pinned*100 < 70*v.Small {
		t.Errorf("of exact numbers the attacker finds %d of %d small groups only", v.Pinned, v.Small)
	}
}

// TestSharesAreNotWorkedOut attacks who had the skill and who had it not among those hired,
// by the printed shares; and as if numerator and denominator of each stood beside it. They do
// not, so that of that attack, which knows more than is printed, 1 in 10,000 may be pinned.
func TestSharesAreNotWorkedOut(t *testing.T) {
	s := solver(t)
	var shares, parts []*attackertest.System
	for seed := range worlds() / 2 {
		w, adverts := world(seed)
		with, without := peopleOf(w, adverts, uint64(seed), 40+seed%3*100), peopleOf(w, adverts, uint64(seed), 20+seed%4*50)
		p := newPrinter(w, disclosure.Rounded)
		f := attackertest.Figures{Name: fmt.Sprint("hired in world ", seed), World: w, Adverts: adverts, Tokens: map[synthtest.Cell]string{}, People: with}
		for _, cell := range w.Cells(adverts) {
			f.Tokens[cell] = "null"
		}
		shown := map[synthtest.Cell]int64{}
		for _, r := range p.print(adverts, outcomes{hiredWith: with, hiredWithout: without}, nil) {
			if r.HiredWith != nil && r.Window > 1 {
				shown[synthtest.CellOf(r.Signature, r.Place, r.Value, r.Window)] = int64(*r.HiredWith) / 10
			}
		}
		share, err := f.Shares(without, shown)
		if err != nil {
			t.Fatal(err)
		}
		part, err := f.Parts(without, shown)
		if err != nil {
			t.Fatal(err)
		}
		shares, parts = append(shares, share), append(parts, part)
	}
	v, err := s.Solve(shares...)
	if err != nil {
		t.Fatal(err)
	}
	judge(t, "shares", v, 100*len(shares))
	if v, err = s.Solve(parts...); err != nil {
		t.Fatal(err)
	}
	t.Log("parts of shares: ", v)
	if v.Pinned*10_000 > v.Small {
		judge(t, "parts of shares", v, 100*len(parts))
	}
}
