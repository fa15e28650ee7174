package place

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"labour/sources"
)

// nationGazetteer has every council of the tables, with its name as its code.
func nationGazetteer(t testing.TB, served ...ServedArea) *Gazetteer {
	t.Helper()
	shared := loadTables()
	var councils []sources.Area
	for _, name := range shared.councils {
		councils = append(councils, sources.Area{Code: name, Name: name, Kind: "council"})
	}
	g, faults := NewGazetteer(councils, nil, nil, served...)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return g
}

// The embedded tables have two columns, those of areas at most three; they name councils of the
// nations and areas above, and sizes are numbers.
func TestTablesAreWhole(t *testing.T) {
	shared, areas := loadTables(), map[string]bool{}
	known := func(where, council string) {
		if _, ok := shared.numbers[normalise(council)]; !ok {
			t.Errorf("%s: no nation has the council %q", where, council)
		}
	}
	rows := func(name, text string, most int, each func(columns []string)) {
		for i, columns := range lines(text) {
			if len(columns) < 2 || len(columns) > most {
				t.Fatalf("%s, entry %d: %d columns", name, i+1, len(columns))
			}
			each(columns)
		}
	}
	entries := func(name, text, between string, council func(columns []string, entry string) string) {
		rows(name, text, 2, func(columns []string) {
			for entry := range strings.SplitSeq(columns[1], between) {
				entry, size, stated := strings.Cut(entry, ":")
				if _, err := strconv.Atoi(size); stated && err != nil || entry == "" {
					t.Errorf("%s: %q of the size %q", name, entry, size)
				}
				known(name, council(columns, entry))
			}
		})
	}
	rows("areas.tsv", areasTSV, 3, func(columns []string) {
		for name := range strings.SplitSeq(strings.Join(columns[1:], "|"), "|") {
			if ref, ok := strings.CutPrefix(name, "="); !ok {
				known("areas.tsv", name)
			} else if !areas[normalise(ref)] {
				t.Errorf("areas.tsv: no area %q above", ref)
			}
		}
		for name := range strings.SplitSeq(columns[0], "|") {
			areas[normalise(name)] = true
		}
	})
	entries("names.tsv", namesTSV, "|", func(_ []string, entry string) string { return entry })
	entries("towns.tsv", townsTSV, "|", func(columns []string, _ string) string { return columns[0] })
	entries("postcodes.tsv", postcodesTSV, " ", func(columns []string, _ string) string { return columns[0] })
	rows("words.tsv", wordsTSV, 2, func([]string) {})
}

func codeText(g *Gazetteer, text string) Coding {
	return g.CodeAdvert(&sources.Advert{Locations: []sources.Location{{Text: text}}}, &LocationCache{})
}

var londonBoroughs = strings.Split(
	"City of London|Barking and Dagenham|Barnet|Bexley|Brent|Bromley|Camden|Croydon|Ealing|Enfield|Greenwich|Hackney|"+
		"Hammersmith and Fulham|"+
		"Haringey|Harrow|Havering|Hillingdon|Hounslow|Islington|Kensington and Chelsea|Kingston upon Thames|Lambeth|"+
		"Lewisham|Merton|Newham|Redbridge|Richmond upon Thames|"+
		"Southwark|Sutton|Tower Hamlets|Waltham Forest|Wandsworth|Westminster", "|")

// An area counts for every served area that holds it whole, in the order of their slugs, and for no
// borough.
func TestAreasThatAreServed(t *testing.T) {
	kent := strings.Split(
		"Ashford|Canterbury|Dartford|Dover|Folkestone and Hythe|Gravesham|Maidstone|Medway|Sevenoaks|Swale|Thanet|"+
			"Tonbridge and Malling|Tunbridge Wells", "|")
	g := nationGazetteer(t, ServedArea{"south", "South", slices.Concat(kent, londonBoroughs)},
		ServedArea{"capital", "The capital", londonBoroughs},
		ServedArea{"centre", "Central London", []string{"Camden", "Westminster"}}, // the operator's own idea of it
		ServedArea{"most", "Most of London", londonBoroughs[1:]})
	tests := map[string]string{
		"London": "capital south", "Greater London, UK": "capital south", "Central London": "capital centre most south",
		"UCLH, London": "",
		"Kent":         "south", "Kent; London": "capital south", "London or Paris": "capital south", "South East": "",
		"England": "", "Remote, United Kingdom": "",
		"Outer London": "capital most south", "North London": "capital south", "Leeds": "",
		"South East London; Manchester": "capital most south",
		"London and York":               "capital south", "Kent & surrounding area": "south", "Kent House, York": "",
	}
	for text, want := range tests {
		c := codeText(g, text)
		if got := strings.Join(c.ServedAreas, " "); got != want {
			t.Errorf("%q counts for %q, want %q", text, got, want)
		}
		if c.Country != CountryUK {
			t.Errorf("%q is in country %d", text, c.Country)
		}
	}
}

