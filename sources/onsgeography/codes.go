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

// codes are what is known of the office's codes.
var codes = func() (known struct {
	// Kinds are the areas that are known, and how the portal writes them. The shape of a code keeps
	// out the joint codes ("E06000061 / E06000062") and the pseudo codes (L99999999, x, z) that
	// lists hold in addition to the official ones.
	Kinds map[string]struct {
		Prefix string         // of its columns: LAD in LAD25CD
		Shape  *regexp.Regexp // of its codes
	} `json:"kinds"`
	// LSIPSlugs are the slugs of the local skills improvement plan areas that have existed, by code.
	// The codes outlive their names (on 29 September 2025 "Brighton and Hove, East Sussex, West
	// Sussex" became "Sussex and Brighton" under the same code), so an area has the slug of its code
	// whatever a list calls it. An area that ended and whose name went to a new one has the year added.
	LSIPSlugs map[string]string `json:"lsip_slugs"`
}) {
	if err := json.Unmarshal(codesFile, &known); err != nil {
		panic(err)
	}
	return known
}()

// checkCode returns an error if a code of a kind is invalid.
func checkCode(kind, code string) error {
	if codes.Kinds[kind].Shape.MatchString(code) && !strings.HasSuffix(code, "999999") {
		return nil
	}
	return fmt.Errorf("%.60q is not the code of a %s", code, kind)
}

// nationOf returns the code of the nation of an area, from a valid code; "" if it crosses nations,
// like a travel to work area with a K code.
func nationOf(code string) string {
	letter := code[0]
	if letter == 'T' { // TLL is Wales, TLM Scotland, TLN Northern Ireland, TLC to TLK are England
		letter = "EEEEEEEEEWSN"[code[2]-'C']
	}
	return map[byte]string{'E': "E92000001", 'W': "W92000004", 'S': "S92000003", 'N': "N92000002"}[letter]
}

// fieldPattern reads LAD25CD, lad19nm, ITL125CD: what, the last two digits of the
// year, and whether it is the code, the name or the Welsh name.
var fieldPattern = regexp.MustCompile(`(?i)^([A-Z]+[1-3]?)(\d\d)(CD|NM|NMW)$`)

// columns holds the fields of one kind in one table.
type columns struct {
	code, name, welsh string // names of fields, "" when there is none
	edition           string // year, "2025"
}

// columnsOf finds the fields of a kind, for every year in the table, oldest first.
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

// slugOf returns the slug of a local skills improvement plan area: the fixed one for its code or,
// for a code that is newer than this program, that of its name.
func slugOf(code, name string) string {
	if s, ok := codes.LSIPSlugs[code]; ok {
		return s
	}
	return sources.SlugOf(name)
}
