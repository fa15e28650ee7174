package yeartest

import (
	"slices"
)

// skill is an entry of the operator's register. Wordings are unlike any other words of the world,
// so that what an advert asks for is no question.
type skill struct {
	slug, wording string
	level         int // usually meant where none is stated
	kind          string
}

var register = []skill{
	{"bookkeeping", "bookkeeping", 2, "finance"},
	{"brazing", "brazing", 3, "technical"},
	{"first-aid", "first aid certificate", 1, "licence"},
	{"glazing", "glazing", 3, "technical"},
	{"kiln-firing", "kiln firing", 2, "technical"},
	{"thatching", "thatching", 3, "technical"}, // which only boards ask for, so that nobody applies
	{"typesetting", "typesetting", 4, "creative"},
}

// licence is the skill that is held or not.
const licence = "first-aid"

// laterSkill comes into the register during the year.
var laterSkill = skill{"upholstery", "upholstery", 2, "technical"}

// sectors are the 15 apprenticeship routes.
var sectors = []string{"agriculture-environmental-and-animal-care", "business-and-administration", "care-services",
	"catering-and-hospitality",
	"construction-and-the-built-environment", "creative-and-design", "digital", "education-and-early-years",
	"engineering-and-manufacturing",
	"hair-and-beauty", "health-and-science", "legal-finance-and-accounting", "protective-services",
	"sales-marketing-and-procurement",
	"transport-and-logistics"}

// trade is an occupation with its sector.
type trade struct{ title, soc, sector string }

var trades = []trade{
	{"Care worker", "6135", "care-services"},
	{"Senior care worker", "6136", "care-services"},
	{"Electrician", "5241", "construction-and-the-built-environment"},
	{"Plumber", "5315", "construction-and-the-built-environment"},
	{"Programmer", "2134", "digital"},
	{"Web designer", "2141", "digital"},
}

// employers are written as people write them: two spellings are one employer.
var employers = [][]string{{"Acme Ltd", "Acme Ltd.", "ACME, Ltd"}, {"Birch Care"}, {"Cedar Homes"},
	{"Dale Works", "DALE WORKS"},
	{"Elm Trust"}, {"Fern Studios"}, {"Gorse and Sons"}, {"Hazel Group"}}

// employerOf returns the number of the employer that a spelling names.
func employerOf(name string) int {
	for i, spellings := range employers {
		if slices.Contains(spellings, name) {
			return i
		}
	}
	return -1
}

var boroughsAtFirst = []borough{{"camden", "Camden", "E09000007"}, {"hackney", "Hackney", "E09000012"},
	{"islington", "Islington", "E09000019"}}

// area is the union of two boroughs.
const area = "inner-north"

var areaMembers = []string{"camden", "islington"}

// The year that is played. The world begins earlier, so that windows of 24 months are full.
var (
	begin      = day("2027-10-15")
	end        = day("2028-11-17") // the last day
	worldFirst = day("2025-09-10")
)
