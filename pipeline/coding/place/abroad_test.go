package place

import (
	"strings"
	"testing"

	"labour/sources"
)

// American towns of British names, by state. Each is abroad with the state behind it, in every form.
var americanTowns = map[string]string{
	"AL": "Birmingham", "AK": "Sterling", "AZ": "Glendale", "AR": "Stamford", "CA": "Newark", "CO": "Brighton",
	"CT": "Windsor", "DE": "Dover",
	"DC": "Brookland", "FL": "Melbourne", "GA": "Manchester", "HI": "Princeville", "ID": "Cambridge", "IL": "Oxford",
	"IN": "Richmond", "IA": "Newton",
	"KS": "Wellington", "KY": "London", "LA": "Alexandria", "ME": "Bath", "MD": "Salisbury", "MA": "Worcester",
	"MI": "Birmingham", "MN": "Cambridge",
	"MS": "Oxford", "MO": "Liverpool", "MT": "Glasgow", "NE": "Lincoln", "NV": "Reno", "NH": "Manchester",
	"NJ": "Newark", "NM": "Truth", "NY": "Rochester",
	"NC": "Durham", "ND": "Bowdon", "OH": "Dover", "OK": "Edmond", "OR": "Lincoln", "PA": "Reading", "RI": "Newport",
	"SC": "York", "SD": "Aberdeen",
	"TN": "Bristol", "TX": "Plymouth", "UT": "Leeds", "VT": "Windsor", "VA": "Norfolk", "WA": "Aberdeen",
	"WV": "Chester", "WI": "Edinburgh", "WY": "Newcastle",
}

func TestTownsOfEveryState(t *testing.T) {
	g, states := nationGazetteer(t), map[string]string{}
	for _, columns := range lines(statesTSV) {
		states[columns[0]] = columns[1]
	}
	for code, town := range americanTowns {
		for _, form := range []string{"<t>, <c>", "<t> <c>", "<t>, <c> 02139", "<t> <c> 02139", "<t>, <c> 02139-1234",
			"<t>, <c>, USA", "<t>, <c>; Remote", "<t> (<c>)", "<t> - <c>",
			"<t>, <l>", "<t> <c>, United States", "US-<c>-<t>", "<t>, <s>", "<t> <s>", "<t>, <s> 02139",
			"Remote - <t>, <c>", "<t>, <c> / Chicago, IL", "<c> - <t>"} {
			text := strings.NewReplacer("<t>", town, "<c>", code, "<l>", strings.ToLower(code), "<s>",
				states[code]).Replace(form)
			if form == "<c> - <t>" && code == "NE" { // "NE - Newcastle" is the north-east
				continue
			}
			if c := codeText(g, text); c.Country != CountryAbroad {
				t.Errorf("%q is in country %d, want abroad", text, c.Country)
			}
		}
	}
	if len(americanTowns) != 51 {
		t.Errorf("%d states have a town, want 50 and the district", len(americanTowns))
	}
}

