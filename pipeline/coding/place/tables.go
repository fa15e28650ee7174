package place

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The tables that the program carries. README.md in the folder above has their
// sources and licences.
var (
	//go:embed areas.tsv
	areasTSV string
	//go:embed names.tsv
	namesTSV string
	//go:embed towns.tsv
	townsTSV string
	//go:embed postcodes.tsv
	postcodesTSV string
	//go:embed abroad.tsv
	abroadTSV string
)

// spot is one place on the ground.
type spot struct {
	councils set    // in which it lies
	parts    []part // the same with sizes, the largest first
	size     int    // in small areas of the census
	council  bool   // a council by its own name, and not a town as well
}

// part is what lies of a place in one council.
type part struct{ council, size int }

// area is a union of councils that has a name.
type area struct {
	name    string
	members set
	around  set // members, and the councils that people also write the name behind
	nation  bool
}

// tables are the embedded tables, read once.
type tables struct {
	councils  []string       // names by number
	numbers   map[string]int // the same by normalised name
	spots     map[string][]spot
	areas     map[string]*area
	postcodes map[string][]part // "EH1" and "EH1-2", sizes in per cent
	near      []set             // of each council those that share a postcode district with it
	abroad    map[string]map[string]bool
	fuzzy     map[string][]string // names by their first letter, for misspellings
}

var loadTables = sync.OnceValues(func() (*tables, error) {
	t := &tables{numbers: map[string]int{}, spots: make(map[string][]spot, 16_000), areas: map[string]*area{},
		postcodes: make(map[string][]part, 12_000), abroad: map[string]map[string]bool{}, fuzzy: map[string][]string{}}
	err := errors.Join(t.readAreas(), t.readNames(), t.readTowns(), t.readPostcodes(), t.readAbroad())
	t.addCouncils()
	t.findNear()
	t.indexFuzzy()
	return t, err
})

// lines reads a table of two columns or, where the second may be followed by another, three.
func lines(file, text string, fn func(columns []string) error) error {
	var errs []error
	n := 0
	for line := range strings.Lines(text) {
		n++
		if line = strings.TrimRight(line, "\n"); line == "" || line[0] == '#' {
			continue
		}
		err := errors.New("a column is missing")
		if columns := strings.Split(line, "\t"); len(columns) > 1 {
			err = fn(columns)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s line %d: %w", file, n, err))
		}
	}
	return errors.Join(errs...)
}

// eachOf reads a table of councils with entries of "name:size".
func (t *tables) eachOf(file, text, between string, otherwise int, fn func(name string, of part)) error {
	return lines(file, text, func(columns []string) error {
		n, err := t.number(columns[0])
		if err != nil {
			return err
		}
		for entry := range strings.SplitSeq(columns[1], between) {
			name, size, err := sized(entry, otherwise)
			if err != nil {
				return err
			}
			fn(name, part{n, size})
		}
		return nil
	})
}

// number returns the number of a council, which areas.tsv names among the nations.
func (t *tables) number(council string) (int, error) {
	n, ok := t.numbers[normalise(council)]
	if !ok {
		return 0, fmt.Errorf("no nation has the council %q", council)
	}
	return n, nil
}

// nations are the first lines of areas.tsv, and number the councils.
const nations = 4

func (t *tables) readAreas() error {
	read := 0
	return lines("areas.tsv", areasTSV, func(columns []string) error {
		if read++; read <= nations {
			for council := range strings.SplitSeq(columns[1], "|") {
				t.numbers[normalise(council)] = len(t.councils)
				t.councils = append(t.councils, council)
			}
		}
		names := strings.Split(columns[0], "|")
		members, err := t.union(columns[1])
		if err != nil {
			return err
		}
		a := &area{name: names[0], members: members, around: members, nation: read <= nations || members.len() > 250}
		if len(columns) > 2 {
			extra, err := t.union(columns[2])
			if err != nil {
				return err
			}
			a.around = a.around.or(extra)
		}
		for _, name := range names {
			t.areas[normalise(name)] = a
		}
		return nil
	})
}

// union is the councils and =areas of a list.
func (t *tables) union(list string) (set, error) {
	var s set
	for name := range strings.SplitSeq(list, "|") {
		if ref, ok := strings.CutPrefix(name, "="); ok {
			a := t.areas[normalise(ref)]
			if a == nil {
				return s, fmt.Errorf("no area %q above", ref)
			}
			s = s.or(a.members)
			continue
		}
		n, err := t.number(name)
		if err != nil {
			return s, err
		}
		s = s.or(setOf(n))
	}
	return s, nil
}

