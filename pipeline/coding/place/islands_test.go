package place

import (
	"strings"
	"testing"

	"labour/sources"
)

// The Crown dependencies are not in the United Kingdom: in every position of a text, by name or by
// postcode, and also behind a town that exists in Great Britain.
func TestIslandsAreAbroad(t *testing.T) {
	g := nationGazetteer(t)
	for text := range strings.SplitSeq(`St Helier, Jersey JE2 3AB|Castletown, Isle of Man, IM9 1AA|Ramsey, Isle of Man|
St Peter Port, Guernsey, GY1 1AA|Douglas, Isle of Man IM1 1AA|Alderney GY9 3AA|JE2 3AB|je23ab|St Helier JE2|
Castletown IM9|Castletown, IM9 1AA|Jersey|Guernsey|Alderney|Sark|Isle of Man|Channel Islands|The Isle of Man|Herm, Channel Islands|
Jersey, Channel Islands|St Helier, Jersey, UK|Jersey, United Kingdom|UK - Jersey|Ramsey, Isle of Man, England|
Isle of Man, North West|St Mary, Jersey (Hybrid)|Jersey - St Helier|St Helier Jersey|Remote, Guernsey|
Peel, IOM|Ramsey IOM|Castletown (Isle of Man)|Isle of Man, Douglas|Jersey and Guernsey|
Jersey or Guernsey|Jersey; Isle of Man|Jersey General Hospital, St Helier|Isle of Man Airport, Castletown|
Manchester Road, Douglas, Isle of Man|12 Castle Street, St Helier, Jersey, JE2 3RT|Alderney, Guernsey|IM - Castletown|
Ramsey, IM|New Jersey|Camden, New Jersey|Jersey City|Jersey City, NJ`, "|") {
		text = strings.TrimSpace(text)
		c, why := g.Explain(&sources.Advert{Locations: []sources.Location{{Text: text}}, SalaryText: "£30,000"})
		if c.Country != CountryAbroad {
			t.Errorf("%q is in country %d and councils %v, want abroad: %v", text, c.Country, c.Councils, why)
		}
	}
}

// Roads and places in Great Britain with the name of an island are in the United Kingdom, and so is
// a vacancy that can be done on an island or in the United Kingdom.
func TestIslandNamesAtHome(t *testing.T) {
	g := nationGazetteer(t)
	for text, council := range map[string]string{
		"Jersey Road, Hounslow": "Hounslow", "Isle of Man Road, Leeds": "Leeds", "Guernsey Road, Sheffield": "Sheffield",
		"Jersey Marine, Swansea": "Neath Port Talbot", "Jersey Marine": "Neath Port Talbot",
		"Jersey Farm, St Albans":           "St Albans",
		"Alderney Hospital, Poole":         "Bournemouth, Christchurch and Poole",
		"Alderney, Poole":                  "Bournemouth, Christchurch and Poole",
		"Alderney, Poole, Dorset":          "Bournemouth, Christchurch and Poole",
		"Alderney, Dorset":                 "Dorset",
		"Alderney Street, London SW1V 4EX": "Westminster",
		"Cutty Sark, Greenwich":            "Greenwich",
		"Cutty Sark, Greenwich, London":    "Greenwich",
		"Cutty Sark, Greenwich, London UK": "Greenwich",
		"Greenwich, Cutty Sark":            "Greenwich",
		"St Helier":                        "Sutton", "St Helier Hospital, Carshalton": "Sutton",
		"Castletown, Sunderland": "Sunderland", "Ramsey, Cambridgeshire": "Huntingdonshire",
		"Leeds or Jersey": "Leeds", "Leeds, Jersey": "Leeds", "Jersey, Guernsey, Leeds": "Leeds", "Leeds and Jersey": "Leeds",
		"London or Jersey": "", "London, Jersey": "", "Jersey, Guernsey and London": "", "UK & Channel Islands": "",
		"UK or Isle of Man": "", "UK; Jersey": "", "London, Jersey, UK": "",
	} {
		c, why := g.Explain(&sources.Advert{Locations: []sources.Location{{Text: text}}})
		got := strings.Join(c.Councils, " ")
		if c.Country != CountryUK || got != council {
			t.Errorf("%q is in country %d and councils %q, want %q: %v", text, c.Country, got, council, why)
		}
	}
}

// The postcode in a field of its own decides, also for sources of the United Kingdom and against a
// country that the source states.
func TestIslandPostcodeFields(t *testing.T) {
	g := nationGazetteer(t)
	origins := []sources.Origin{sources.OriginEmployerBoard, sources.OriginPlatform, sources.OriginApprenticeship}
	for _, l := range []sources.Location{
		{Postcode: "JE2 3AB"}, {Postcode: " gy1 1aa "}, {Postcode: "IM9"}, {Text: "Castletown", Postcode: "IM9 1AA"},
		{Text: "St Helier", Postcode: "JE23AB", Country: "GB"}, {Text: "Ramsey, Isle of Man", Country: "GB"},
		{Text: "St Helier", Country: "JE"}, {Text: "St Helier", Country: "Jersey"},
	} {
		for _, origin := range origins {
			c := g.CodeAdvert(&sources.Advert{Origin: origin, Locations: []sources.Location{l}}, &LocationCache{})
			if c.Country != CountryAbroad || len(c.Councils) > 0 {
				t.Errorf("%+v of origin %v is in country %d and councils %v, want abroad", l, origin, c.Country, c.Councils)
			}
		}
	}
}
