package onsgeography

import (
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// lsipSlugs are the slugs of the local skills improvement plan areas that have
// existed, by code. The codes outlive their names (on 29 September 2025
// "Brighton and Hove, East Sussex, West Sussex" became "Sussex and Brighton"
// under the same code), so an area has the slug of its code whatever a list calls
// it. An area that ended and whose name went to a new one has the year added.
var lsipSlugs = map[string]string{
	"E69000001": "sussex-and-brighton",
	"E69000002": "buckinghamshire",
	"E69000003": "cambridgeshire-and-peterborough",
	"E69000004": "cheshire-and-warrington",
	"E69000005": "cornwall-and-the-isles-of-scilly",
	"E69000006": "cumbria",
	"E69000007": "east-midlands",
	"E69000008": "dorset",
	"E69000009": "enterprise-m3",
	"E69000010": "greater-essex",
	"E69000011": "gloucestershire",
	"E69000012": "greater-lincolnshire-2023",
	"E69000013": "greater-london",
	"E69000014": "greater-manchester",
	"E69000015": "heart-of-the-south-west",
	"E69000016": "hertfordshire",
	"E69000017": "hull-and-east-yorkshire",
	"E69000018": "kent-and-medway",
	"E69000019": "lancashire",
	"E69000020": "leicester-and-leicestershire",
	"E69000021": "liverpool-city-region",
	"E69000022": "norfolk-and-suffolk",
	"E69000023": "north-east-2023",
	"E69000024": "north-of-tyne",
	"E69000025": "oxfordshire",
	"E69000026": "solent",
	"E69000027": "south-east-midlands",
	"E69000028": "south-yorkshire",
	"E69000029": "stoke-on-trent-and-staffordshire",
	"E69000030": "swindon-and-wiltshire",
	"E69000031": "tees-valley",
	"E69000032": "thames-valley-berkshire",
	"E69000033": "the-marches",
	"E69000034": "west-midlands-and-warwickshire",
	"E69000035": "worcestershire",
	"E69000036": "west-of-england-and-north-somerset",
	"E69000037": "west-yorkshire",
	"E69000038": "york-and-north-yorkshire",
	"E69000039": "central-london-forward",
	"E69000040": "greater-devon",
	"E69000041": "greater-lincolnshire",
	"E69000042": "hampshire-and-the-solent",
	"E69000043": "leicester-leicestershire-and-rutland",
	"E69000044": "local-london",
	"E69000045": "north-east",
	"E69000046": "somerset",
	"E69000047": "south-london-partnership",
	"E69000048": "surrey",
	"E69000049": "warwickshire",
	"E69000050": "west-london-alliance",
	"E69000051": "west-midlands",
}

// Slug is the slug of a local skills improvement plan area: the fixed one of its
// code, or, for a code that is newer than this program, its name in lower case
// without accents, words joined by hyphens.
func Slug(code, name string) string {
	if s, ok := lsipSlugs[code]; ok {
		return s
	}
	plain, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), name)
	if err != nil {
		plain = name
	}
	return strings.Join(strings.FieldsFunc(strings.ToLower(plain), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), "-")
}