// Names of towns abroad that British towns have, each with what tells it apart.
func TestNamesakesAbroad(t *testing.T) {
	g := nationGazetteer(t)
	for _, text := range strings.Split(`Cambridge, Mass.|Portland, Ore.|Hartford, Conn.|Newport, R.I.|Lancaster, Penn.|Bristol, Tenn.|Richmond, Va.|Cambridge Mass.|Durham, N.C.|Washington, D.C.|Washington DC|
Birmingham AL 35203|Cambridge MA 02139|Cambridge 02139|Birmingham, 35203|DE - Newark|MA-Boston|Kent, Washington|Aberdeen, Washington|Oxford, Maryland|Manchester, Georgia|
Cambridge Massachusetts|London Ontario|Raleigh-Durham|Raleigh-Durham, NC|Lincoln, OR 97367|Lincoln, OR; Dover, DE|Dover, DE; Newark, DE|
Cambridge, Waikato|Epsom, Auckland|Hastings, Hawke's Bay|Hastings, Hawkes Bay|Stratford, Taranaki|Lincoln, Canterbury|Oxford, Canterbury|Richmond, Nelson|Richmond, Tasman|
Stoke, Nelson|Blenheim, Marlborough|Newtown, Wellington|Newmarket, Auckland 1023|Alexandra, Otago|Milton, Otago|Cromwell, Central Otago|Winton, Southland|Hamilton, NZ|Cambridge NZ|
Belfast, Christchurch|Devonport, Auckland|Gore, Southland|Cambridge, Waikato Region|Wellington, New Zealand|Waverley, Taranaki|Palmerston, Otago|
Newcastle, NSW|Newcastle NSW 2300|Ipswich, QLD|Ipswich QLD 4305|Brighton, VIC|Brighton, Victoria|Richmond VIC 3121|Launceston, TAS|Stirling, WA|Croydon, SA|Darwin, NT|Belconnen ACT 2617|
Brighton, Melbourne|Croydon, Sydney|Liverpool, New South Wales|Kensington, Victoria|Victoria Park, Perth|Mitcham, Adelaide|Newcastle, Australia|Newcastle Australia|Perth, AU|
London, ON|London, Ont.|London, Ontario|Cambridge, Ontario|Surrey, BC|Surrey, British Columbia|Richmond, BC V6X 1A1|Windsor, NS|Halifax, NS|Halifax, Nova Scotia|Stratford, PEI|
Sydney, Nova Scotia|Kingston, Ontario|Perth, Ontario|Sherwood Park, AB|Oxford, Nova Scotia|London N6A 3K7|Brandon, Manitoba|Scarborough, Toronto|Gander, NL|CA-ON-London|
Ashbourne, Co. Meath|Newcastle, County Dublin|Newport, Co. Mayo|Ashford, Co Wicklow|Ashford, Wicklow|Blackrock, Dublin|Sandyford, Dublin 18|Swords, Dublin|Newmarket, Co. Cork|Milford, Co. Donegal|
Longford, Ireland|Kells, Co. Meath|Newbridge, Co. Kildare|Newbridge, Kildare|Wicklow, Ireland|Rush, Co. Dublin|Douglas, Cork|Clifton, Republic of Ireland|Dublin D02 X285|Newcastle, D22 KV20|
Cambridge, NZ|Hutt Valley, Wellington|Petone, Wellington Region|Newcastle, New South Wales, Australia|
Perth WA 6000|Brighton SA|Brighton SA 5048|Ipswich, Queensland|Richmond, Tasmania|London, ON, Canada|
Windsor, Ontario|Cambridge, ON N1R 5S2|Bath, NB|Truro, NS|Woodstock, ON|Newcastle, ON|Durham, ON|
St. John's, NL|Kildare, Ireland|Bandon, Cork|Clonmel, Tipperary|Ashbourne, Meath|Dublin 2|Co. Louth|
Louth, Ireland|Carrickmacross, Monaghan|Newport, Tipperary|Boston, Massachusetts|Plymouth, Minn.|
Bristol, CT 06010|Manchester NH|Cambridge, MA / Remote|Bath, Maine|Dover, N.H.|Rochester, Minnesota|
Newark, New Jersey, USA|US - Richmond|Richmond (VA)|Birmingham, Ala.|Oxford, Miss.|Wilmington, Del.|
Bristol, R.I.|Aberdeen, Wash.|Aberdeen, S.D.|Hybrid - Cambridge, MA|Cambridge, MA (Hybrid)|
Cambridge MA, USA|Cambridge, Massachusetts 02142|United States - Richmond|Richmond, United States|
Richmond, U.S.|Birmingham, AL, US|USA, Birmingham|NJ, Newark|Portland, OR, US|Salem, OR - Remote|
Lincoln, Nebraska|Lincoln NE|Lincoln, NE 68508|Hamilton, Waikato, New Zealand|Hamilton, Waikato|
Nelson, New Zealand|Nelson, Tasman|Dunedin, Otago|Oamaru, Otago|Richmond, Nelson-Tasman|
Cambridge, Waikato District|Epsom, Auckland City|Newmarket, Auckland, New Zealand|Clive, Hawke’s Bay|
Napier, Hawke's Bay|New Plymouth, Taranaki|Stratford, Taranaki, NZ|Palmerston North, Manawatu|
Palmerston North, Manawatū-Whanganui|Wellington, NZ|Wellington City, Wellington|Christchurch, Canterbury|
Christchurch, NZ|Ashburton, Canterbury|Timaru, South Canterbury|Torquay, Victoria|Torquay VIC|
Hastings VIC 3915|Penrith, NSW|Penrith NSW|Camden NSW 2570|Liverpool NSW|Windsor, Victoria|Kensington NSW|
Exeter, NSW|Stratford, VIC|Sheffield, TAS|Lincoln, SA|Port Lincoln, South Australia|Halifax, N.S.|
Kingston, ON K7L|London, Canada|Peterborough, ON|Guelph, Ontario|Chatham, ON|Chatham-Kent, ON|
Stratford ON|St. Catharines ON|Sarnia, Ont|Burnaby, B.C.|Victoria, B.C.|Cornwall, ON|Sussex, NB|
Chester, NS|Dartmouth, NS|Dartmouth, Nova Scotia|Liverpool, Nova Scotia|Windsor, Newfoundland|
Sligo, Ireland|Ballina, Co. Mayo|Newtown, Co. Wexford|Blackrock, Co. Dublin|Blackrock, Co Louth|
Castleknock, Dublin 15|Dublin, D02 AF30|Limerick V94 T9PX|Celbridge, Co Kildare|Carlow|Wicklow Town|
Wicklow|Galway City|Athlone, Westmeath|Birr, Offaly|Clara, Co. Offaly|Trim, Meath|
Charlotte, NC & Richmond, VA|Durham NC|Durham, North Carolina|Durham, NC 27701|Worcester MA|
Worcester, Massachusetts|Gloucester, MA|Bedford, MA|Bedford, TX|Andover, MA|Reading PA|Chester, PA|
York, PA|Lancaster PA 17601|Bristol TN|Norwich, CT|New London, CT|Newport, Rhode Island|Exeter, NH|
Portsmouth, NH|Bath, NY|Rome, NY|Dover, Delaware|Dover Delaware|Newark, Delaware|Newark Delaware|
Bangor Maine|Richmond Indiana|Portland Oregon|Boise, ID|Moscow, ID|Cambridge Idaho|Remote (US)|Remote, DE|
Hastings, NE|Hastings, MN|Windsor, CO|Leeds, AL|Stafford, VA|Stafford, TX|Southampton, NY|Northampton, MA|
Plymouth, MA|Sunderland, MD|Cleveland, OH|Cambridge, Md.|Oxford, OH|Oxford MS|Cambridge, Mass|
Cambridge (Massachusetts)|Greater Boston, MA|
Newcastle, Ireland|Newcastle (Ireland)|IE-Newcastle|Bangor, Ireland|Milford, Ireland|Richmond, Victoria 3121|Brighton, Victoria 3186|Croydon, Victoria 3136|
Sandringham, Victoria 3191|Windsor VIC 3181|AU-Newcastle|CAN-London|London, CAN|London CAN|NZ-Hamilton|CA-London|Perth, AUS|AUS-Newcastle|IRL - Newcastle|Newcastle (IRL)|
Newport News|Birmingham / AL|Birmingham/AL|Cambridge or Boston, MA`, "|") {
		text = strings.TrimSpace(text)
		c, why := g.Explain(&sources.Advert{Locations: []sources.Location{{Text: text}}})
		if c.Country != CountryAbroad {
			t.Errorf("%q is in country %d, want abroad: %v", text, c.Country, why)
		}
	}
}

