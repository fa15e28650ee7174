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

// codesFile is the JSON text that the variable codes holds in parsed form.
//
//go:embed codes.json
var codesFile []byte

// codes describes the official area codes. For each type of area, it has a code pattern and the
// prefix of its columns. It also has the slugs of local skills improvement plan areas.
var codes = func() (known struct {
	// Kinds are the supported kinds of area, with the portal's spellings. The pattern of a code
	// excludes the joint codes ("E06000061 / E06000062") and the pseudo codes (L99999999, x, z)
	// that lists contain in addition to the official ones.
	Kinds map[string]struct {
		Prefix string         // prefix of its columns: LAD in LAD25CD
		Shape  *regexp.Regexp // pattern of its codes
	} `json:"kinds"`
	// LSIPSlugs maps codes of local skills improvement plan areas to slugs. It contains all areas
	// so far. A slug belongs to a code, because codes last longer than names. For example, on 29
	// September 2025 "Brighton and Hove, East Sussex, West Sussex" became "Sussex and Brighton"
	// under the same code. If another area takes over the name of a former area, the former area's
	// slug ends in the year.
	LSIPSlugs map[string]string `json:"lsip_slugs"`
}) {
	if err := json.Unmarshal(codesFile, &known); err != nil {
		panic(err)
	}
	return known
}()

// checkCode returns an error unless code is an official code for the given type of area. kind is
// the type, such as "council".
func checkCode(kind, code string) error {
	if codes.Kinds[kind].Shape.MatchString(code) && !strings.HasSuffix(code, "999999") {
		return nil
	}
	return fmt.Errorf("%.60q is not the code of a %s", code, kind)
}

// nationOf returns the code of the nation of an area, such as "E92000001" for England. It returns
// "" if the area lies in several nations. code must be valid.
func nationOf(code string) string {
	letter := code[0]
	if letter == 'T' { // TLL is Wales, TLM Scotland, TLN Northern Ireland, and TLC to TLK are England
		letter = "EEEEEEEEEWSN"[code[2]-'C']
	}
	return map[byte]string{'E': "E92000001", 'W': "W92000004", 'S': "S92000003", 'N': "N92000002"}[letter]
}

// fieldPattern matches column names such as LAD25CD. They consist of the type of area, the last two
// digits of the year, and CD (code), NM (name) or NMW (Welsh name).
var fieldPattern = regexp.MustCompile(`(?i)^([A-Z]+[1-3]?)(\d\d)(CD|NM|NMW)$`)

// columns holds the column names for one type of area in one year: code, name and Welsh name.
type columns struct {
	code, name, welsh string // names of the columns, such as LAD25CD; "" = no such column
	edition           string // year of the code list, such as "2025"
}

// columnsOf returns the code and name columns for a type of area. fields are the names of all
// columns of the table. The result has one element for each year, oldest first.
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

// slugOf returns the slug of a local skills improvement plan area. For an area that is not in the
// fixed list of slugs, it makes a slug from the name.
func slugOf(code, name string) string {
	if s, ok := codes.LSIPSlugs[code]; ok {
		return s
	}
	return sources.MakeSlug(name)
}
