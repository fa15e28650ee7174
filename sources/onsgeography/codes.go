package onsgeography

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"labour/sources"
)

// kindRule is how the portal writes one kind of area.
type kindRule struct {
	prefix string         // of its columns: LAD in LAD25CD
	shape  *regexp.Regexp // of its codes
}

// kinds are the areas that are known. The shape of a code keeps out the joint codes ("E06000061 /
// E06000062") and the pseudo codes (L99999999, x, z) that lists hold beside the official ones.
var kinds = map[string]kindRule{
	Nation:           {"CTRY", regexp.MustCompile(`^(E92000001|N92000002|S92000003|W92000004)$`)},
	Region:           {"RGN", regexp.MustCompile(`^E12\d{6}$`)},
	Council:          {"LAD", regexp.MustCompile(`^(E0[6-9]|W06|S12|N09)\d{6}$`)},
	TravelToWorkArea: {"TTWA", regexp.MustCompile(`^(E30|W22|S22|N12|K01)\d{6}$`)},
	LSIP:             {"LSIP", regexp.MustCompile(`^E69\d{6}$`)},
	ITL1:             {"ITL1", regexp.MustCompile(`^TL[C-N]$`)},
	ITL2:             {"ITL2", regexp.MustCompile(`^TL[C-N][0-9A-Z]$`)},
	ITL3:             {"ITL3", regexp.MustCompile(`^TL[C-N][0-9A-Z]{2}$`)},
	Ward:             {"WD", regexp.MustCompile(`^(E05|W05|S13|N08)\d{6}$`)},
}

var kindNames = []string{Nation, Region, Council, TravelToWorkArea, LSIP, ITL1, ITL2, ITL3, Ward}

// checkCode says what is wrong with a code of a kind; nil when nothing is.
func checkCode(kind, code string) error {
	if kinds[kind].shape.MatchString(code) && !strings.HasSuffix(code, "999999") {
		return nil
	}
	return fmt.Errorf("%.60q is not the code of a %s", code, kind)
}

// nationOf is the code of the nation that an area lies in, or "" when it crosses
// nations: a travel to work area with a K code does.
func nationOf(kind, code string) string {
	if code == "" {
		return ""
	}
	letter := code[0]
	if kind == ITL1 || kind == ITL2 || kind == ITL3 {
		// The third letter: TLL is Wales, TLM Scotland, TLN Northern Ireland, TLC to TLK are England.
		letter = 0
		if len(code) > 2 && code[2] >= 'C' && code[2] <= 'N' {
			letter = "EEEEEEEEEWSN"[code[2]-'C']
		}
	}
	return map[byte]string{'E': "E92000001", 'W': "W92000004", 'S': "S92000003", 'N': "N92000002"}[letter]
}

// fieldPattern reads LAD25CD, lad19nm, ITL125CD: what, the last two digits of the
// year, and whether it is the code, the name or the Welsh name.
var fieldPattern = regexp.MustCompile(`(?i)^([A-Z]+[1-3]?)(\d\d)(CD|NM|NMW)$`)

// columns are the fields of one kind in one table.
type columns struct {
	code, name, welsh string // names of fields, "" when there is none
	edition           string // year, "2025"
}

// columnsOf finds the fields of a kind. A table that has the kind for several
// years (a table of changes) gives the newest. ok is false without a code.
func columnsOf(kind string, fields []string) (c columns, ok bool) {
	fields = slices.Sorted(slices.Values(fields))
	for _, f := range fields {
		m := fieldPattern.FindStringSubmatch(f)
		if m == nil || !strings.EqualFold(m[1], kinds[kind].prefix) {
			continue
		}
		year := "20" + m[2]
		if year > c.edition {
			c = columns{edition: year}
		}
		if year < c.edition {
			continue
		}
		switch strings.ToUpper(m[3]) {
		case "CD":
			c.code = f
		case "NM":
			c.name = f
		case "NMW":
			c.welsh = f
		}
	}
	return c, c.code != ""
}

// yearsOf finds the code fields of a kind of every year, oldest first.
func yearsOf(kind string, fields []string) []columns {
	var years []columns
	for _, f := range fields {
		m := fieldPattern.FindStringSubmatch(f)
		if m != nil && strings.EqualFold(m[1], kinds[kind].prefix) && strings.EqualFold(m[3], "CD") {
			years = append(years, columns{code: f, edition: "20" + m[2]})
		}
	}
	slices.SortFunc(years, func(a, b columns) int { return strings.Compare(a.edition, b.edition) })
	return years
}

// changes takes what became of a code from each year to the next. A code that is not
// official (the joint codes of areas that were merged later) is a fault and no
// change, so that what lies before it is not continued by a guess.
func (r *reader) changes(object, where string, f feature) error {
	for i := 1; i < len(r.layout.years); i++ {
		was, now := r.layout.years[i-1], r.layout.years[i]
		from, to := f.text(was.code), f.text(now.code)
		if from == "" || to == "" {
			continue
		}
		for _, code := range []string{from, to} {
			if err := checkCode(r.v.Changes, code); err != nil {
				return r.fault(object, where, sources.FaultValue, err.Error())
			}
		}
		c := sources.CodeChange{Source: Key, Kind: r.v.Changes, From: from, To: to, Edition: now.edition}
		if _, there := r.given[c]; there {
			continue
		}
		r.given[c] = ""
		if err := r.out.Emit(c); err != nil {
			return err
		}
	}
	return nil
}