// The same names, and words that look like codes of states, as British adverts word them.
func TestNamesakesAtHome(t *testing.T) {
	g := nationGazetteer(t)
	for _, text := range strings.Split(`London, England|London|Cambridge, UK|Birmingham, West Midlands|Richmond, London|Durham, County Durham|Perth, Scotland|Remote - UK|Boston, Lincolnshire|
Newport, Wales|GB-LND-London|London; New York|Windsor, Berkshire|Surrey|Reading, RG1|Bath, BA1 1AA|Dover, Kent|Bangor, Gwynedd|Bangor, North Down|Bangor, County Down|
Newcastle, NE1 4ST|Newcastle upon Tyne NE1|Derby, DE1 2AB|Derby DE24|Rochester, ME1 1AA|Maidstone, ME14|Warrington, WA1|Colchester, CO1 1AA|Canterbury, CT1|Lancaster LA1 1YN|
Carlisle CA1|Tonbridge, TN9|Wolverhampton WV1 1AA|Paisley, PA1|Kirkcaldy, KY1 1AA|Iver, SL0|Ilford, IG1|St Albans, AL1 3JE|Chester or Wrexham|London or Leeds|London, or Manchester|
Leeds, in the city centre|London OR Manchester|Manchester (in office)|Bristol, on site|ON-SITE London|Cambridge, Cambridgeshire|Lincoln, Lincolnshire|Wellington, Somerset|Wellington, Shropshire|
Nelson, Lancashire|Marlborough, Wiltshire|Canterbury, Kent|Ashford, Canterbury|Faversham, Canterbury|Whitstable, Canterbury|Christchurch, Dorset|Hamilton, South Lanarkshire|Halifax, West Yorkshire|
Washington, Tyne and Wear|Sunderland, Washington|London, Victoria|Victoria, London|Westminster, Victoria|Maryland, London|Stratford, Maryland, London|Melbourne, Derbyshire|
Epsom, Surrey|Ipswich, Suffolk|Newcastle-under-Lyme, Staffordshire|Newcastle, County Down|Kells, County Antrim|Newport, Isle of Wight|Ireland, Bedfordshire|Belfast, Northern Ireland|Belfast, Ireland|
Bristol, Berlin|Edinburgh, Dublin|Leeds; Paris|London or Paris|Canada Water, London|New York, Lincolnshire|Houston, Renfrewshire|Denmark Hill, London|Virginia Water, Surrey|
London, San Francisco|Dublin, London|London, Greater London, United Kingdom|Perth, Perth and Kinross|Stirling, Perth|Brighton, East Sussex|Kensington, Liverpool|
London (Hybrid)|London HQ|Leeds, Bradford|Epping, Essex|Croydon|York|Aberdeen|Glasgow, G2 1AA|N1P 1AA|London E1W|Wakefield, Nelson House|Ore Clinic, Ore|High Wycombe, Penn|Mary Ward 24034, Warwick|
Lincoln LN1|Truro, Cornwall|Woodstock, Oxfordshire|Durham, UK|Boston, Lincs|Boston PE21|
Washington, Sunderland|Washington NE38|Perth, PH1|Melbourne, Derbys|Hamilton ML3|Newport, Gwent|
Newport, Shropshire|Richmond, North Yorkshire|Richmond TW9|Richmond upon Thames|Wellington TA21|
Halifax HX1|Dover CT16|Christchurch BH23|Bangor BT20 4JG|Bangor LL57|Bangor, Northern Ireland|
Bangor, Wales|Newry, Co. Down|Derry|Strabane, Co Tyrone|London (ON-site)|Kent|Ashford, Kent TN24|Norfolk|
Cambridge (Cambs)|Reading or London|Wales OR England|in London|Torquay, Devon|Exeter, Devon|
Hastings, East Sussex|Stratford, East London|Stratford-upon-Avon|Chester, Cheshire|York, North Yorkshire|
Chatham, Kent|Cornwall|Gloucester, Gloucestershire|Worcester, Worcs|Bedford, Beds|Andover, Hants|
Stafford, Staffs|Northampton, Northants|Southampton, Hampshire|Plymouth, Devon|Sunderland, Tyne & Wear|
Penrith, Cumbria|Camden, London|Liverpool, Merseyside|Oxford, Oxon|Portsmouth, Hants|Newtown, Powys|
Newark, Nottinghamshire|Newark-on-Trent|Norwich, Norfolk|Bath, Somerset|Bath and North East Somerset|
Lancaster, Lancashire|Ireland Wood, Leeds|Canada Square, London|Georgia Road, Thornton Heath|
Maryland, Newham|Victoria, Westminster|Nelson, Burnley|Marlborough, Wilts|Canterbury|
Alexandria, West Dunbartonshire|Boston Manor, London|Jordanhill, Glasgow|Stoke, Plymouth|
Richmond Road, Kingston|Manchester M1 1AE|Leeds LS1, Bradford BD1|Birmingham B1|Epsom KT17|
Edinburgh or Glasgow|Glasgow / Edinburgh|UK (Remote)|Remote - England|Anywhere in the UK|London, EMEA|
London & Dublin|London, Paris, New York|Bristol; Remote, US|Cambridge UK; Cambridge MA|
Cambridge, UK / Cambridge, MA|Newry|Lisburn, Northern Ireland|Newtownards, Co. Down|Ballymena, NI|
Omagh, Co. Tyrone|Enniskillen, Fermanagh|Armagh|Newcastle, Co. Down|Antrim|Belfast, Co. Antrim, Ireland|
Holywood, North Down|Bangor, Ards and North Down|
California, Falkirk|Ireland, Northern|Belfast (Northern Ireland)|Newcastle, Northern Ireland|PL - Plymouth|SE-London|IT - Leeds|QA, Leeds|LEEDS AND YORK|London, Victoria SW1|
Cambridge or London|London or New York, NY`, "|") {
		text = strings.TrimSpace(text)
		c, why := g.Explain(&sources.Advert{Locations: []sources.Location{{Text: text}}})
		if c.Country != CountryUK {
			t.Errorf("%q is in country %d, want the United Kingdom: %v", text, c.Country, why)
		}
	}
}