func (t *tables) readNames() error {
	return lines("names.tsv", namesTSV, func(columns []string) error {
		var s spot
		for entry := range strings.SplitSeq(columns[1], "|") {
			council, size, err := sized(entry, 1)
			if err != nil {
				return err
			}
			n, err := t.number(council)
			if err != nil {
				return err
			}
			s.parts = append(s.parts, part{n, size})
		}
		t.add(columns[0], s)
		return nil
	})
}

// townSize is the size of a place of towns.tsv that states none.
const townSize = 8

func (t *tables) readTowns() error {
	return t.eachOf("towns.tsv", townsTSV, "|", townSize, func(town string, of part) {
		t.add(town, spot{parts: []part{of}})
		if head := t.unqualified(town); head != "" {
			t.add(head, spot{parts: []part{{of.council, 1}}})
		}
	})
}

// unqualified returns the name without the council, county or town that tells it from
// others: "Blackburn" of "Blackburn West Lothian". It returns "" of another name.
func (t *tables) unqualified(name string) string {
	list := strings.Fields(name)
	for i := 1; i < len(list); i++ {
		tail := normalise(strings.Join(list[i:], " "))
		_, council := t.numbers[tail]
		if council || t.areas[tail] != nil {
			if kinds[strings.ToLower(list[i-1])] {
				return ""
			}
			return strings.Join(list[:i], " ")
		}
	}
	return ""
}

// kinds are words that say what a place is, and are no name without what follows.
var kinds = words("hospital|university|college|city|hq|the|park|station|business|science|royal|infirmary|of|nhs|central|centre|airport|prison|hmp|studios|west|east|north|south|end|town|and|new|old|port|st|high|upper|lower")

// sized parts "name:size".
func sized(entry string, otherwise int) (name string, size int, err error) {
	name, digits, stated := strings.Cut(entry, ":")
	if !stated {
		return name, otherwise, nil
	}
	size, err = strconv.Atoi(digits)
	return name, size, err
}

// add adds a place. One that shares a council with a place of the same name is that place.
func (t *tables) add(name string, s spot) {
	for _, p := range s.parts {
		s.councils = s.councils.or(setOf(p.council))
		s.size += p.size
	}
	key := normalise(name)
	for i := range t.spots[key] {
		if known := &t.spots[key][i]; known.councils.meets(s.councils) {
			known.size = max(known.size, s.size)
			if float64(known.parts[0].size) < mostly*float64(known.size) {
				known.parts = s.parts
			}
			return
		}
	}
	t.spots[key] = append(t.spots[key], s)
}

// councilSize is the least size of a council: its name is better known than that of a village.
const councilSize = 60

// addCouncils adds the councils by their names. Where a town has the name of the
// council that it lies in, the council is meant.
func (t *tables) addCouncils() {
	for n, official := range t.councils {
		for _, name := range councilNames(official) {
			key := normalise(name)
			own := spot{councils: setOf(n), parts: []part{{n, councilSize}}, size: councilSize, council: true}
			same := func(s spot) bool { return s.councils.has(n) }
			for _, s := range t.spots[key] {
				if same(s) {
					own.size, own.council = max(own.size, s.size), false
				}
			}
			t.spots[key] = append(slices.DeleteFunc(t.spots[key], same), own)
		}
	}
}

// councilNames are the official name and the short forms that adverts use:
// "Bristol, City of" is also Bristol and City of Bristol.
func councilNames(name string) []string {
	names := []string{name}
	if head, tail, ok := strings.Cut(name, ", "); ok && strings.HasSuffix(tail, " of") {
		names = append(names, head, tail+" "+head)
	}
	if town, ok := strings.CutSuffix(name, " City"); ok {
		names = append(names, town)
	}
	for _, prefix := range []string{"London Borough of ", "Royal Borough of ", "City of ", "Borough of "} {
		if !strings.HasPrefix(name, prefix) {
			names = append(names, prefix+name)
		} else if name != "City of London" {
			names = append(names, strings.TrimPrefix(name, prefix))
		}
	}
	return names
}

func (t *tables) readPostcodes() error {
	return t.eachOf("postcodes.tsv", postcodesTSV, " ", 100, func(code string, of part) { t.postcodes[code] = append(t.postcodes[code], of) })
}

func (t *tables) findNear() {
	t.near = make([]set, len(t.councils))
	for _, parts := range t.postcodes {
		var all set
		for _, p := range parts {
			all = all.or(setOf(p.council))
		}
		for _, p := range parts {
			t.near[p.council] = t.near[p.council].or(all)
		}
	}
}

func (t *tables) readAbroad() error {
	return lines("abroad.tsv", abroadTSV, func(columns []string) error {
		names := map[string]bool{}
		for name := range strings.SplitSeq(columns[1], "|") {
			names[name] = true
		}
		t.abroad[columns[0]] = names
		return nil
	})
}
