package place

import (
	"slices"
	"strings"

	"labour/sources"
)

// signText bounds what is read of an advert's text for signs of a country.
const signText = 20_000

// ukSigns are wordings of an advert for work in the United Kingdom. Its currency is
// one in the salary only: a text may tell of money that was raised.
var ukSigns = []string{"right to work in the UK", "right to work in the United Kingdom", "based in the UK", "UK-based", "UK based", "anywhere in the UK",
	"located in the UK", "within the UK", "eligible to work in the UK", "based in the United Kingdom", "live in the UK", "UK residents", "National Insurance",
	"Enhanced DBS", "DBS check", "NHS Trust", "HMRC", "bank holidays", "per annum", "£"}

// abroadSigns are wordings of an advert for work elsewhere.
var abroadSigns = []string{"401(k)", "401k", "US$", "USD", "authorized to work in the United States", "authorized to work in the U", "based in the US", "US-based",
	"located in the US", "located in the United States", "based in the United States", "within the United States", "reside in the US", "right to work in the EU",
	"based in the EU", "within the EU", "based in Europe", "based in Canada", "based in Germany", "based in France", "based in Spain", "based in Portugal",
	"based in Poland", "based in India", "based in Ireland", "based in Australia", "based in Singapore", "based in the Netherlands", "US citizen", "U.S.-based",
	"right to work in Ireland", "based in the U.S", "located in the U.S", "reside in the U.S", "reside in the United States", "Social Security", "€", "CAD", "AUD", "INR"}

// signs says where the wording of an advert wants people to be, where its places leave
// that open. Signs of both are none.
func signs(a *sources.Advert) Country {
	text := a.Text
	if len(text) > signText {
		text = text[:signText]
	}
	uk := strings.Contains(a.SalaryText, "£") || strings.Contains(a.SalaryText, "GBP") || containsAny(text, ukSigns)
	abroad := strings.ContainsAny(a.SalaryText, "$€") || containsAny(text, abroadSigns)
	switch {
	case uk && !abroad:
		return InUK
	case abroad && !uk:
		return Abroad
	}
	return Unknown
}

func containsAny(text string, list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(text, s) })
}