// A code of a country that is a word, a trade or a part of England says nothing of the country.
func TestCodesOfOtherThings(t *testing.T) {
	g := nationGazetteer(t)
	for code := range codesOfOtherThings {
		if code == "VA" { // Virginia is meant, and not the Vatican
			continue
		}
		c, why := g.Explain(&sources.Advert{Locations: []sources.Location{{Text: code + " - Leeds"}}})
		if c.Country != CountryUK {
			t.Errorf("%s - Leeds is in country %d, want the United Kingdom: %v", code, c.Country, why)
		}
	}
}

// The vendor's country and the postcode decide before the name of a town does.
func TestStatedCountry(t *testing.T) {
	g := nationGazetteer(t)
	for _, town := range []string{"Oak Brook", "Needham", "Raleigh-Durham", "Cambridge", "Birmingham", "London",
		"Richmond"} {
		for _, country := range []string{"US", "us", "USA", "United States", "United States of America", "U.S.A.",
			"New Zealand", "IE", "CA"} {
			a := sources.Advert{Locations: []sources.Location{{Text: town, Country: country}}}
			if c := g.CodeAdvert(&a, &LocationCache{}); c.Country != CountryAbroad {
				t.Errorf("%q in %q is in country %d", town, country, c.Country)
			}
		}
		for _, code := range []string{"02139", "02139-1234", "SE-11122", "2300", "N6A 3K7", "D02 X285", "1012 AB",
			"00-950"} {
			a := sources.Advert{Locations: []sources.Location{{Text: town, Postcode: code}}}
			if c := g.CodeAdvert(&a, &LocationCache{}); c.Country != CountryAbroad {
				t.Errorf("%q with postcode %q is in country %d", town, code, c.Country)
			}
		}
	}
	for _, code := range []string{"M1 1AA", "M1", "0", "00000", "N1P 1AA", "BT1 5GS"} {
		a := sources.Advert{Locations: []sources.Location{{Text: "Cambridge", Country: "GB", Postcode: code}}}
		if c := g.CodeAdvert(&a, &LocationCache{}); c.Country != CountryUK {
			t.Errorf("postcode %q is in country %d", code, c.Country)
		}
	}
}