// Served areas drawn at random hold what a walk over the councils says.
func TestServedAgainstCouncils(t *testing.T) {
	areas := map[string]string{"Kent": "kent", "Central London": "central london", "Merseyside": "merseyside",
		"Wales": "wales", "Tees Valley": "tees valley", "Devon and Cornwall": "devon and cornwall"}
	whole := nationGazetteer(t)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"Kent", "Central London", "Merseyside", "Wales", "Tees Valley",
			"Devon and Cornwall"}).Draw(t, "text")
		members := whole.codesOf(whole.areas[areas[text]].members)
		left := rapid.SampledFrom(append([]string{""}, members...)).Draw(t, "left out")
		more := rapid.SliceOfN(rapid.SampledFrom(whole.councils), 0, 5).Draw(t, "more")
		codes := append(slices.DeleteFunc(slices.Clone(members), func(c string) bool { return c == left }), more...)
		g := &Gazetteer{tables: whole.clone(), slugs: whole.slugs, codes: whole.codes, byCode: whole.byCode,
			outlines: whole.outlines}
		g.serve(ServedArea{"a", "An area", codes})
		want := true
		for _, m := range members {
			want = want && slices.Contains(codes, m)
		}
		if got := codeText(g, text); slices.Contains(got.ServedAreas, "a") != want || len(got.Councils) > 0 {
			t.Fatalf("%q without %q and with %v: %+v, want served %v", text, left, more, got, want)
		}
	})
}

// Every name of the tables is British and placed when the country is known, and none is
// in a council that the tables do not give it.
func TestEveryName(t *testing.T) {
	g := nationGazetteer(t)
	for name, spots := range g.spots {
		c := g.CodeAdvert(&sources.Advert{Locations: []sources.Location{{Text: name, Country: "GB"}}}, &LocationCache{})
		if c.Country != CountryUK || c.Precision == PrecisionUnknown && !noise[name] {
			t.Errorf("%q: %+v", name, c)
		}
		for _, code := range c.Councils {
			n := setOf(g.byCode[code])
			if len(withinCouncils(spots, n)) == 0 && (g.areas[name] == nil || !n.isSubset(g.areas[name].members)) {
				t.Errorf("%q is in %s, which the tables do not say", name, code)
			}
		}
	}
}

// Misspelt names, and words around a name.
func TestNamesInText(t *testing.T) {
	g := nationGazetteer(t)
	tests := map[string]string{
		"Walsall Manor Hospital, Walsall":      "Walsall",
		"Queen Elizabeth Hospital King's Lynn": "King's Lynn and West Norfolk", "Guildford Surrey": "Guildford",
		"20 Rouen Road, Norwich": "Norwich", "Oxford Road, Manchester": "Manchester",
		"Harlow Wood, Mansfield": "Mansfield", "Wolerhampton": "Wolverhampton",
		"Ashley, Market Drayton": "Shropshire", "Lostock Hall, Preston": "South Ribble",
		"Kent, Surrey, Sussex, Crawley": "Crawley", "Bicester and Kidlington": "Cherwell",
		"Lincoln and Boston": "Boston Lincoln", "Derry/Londonderry": "Derry City and Strabane",
		"Gillingham, Dorset": "Dorset", "Gillingham, Kent": "Medway",
		"Newport, Isle of Wight": "Isle of Wight", "Newport, Wales": "Newport",
		"Bangor, County Down": "Ards and North Down",
		"Bangor, North Down":  "Ards and North Down", "Bangor, Co. Down, Northern Ireland": "Ards and North Down",
		"Bangor, NI": "Ards and North Down", "Bangor, Gwynedd": "Gwynedd",
		"Newcastle, South Down": "Newry, Mourne and Down", "Newcastle, Co Down": "Newry, Mourne and Down",
		"Antrim, South Antrim":  "Antrim and Newtownabbey",
		"Ballymena, Mid Antrim": "Mid and East Antrim", "Newtownards, Ards": "Ards and North Down",
		"Bangor (North Down)": "Ards and North Down", "Darlington, County Durham": "Darlington",
		"Manchester, Lancashire": "Manchester", "Worcester Park, Surrey": "Epsom and Ewell",
		"Blackburn, West Lothian": "West Lothian", "Weston-under-Wetherley": "",
		"Blackburn, Bathgate": "West Lothian", "Perth, Scotland": "Perth and Kinross",
		"Washington, Tyne and Wear": "Sunderland", "Kensington, Liverpool": "Liverpool",
		"Stoke-on-Trent (hybrid)": "Stoke-on-Trent", "Kings Norton; Remote": "Birmingham", "Whitchurch": "",
		"Richmond": "", "Barking, Havering and Redbridge": "Barking and Dagenham Havering Redbridge",
		"Derby, Burton, Lichfield and Tamworth":                  "Derby East Staffordshire Lichfield Tamworth",
		"Cannock, Burton, Stafford, Tamworth":                    "Cannock Chase East Staffordshire Stafford Tamworth",
		"Richmond & Kingston upon Thames":                        "Kingston upon Thames Richmond upon Thames",
		"Margate & William Harvey Hospital, Ashford":             "Ashford Thanet",
		"The Shrewsbury and Telford Hospital NHS Trust, Telford": "Telford and Wrekin",
		"Denton, Tameside, Manchester":                           "Tameside", "Wakefeild, Yorkshire": "Wakefield",
		"Wakefeild, Kent":       "",
		"Todmorden, Lancashire": "Calderdale", "East Surrey Hospital, Canada Avenue, Redhill": "Reigate and Banstead",
		"Mexborough": "Doncaster", "HMP Garth, Leyland": "Chorley",
	}
	for text, want := range tests {
		c := codeText(g, text)
		if got := strings.Join(c.Councils, " "); got != want {
			_, why := g.Explain(&sources.Advert{Locations: []sources.Location{{Text: text}}})
			t.Errorf("%q is in %q, want %q: %v", text, got, want, why)
		}
	}
}

