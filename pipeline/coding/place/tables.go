package place

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The built-in tables of places. pipeline/coding/README.md has their sources and licences.
var (
	// areasTSV lists areas, such as nations and counties, with the councils in them.
	//
	//go:embed areas.tsv
	areasTSV string
	// namesTSV lists built-up areas and post towns, with their councils and sizes.
	//
	//go:embed names.tsv
	namesTSV string
	// townsTSV lists towns, hospitals and other places as adverts name them, by council.
	//
	//go:embed towns.tsv
	townsTSV string
	// postcodesTSV lists the postcode districts and sectors of each council.
	//
	//go:embed postcodes.tsv
	postcodesTSV string
	// wordsTSV lists words with a meaning for places, such as the names of foreign cities.
	//
	//go:embed words.tsv
	wordsTSV string
)

// lists are the word lists of words.tsv, by name. The comments in that file describe them.
var lists = func() map[string]map[string]bool {
	m := map[string]map[string]bool{}
	for _, columns := range lines(wordsTSV) {
		m[columns[0]] = map[string]bool{}
		for word := range strings.SplitSeq(columns[1], "|") {
			m[columns[0]][word] = true
		}
	}
	return m
}()

// islands are the names of the Crown dependencies: the Channel Islands and the Isle of Man. They are
// not in the United Kingdom.
var islands = lists["island"]

var noise, kinds, roads, joiners, plainWords = lists["noise"], lists["kind"], lists["road"], lists["joiner"],
	lists["plain"]

// spot is a British place, such as a town, with its councils and its size.
type spot struct {
	councils set    // councils in which the place is at least partly
	parts    []part // the parts of the place by council, with their sizes, the largest first
	size     int    // size of the place as a number of small census areas
	council  bool   // true if the place is a council, and not also a town with the council's name
}

// part is the part of a place that lies in one council. Its size is in small census areas. For
// postcodes it is in per cent.
type part struct{ council, size int }

// area is a named area of whole councils, such as a county or a nation.
type area struct {
	name    string
	members set
	// councils in the area. It also has councils outside the area if adverts write the area's name
	// after the names of places there.
	nearby set
	nation bool
}

// tables holds all built-in tables of British places.
type tables struct {
	councils []string       // names of the councils; the index is the number of the council
	numbers  map[string]int // number of each council, by its normalised name
	spots    map[string][]spot
	areas    map[string]*area
	// councils of each postcode district ("EH1") and sector ("EH1-2"), with the percentage of the
	// district or sector that is in each council
	postcodes map[string][]part
	// for each council, by its number, the councils that share a postcode district with it
	near []set
	// place names grouped by their first letter, for finding misspelt names
	fuzzy map[string][]string
	// first words of the place names that are searched for in advert texts
	heads map[string]bool
}

var loadTables = sync.OnceValue(func() *tables {
	t := &tables{numbers: map[string]int{}, spots: make(map[string][]spot, 16_000), areas: map[string]*area{},
		postcodes: make(map[string][]part, 12_000), fuzzy: map[string][]string{}}
	t.readAreas()
	for _, columns := range lines(namesTSV) {
		var s spot
		for entry := range strings.SplitSeq(columns[1], "|") {
			council, size := splitSize(entry, 1)
			s.parts = append(s.parts, part{t.number(council), size})
		}
		t.add(columns[0], s)
	}
	t.readTowns()
	for _, columns := range lines(postcodesTSV) {
		for entry := range strings.SplitSeq(columns[1], " ") {
			code, percent := splitSize(entry, 100)
			t.postcodes[code] = append(t.postcodes[code], part{t.number(columns[0]), percent})
		}
	}
	t.addCouncils()
	t.findNear()
	t.addShortDistricts()
	t.indexFuzzy()
	t.indexHeads()
	return t
})

// number returns the number of a council in the tables. The council must be listed in areas.tsv.
func (t *tables) number(council string) int { return t.numbers[normalise(council)] }

// nations is the number of nations of the United Kingdom. The first lines of areas.tsv list their
// councils.
const nations = 4