// A role open here and elsewhere counts here: in its British places or, where it names none, for
// the nation.
func TestSeveralCountries(t *testing.T) {
	g := nationGazetteer(t)
	at := func(text, country string) sources.Location { return sources.Location{Text: text, Country: country} }
	tests := []struct {
		places   []sources.Location
		country  CountryStatus
		councils string
		placed   Precision
	}{
		{[]sources.Location{at("United Kingdom", "United Kingdom"), at("Germany", "Germany"), at("France", "France")},
			CountryUK, "", PrecisionArea},
		{[]sources.Location{at("San Francisco", "United States"), at("United Kingdom", "United Kingdom")}, CountryUK, "",
			PrecisionArea},
		{[]sources.Location{at("United Kingdom", "United Kingdom"), at("Dublin", "Ireland")}, CountryUK, "", PrecisionArea},
		{[]sources.Location{at("Barcelona", "ES"), at("Leeds", "")}, CountryUK, "Leeds", PrecisionCouncil},
		{[]sources.Location{at("Barcelona", "ES"), at("Madrid", "")}, CountryAbroad, "", PrecisionUnknown},
		{[]sources.Location{at("Chicago, IL", "US"), at("Needham", "")}, CountryAbroad, "", PrecisionUnknown},
		{[]sources.Location{at("Chicago, IL", "US"), at("London", "")}, CountryUK, "", PrecisionArea},
		{[]sources.Location{at("Needham; Chicago, IL", "")}, CountryAbroad, "", PrecisionUnknown},
		{[]sources.Location{at("UK; Ireland", "")}, CountryUK, "", PrecisionArea},
		{[]sources.Location{at("Ireland or UK", "")}, CountryUK, "", PrecisionArea},
		{[]sources.Location{at("UK, Leeds or Paris", "")}, CountryUK, "Leeds", PrecisionCouncil},
		{[]sources.Location{at("France, Germany, UK", "")}, CountryUK, "", PrecisionArea},
		{[]sources.Location{at("Remote, Poland; Remote, United Kingdom", "")}, CountryUK, "", PrecisionArea},
		{[]sources.Location{at("Germany; France", "")}, CountryAbroad, "", PrecisionUnknown},
		{[]sources.Location{at("Leeds and New York", "")}, CountryUK, "Leeds", PrecisionCouncil},
		{[]sources.Location{at("United Kingdom and Ireland", "")}, CountryUK, "", PrecisionArea},
		{[]sources.Location{at("UK & Ireland", "")}, CountryUK, "", PrecisionArea},
		{[]sources.Location{at("US, UK, Canada", "")}, CountryUK, "", PrecisionArea},
		{[]sources.Location{at("Remote EMEA: UK, Spain", "")}, CountryUK, "", PrecisionArea},
		{[]sources.Location{at("Paris and New York", "")}, CountryAbroad, "", PrecisionUnknown},
		{[]sources.Location{at("US or Canada", "")}, CountryAbroad, "", PrecisionUnknown},
		{[]sources.Location{at("New York, NY or Leeds, UK", "")}, CountryUK, "Leeds", PrecisionCouncil},
	}
	for _, tt := range tests {
		c := g.CodeAdvert(&sources.Advert{Locations: tt.places}, &LocationCache{})
		if c.Country != tt.country || strings.Join(c.Councils, " ") != tt.councils || c.Precision != tt.placed {
			t.Errorf("%v: %+v, want country %d, %q, placed %d", tt.places, c, tt.country, tt.councils, tt.placed)
		}
	}
}