// If the places leave the country open, the wording of the advert decides.
func TestSigns(t *testing.T) {
	g := nationGazetteer(t)
	tests := []struct {
		place, salary, text string
		want                CountryStatus
		placed              Precision
	}{
		{"Remote", "", "You must be located in the United States and authorized to work there. 401(k).", CountryAbroad,
			PrecisionUnknown},
		{"Remote", "", "You have the right to work in the UK.", CountryUK, PrecisionArea},
		{"Remote", "", "Our team is based in the UK; this role is for people based in Canada.", CountryUnknown,
			PrecisionUnknown},
		{"Remote", "", "Help us grow.", CountryUnknown, PrecisionUnknown},
		{"Boston", "", "Salary of £24,000 per annum.", CountryUK, PrecisionCouncil},
		{"Boston", "$90,000", "", CountryAbroad, PrecisionUnknown},
		{"Nether Nowhere", "£12.60 an hour", "", CountryUK, PrecisionUnknown},
		{"London", "$90,000", "401(k)", CountryUK, PrecisionArea},
		{"Needham", "", "We offer a 401(k) and dental cover.", CountryAbroad, PrecisionUnknown},
		{"Needham", "", "You work with local farmers.", CountryUK, PrecisionCouncil},
		{"Needham, Norfolk", "", "Our American colleagues have a 401(k).", CountryUK, PrecisionCouncil},
		{"Needham", "", "We offer a 401(k) in the US and bank holidays here.", CountryUK, PrecisionCouncil},
		{"Paris", "£40,000", "right to work in the UK", CountryAbroad, PrecisionUnknown},
	}
	for _, tt := range tests {
		a := &sources.Advert{Locations: []sources.Location{{Text: tt.place}}, SalaryText: tt.salary, Text: tt.text}
		if c := g.CodeAdvert(a, &LocationCache{}); c.Country != tt.want || c.Precision != tt.placed {
			t.Errorf("%q, %q, %q: %+v, want country %d, placed %d", tt.place, tt.salary, tt.text, c, tt.want, tt.placed)
		}
	}
}

// The services of one nation and the platform are British whatever a place is called.
func TestBritishOrigins(t *testing.T) {
	g := nationGazetteer(t,
		ServedArea{"england", "All of England",
			nationGazetteer(t).codesOf(nationGazetteer(t).areas["england"].members)})
	a := &sources.Advert{Origin: sources.OriginApprenticeship, Locations: []sources.Location{{Text: "Boston"}}}
	if c := g.CodeAdvert(a, &LocationCache{}); !slices.Equal(c.Councils, []string{"Boston"}) {
		t.Errorf("an apprenticeship in Boston: %+v", c)
	}
	a.Nationwide = true
	if c := g.CodeAdvert(a, &LocationCache{}); !slices.Equal(c.ServedAreas, []string{"england"}) || len(c.Councils) > 0 {
		t.Errorf("an apprenticeship anywhere in England: %+v", c)
	}
}

// TestTwoNamesOfOneArea: two names of the same councils are one area, whichever comes first.
func TestTwoNamesOfOneArea(t *testing.T) {
	g := nationGazetteer(t)
	for text, area := range map[string]string{"London, England": `"london" is the area London of 33 councils`,
		"London, Greater London":          `"london" is the area London of 33 councils`,
		"Greater London, London":          `"greater london" is the area Greater London of 33 councils`,
		"London, Greater London, England": `"london" is the area London of 33 councils`} {
		got, why := g.Explain(&sources.Advert{Locations: []sources.Location{{Text: text}}})
		if got.Precision != PrecisionArea || !slices.Contains(why, area) {
			t.Errorf("%s is %+v because %q, want %s", text, got, why, area)
		}
	}
}
