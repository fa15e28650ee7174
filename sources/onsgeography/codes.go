package onsgeography

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"labour/sources"
)

//go:embed codes.json
var codesFile []byte

// codes describes the official codes of areas. It has the column prefix and the code pattern of
// each kind of area, and the slugs of local skills improvement plan areas.
var codes = func() (known struct {
	// Kinds are the supported kinds of area, with the portal's spellings. The pattern of a code
	// excludes the joint codes ("E06000061 / E06000062") and the pseudo codes (L99999999, x, z)
	// that lists contain in addition to the official ones.
	Kinds map[string]struct {
		Prefix string         // prefix of its columns: LAD in LAD25CD
		Shape  *regexp.Regexp // pattern of its codes
	} `json:"kinds"`
	// LSIPSlugs are the slugs of all local skills improvement plan areas so far, by code. Codes
	// last longer than names (on 29 September 2025 "Brighton and Hove, East Sussex, West Sussex"
	// became "Sussex and Brighton" under the same code), so the slug belongs to the code, whatever
	// name a list gives. If the name of a former area went to another area, the slug of the former
	// one ends in the year.
	LSIPSlugs map[string]string `json:"lsip_slugs"`
}) {
	if err := json.Unmarshal(codesFile, &known); err != nil {
		panic(err)
	}
	return known
}()

// checkCode returns an error if a text is not a valid official code for a kind of area.
func checkCode(kind, code string) error {
	if codes.Kinds[kind].Shape.MatchString(code) && !strings.HasSuffix(code, "999999") {
		return nil
	}
	return fmt.Errorf("%.60q is not the code of a %s", code, kind)
}

// nationOf returns the code of the nation in which an area lies, given the area's valid code. It
// returns "" if the area is in more than one nation.
func nationOf(code string) string {
	letter := code[0]
	if letter == 'T' { // TLL is Wales, TLM Scotland, TLN Northern Ireland, and TLC to TLK are England
		letter = "EEEEEEEEEWSN"[code[2]-'C']
	}
	return map[byte]string{'E': "E92000001", 'W': "W92000004", 'S': "S92000003", 'N': "N92000002"}[letter]
}

// fieldPattern matches column names such as LAD25CD or lad19nm. They consist of the kind of area,
// the year, and CD (code), NM (name) or NMW (Welsh name).
var fieldPattern = regexp.MustCompile(`(?i)^([A-Z]+[1-3]?)(\d\d)(CD|NM|NMW)$`)

// columns holds the names of the columns for one kind of area in one year: those with the area's
// code, name and Welsh name.
type columns struct {
	code, name, welsh string // names of the columns, such as LAD25CD; "" = no such column
	edition           string // year of the code list, such as "2025"
}

// columnsOf finds the code and name columns of a kind of area. It returns one element for each year
// in the table, oldest first.
func columnsOf(kind string, fields []string) []columns {
	years := map[string]columns{}
	for _, f := range fields {
		m := fieldPattern.FindStringSubmatch(f)
		if m == nil || !strings.EqualFold(m[1], codes.Kinds[kind].Prefix) {
			continue
		}
		c := years[m[2]]
		c.edition = "20" + m[2]
		switch strings.ToUpper(m[3]) {
		case "CD":
			c.code = f
		case "NM":
			c.name = f
		case "NMW":
			c.welsh = f
		}
		years[m[2]] = c
	}
	return slices.SortedFunc(maps.Values(years), func(a, b columns) int { return cmp.Compare(a.edition, b.edition) })
}

// slugOf returns the slug of a local skills improvement plan area. It looks up the area's code in a
// fixed list. If the code is not in the list, it makes the slug from the name.
func slugOf(code, name string) string {
	if s, ok := codes.LSIPSlugs[code]; ok {
		return s
	}
	return sources.MakeSlug(name)
}