// An advert without any place is judged by its own words.
func TestWithoutPlace(t *testing.T) {
	g := nationGazetteer(t)
	tests := []struct {
		title, salary, text string
		want                CountryStatus
		placed              Precision
	}{
		{"Support worker", "", "Fully remote within the UK. You need the right to work in the UK. £25,000 per annum.",
			CountryUK, PrecisionArea},
		{"Support worker (UK)", "", "We help people.", CountryUK, PrecisionArea},
		{"CAD technician", "£30,000", "You draw in AutoCAD and CAD 3D. AUDIT of drawings.", CountryUK, PrecisionArea},
		{"Nurse", "", "INR clinics, NHS Trust.", CountryUK, PrecisionArea},
		{"Engineer", "CAD 90,000", "Right to work in Canada.", CountryAbroad, PrecisionUnknown},
		{"Engineer", "", "You must be located in the United States. 401(k).", CountryAbroad, PrecisionUnknown},
		{"Engineer", "", "We build software.", CountryUnknown, PrecisionUnknown},
	}
	for _, tt := range tests {
		for _, places := range [][]sources.Location{nil, {{Remote: true}}} {
			a := sources.Advert{Title: tt.title, SalaryText: tt.salary, Text: tt.text, Locations: places}
			if c := g.CodeAdvert(&a, &LocationCache{}); c.Country != tt.want || c.Precision != tt.placed {
				t.Errorf("%q, %q, %q: %+v, want country %d, placed %d", tt.title, tt.salary, tt.text, c, tt.want,
					tt.placed)
			}
		}
	}
}