func (t *tables) readAreas() {
	for i, columns := range lines(areasTSV) {
		if i < nations {
			for council := range strings.SplitSeq(columns[1], "|") {
				t.numbers[normalise(council)] = len(t.councils)
				t.councils = append(t.councils, council)
			}
		}
		names, members := strings.Split(columns[0], "|"), t.union(columns[1])
		a := &area{name: names[0], members: members, nearby: members, nation: i < nations || members.len() > 250}
		if len(columns) > 2 {
			a.nearby = a.nearby.or(t.union(columns[2]))
		}
		for _, name := range names {
			t.areas[normalise(name)] = a
		}
	}
}

// union returns the set of all councils in a list such as "Camden|Islington|=Kent". An item that
// begins with "=" is an area and means all its councils.
func (t *tables) union(list string) (s set) {
	for name := range strings.SplitSeq(list, "|") {
		if ref, ok := strings.CutPrefix(name, "="); ok {
			s = s.or(t.areas[normalise(ref)].members)
		} else {
			s = s.or(setOf(t.number(name)))
		}
	}
	return s
}

// townSize is the default size of a town in towns.tsv, in small census areas.
const townSize = 8

func (t *tables) readTowns() {
	for _, columns := range lines(townsTSV) {
		council := t.number(columns[0])
		for entry := range strings.SplitSeq(columns[1], "|") {
			town, size := splitSize(entry, townSize)
			t.add(town, spot{parts: []part{{council, size}}})
			if head := t.trimQualifier(town); head != "" {
				t.add(head, spot{parts: []part{{council, 1}}})
			}
		}
	}
}

// trimQualifier returns a place name without the council, county or area at its end. "Blackburn
// West Lothian" becomes "Blackburn". It returns "" if the name has no such end.
func (t *tables) trimQualifier(name string) string {
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

// splitSize splits a table entry such as "Leeds:120" into a name and a size. The size of an entry
// without a number is defaultSize.
func splitSize(entry string, defaultSize int) (name string, size int) {
	name, digits, stated := strings.Cut(entry, ":")
	if !stated {
		return name, defaultSize
	}
	size, _ = strconv.Atoi(digits)
	return name, size
}

// add adds a place to the tables. If a place with the same name is already in one of its councils,
// add merges the two.
func (t *tables) add(name string, s spot) {
	for _, p := range s.parts {
		s.councils = s.councils.or(setOf(p.council))
		s.size += p.size
	}
	key := normalise(name)
	for i := range t.spots[key] {
		if known := &t.spots[key][i]; known.councils.meets(s.councils) {
			known.size = max(known.size, s.size)
			if float64(known.parts[0].size) < mainShare*float64(known.size) {
				known.parts = s.parts
			}
			return
		}
	}
	t.spots[key] = append(t.spots[key], s)
}

// councilSize is the smallest size that is used for a council, in small census areas. It makes a
// council's name stronger than the name of a village.
const councilSize = 60

// addCouncils adds each council as a place under all its names. It replaces a town in the council
// with the same name.
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

// councilNames returns the official name of a council and its short forms in adverts. For "Bristol,
// City of" it also returns "Bristol" and "City of Bristol".
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

// addShortDistricts adds short forms of the postcode districts of inner London. Adverts write "EC1"
// for EC1A, EC1M and their neighbours. All districts of a short form have the same weight.
func (t *tables) addShortDistricts() {
	short := map[string][]part{}
	for code, parts := range t.postcodes {
		last := len(code) - 1
		if name := code[:last]; code[last] >= 'A' && code[last] <= 'Z' && t.postcodes[name] == nil {
			short[name] = append(short[name], parts...)
		}
	}
	for name, parts := range short {
		sizes := map[int]int{} // by council
		for _, p := range parts {
			sizes[p.council] += p.size
		}
		var whole []part
		for council, size := range sizes {
			whole = append(whole, part{council, size})
		}
		slices.SortFunc(whole, func(a, b part) int { return cmp.Or(b.size-a.size, a.council-b.council) })
		t.postcodes[name] = whole
	}
}
