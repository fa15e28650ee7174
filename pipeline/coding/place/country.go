package place

import (
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Split(words, "|") {
		m[w] = true
	}
	return m
}

var ukNames = set("uk|united kingdom|gb|gbr|great britain|britain|england|scotland|wales|cymru|northern ireland|united kingdom of great britain and northern ireland|uk wide|ukwide|nationwide uk|across the uk|uk and ireland|anywhere in the uk")

// ukAreas are names that say the United Kingdom and no single council, or that
// are towns whose plain mention abroad is rare.
var ukAreas = set("london|greater london|central london|inner london|outer london|north london|south london|east london|west london|city of london and westminster|south east england|south west england|east of england|east midlands|west midlands|yorkshire|north west england|north east england|midlands|greater manchester|merseyside|tyne and wear|west yorkshire|south yorkshire|kent|surrey|essex|sussex|east sussex|west sussex|hampshire|hertfordshire|bedfordshire|berkshire|oxfordshire|lancashire|cheshire|cumbria|devon|dorset|somerset|norfolk|suffolk|lincolnshire|leicestershire|nottinghamshire|derbyshire|staffordshire|warwickshire|gloucestershire|worcestershire|northamptonshire|cambridgeshire|home counties|thames valley|m4 corridor|scottish borders|south wales|north wales|mid wales|manchester|birmingham|cambridge|oxford|edinburgh|glasgow|cardiff|belfast|bristol|leeds|liverpool|sheffield|nottingham|newcastle upon tyne")

// ambiguous are British place names that stand for a better known place abroad,
// or for too many: they say nothing without a country beside them.
var ambiguous = set("boston|perth|richmond|durham|lincoln|newport|hamilton|washington|wellington|halifax|melbourne|dover|stratford|kingston|enfield|bath|bedford|york|lancaster|plymouth|rochester|windsor|worcester|cambridge ma|hastings|ipswich|launceston|aberdeen|arlington|burlington|bangor|craven|wells|preston|reading pa|warwick|stafford|chester|portland|gloucester|christchurch|epping|epsom|newcastle|sutton|barnet|redding|salisbury|southampton ny|taunton|winchester|richmond va|chelsea|brent|camden nj|bexley oh|dublin|canterbury|sandwich|guildford|ashford|derby|corby|melton|rugby|stirling|dundee|angus|highland|clarence|victoria|oxford ms")

// ambiguousAbroad says that the name alone does not show the country.
func ambiguousAbroad(p string) bool { return ambiguous[p] && !homeAnyway[p] }

// homeAnyway are names from the list above that adverts in English use for the
// British place when nothing else is said.
var homeAnyway = set("bath|york|reading|preston|chester|derby|canterbury|guildford|salisbury|barnet|enfield|brent|dundee|stirling|gloucester|plymouth|ashford|ipswich|winchester|corby|rugby|stafford|warwick|epsom|taunton")

var foreignAreas = set("us|usa|u s|united states of america|america|north america|south america|latin america|latam|apac|asia|africa|middle east|mena|dach|benelux|nordics|czech republic|ivory coast|uae|korea|hong kong|macau|russia|turkey|holland|eire|republic of ireland|us remote|remote us|remote usa|anz")

// usStates are the states of the United States and provinces of Canada and
// Australia, as names; the two-letter forms are told by usStateCodes.
var usStates = set("alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington dc|washington state|west virginia|wisconsin|wyoming|ontario|quebec|british columbia|alberta|manitoba|saskatchewan|nova scotia|new brunswick|new south wales|queensland|western australia|south australia|tasmania|karnataka|maharashtra|tamil nadu|telangana|haryana|west bengal")

var usStateCodes = set("al|ak|az|ar|ca|co|ct|dc|fl|ga|hi|il|ia|ks|ky|la|md|ma|mi|mn|ms|mo|mt|ne|nv|nh|nj|nm|ny|nc|nd|oh|ok|pa|ri|sc|sd|tn|tx|ut|vt|va|wa|wv|wi|wy|on|qc|bc|ab|nsw|vic|qld")

var foreignCities = set("new york city|nyc|sf|san francisco|south san francisco|los angeles|san diego|san jose|palo alto|mountain view|seattle|chicago|austin|dallas|houston|denver|miami|atlanta|philadelphia|phoenix|orlando|charlotte|bentonville|cincinnati|detroit|minneapolis|salt lake city|las vegas|boulder|nashville|pittsburgh|bay area|silicon valley|toronto|montreal|vancouver|calgary|ottawa|waterloo|mexico city|bogota|sao paulo|rio de janeiro|buenos aires|santiago|lima|dublin|cork|galway|paris|lyon|marseille|toulouse|berlin|munich|hamburg|frankfurt|frankfurt am main|cologne|dusseldorf|stuttgart|amsterdam|rotterdam|eindhoven|utrecht|the hague|brussels|antwerp|ghent|luxembourg|zurich|geneva|zug|basel|lausanne|vienna|rome|milan|turin|madrid|barcelona|valencia|seville|malaga|lisbon|porto|stockholm|gothenburg|malmo|copenhagen|oslo|helsinki|reykjavik|warsaw|krakow|cracow|wroclaw|gdansk|prague|brno|bratislava|kosice|budapest|bucharest|iasi|cluj|sofia|belgrade|zagreb|ljubljana|athens|istanbul|ankara|kyiv|lviv|tallinn|riga|vilnius|tel aviv|jerusalem|dubai|abu dhabi|doha|riyadh|manama|cairo|lagos|nairobi|accra|johannesburg|cape town|mumbai|delhi|new delhi|bengaluru|bangalore|chennai|hyderabad|pune|gurgaon|gurugram|noida|kolkata|karachi|lahore|dhaka|singapore|kuala lumpur|jakarta|manila|bangkok|hanoi|ho chi minh city|tokyo|osaka|seoul|beijing|shanghai|shenzhen|guangzhou|taipei|sydney|brisbane|adelaide|canberra|auckland")

func foreignCity(p string) bool { return foreignCities[p] }

// countries are the English names of all countries but the United Kingdom, from
// the Unicode locale data.
var countries = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	names := display.English.Regions()
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			r, err := language.ParseRegion(string([]rune{a, b}))
			if err == nil && r.IsCountry() && r.String() != "GB" {
				m[normalise(names.Name(r))] = true
			}
		}
	}
	for _, notACountry := range []string{"jersey", "guernsey", "isle of man", "georgia"} {
		delete(m, notACountry) // islands beside it, and a state that is also a name
	}
	return m
})

func isUK(p string) bool     { return ukNames[p] || ukPostcode(p) }
func isUKArea(p string) bool { return ukAreas[p] || ukNames[p] }

func isForeign(p string) bool {
	return foreignAreas[p] || foreignCities[p] || usStates[p] || usStateCodes[p] || countries()[p]
}

// countryOf reads a country field: an ISO code or a name, spelt freely.
func countryOf(s string) Country {
	p := normalise(s)
	switch {
	case p == "":
		return Unknown
	case ukNames[p]:
		return InUK
	case foreignAreas[p] || countries()[p]:
		return Abroad
	}
	if r, err := language.ParseRegion(strings.ToUpper(p)); err == nil && r.IsCountry() {
		if r.String() == "GB" {
			return InUK
		}
		return Abroad
	}
	return Unknown
}
