package employerboards

import (
	"cmp"
	"strings"

	"labour/sources"
	"labour/sources/adverts"
	"labour/sources/jsonrows"
	"labour/sources/plaintext"
)

// fieldSetters maps each vendor to a function that sets fields of an advert, such as places and pay.
// These fields combine several fields of the vendor's data.
var fieldSetters = map[string]func(jsonrows.Row, *sources.Advert){
	"ashby":           ashby,
	"greenhouse":      greenhouse,
	"lever":           lever,
	"personio":        personio,
	"recruitee":       recruitee,
	"smartrecruiters": smartRecruiters,
	"teamtailor":      teamtailor,
	"workable":        workable,
}

// ashby sets fields of an advert from a job in the format of the vendor Ashby. A job whose field
// isListed is not true can be reached only by a direct link, so its advert counts as unlisted.
func ashby(r jsonrows.Row, a *sources.Advert) {
	a.Listed = r.Bool("isListed")
	a.Locations = []sources.Location{ashbyPlace(r, r)}
	for _, second := range r.Objects("secondaryLocations") {
		a.Locations = append(a.Locations, ashbyPlace(r, second))
	}
	if show := "shouldDisplayCompensationOnJobPostings"; r.Bool(show) || !r.HasField(show) {
		a.SalaryText = first(r.Text,
			"compensation.compensationTierSummary|compensation.scrapeableCompensationSalarySummary")
	}
	a.Text = markupOr(r.Text("descriptionHtml"), r.Text("descriptionPlain"))
}

// ashbyPlace returns one place of work of a job from the API of the vendor Ashby. place is the JSON
// object with the address: the job itself, or one of its secondaryLocations. The town is appended,
// because some employers give the place as "UK" or "Head office".
//
// isRemote is also true for hybrid work. A location therefore counts as remote only if
// workplaceType or the place name confirms it.
func ashbyPlace(job, place jsonrows.Row) sources.Location {
	l := sources.Location{Text: place.Text("location"), Country: place.Text("address.postalAddress.addressCountry")}
	workplace, town := job.Text("workplaceType"), place.Text("address.postalAddress.addressLocality")
	l.Remote = strings.EqualFold(workplace, "Remote") || job.Bool("isRemote") && workplace == "" && saysRemote(l.Text)
	if !l.Remote {
		l.Text = withState(adverts.JoinPlaceNames(l.Text, town), place.Text("address.postalAddress.addressRegion"), l.Country)
	}
	return l
}

// withState appends a state, county or region to text, the name of a place. Without it, "Worcester" in
// "MA" could be mistaken for Worcester in England, and "Newport" in "Isle of Wight" for Newport in
// Wales. If the country is given, a code such as "LND" is left out, because it could be mistaken for a
// place.
func withState(text, state, country string) string {
	state = plaintext.CollapseToOneLine(state)
	isCode := len(state) <= 3
	if text == "" || isCode && strings.TrimSpace(country) != "" {
		return text
	}
	return adverts.JoinPlaceNames(text, state)
}

// greenhouse sets fields of an advert from a job in the format of the vendor Greenhouse. If the job
// has no place, the places of its offices are used.
//
// A job without internal_job_id is not a vacancy but a general invitation to apply. It counts as
// unlisted.
func greenhouse(r jsonrows.Row, a *sources.Advert) {
	a.Listed, a.Text = a.Requisition != "", plaintext.FromEscapedHTML(r.Text("content"))
	if departments := r.Objects("departments"); len(departments) > 0 {
		a.Department = departments[0].Text("name")
	}
	places, offices := []string{r.Text("location.name")}, r.Objects("offices")
	if strings.TrimSpace(places[0]) == "" {
		places = nil
		for _, office := range offices {
			places = append(places, first(office.Text, "location|name"))
		}
	} else {
		places[0] = officeOf(places[0], offices)
	}
	a.Locations = freePlaces(places)
}

// officeOf returns the address of the office whose town or name is place. For example, it returns
// "Needham, Massachusetts, United States" for "Needham". If there is no such office, it returns
// place unchanged.
func officeOf(place string, offices []jsonrows.Row) string {
	name := plaintext.CollapseToOneLine(place)
	for _, office := range offices {
		at := plaintext.CollapseToOneLine(office.Text("location"))
		town, _, more := strings.Cut(at, ",")
		if more && (strings.EqualFold(town, name) || strings.EqualFold(plaintext.CollapseToOneLine(office.Text("name")),
			name)) {
			return at
		}
	}
	return place
}

// freePlaces returns one location for each text, such as "London" or "Remote, UK".
func freePlaces(texts []string) (places []sources.Location) {
	for _, text := range texts {
		places = append(places, sources.Location{Text: text, Remote: saysRemote(text)})
	}
	return places
}

// saysRemote reports whether text contains "remote" and does not contain "hybrid".
func saysRemote(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "remote") && !strings.Contains(text, "hybrid")
}

// lever sets fields of an advert from a posting in the format of the vendor Lever. The posting's
// country applies only to its main place. The text consists of the description, the lists and the
// closing section.
func lever(r jsonrows.Row, a *sources.Advert) {
	main, remote := r.Text("categories.location"), strings.EqualFold(r.Text("workplaceType"), "remote")
	a.Listed, a.Locations = true, []sources.Location{{Text: main, Country: r.Text("country"), Remote: remote}}
	for _, name := range r.Strings("categories.allLocations") {
		if name != main {
			a.Locations = append(a.Locations, sources.Location{Text: name, Remote: remote})
		}
	}
	a.SalaryText = cmp.Or(payRange(r.Text("salaryRange.currency"), r.Number("salaryRange.min").String(),
		r.Number("salaryRange.max").String(),
		strings.ReplaceAll(r.Text("salaryRange.interval"), "-", " ")), plaintext.FromHTML(r.Text("salaryDescription")))
	parts := []string{markupOr(r.Text("description"), r.Text("descriptionPlain"))}
	for _, l := range r.Objects("lists") {
		parts = append(parts, plaintext.CollapseSpace(l.Text("text")), plaintext.FromHTML(l.Text("content")))
	}
	a.Text = plaintext.JoinLines(append(parts, markupOr(r.Text("additional"), r.Text("additionalPlain")))...)
}

// markupOr returns the text of the HTML in markup, or plain if markup is empty. HTML is preferred,
// because vendors' plain texts have headings in capitals.
func markupOr(markup, plain string) string {
	if markup != "" {
		return plaintext.FromHTML(markup)
	}
	return plaintext.CollapseSpace(plain)
}

// payRange describes the pay, for example "GBP 30000 to 35000, per year". least and most are the
// amounts, and interval is text such as "per year". Empty arguments are left out. If both amounts are
// empty, it returns "".
func payRange(currency, least, most, interval string) string {
	amount := cmp.Or(least, most)
	if least != "" && most != "" && most != least {
		amount = least + " to " + most
	}
	if amount == "" {
		return ""
	}
	text := strings.TrimSpace(currency + " " + amount)
	if interval != "" {
		text += ", " + interval
	}
	return text
}

// personio sets fields of an advert from a position of the vendor Personio. The function positions
// has converted the position from XML to JSON.
func personio(r jsonrows.Row, a *sources.Advert) {
	a.Listed = true
	a.Locations = freePlaces(append([]string{r.Text("office")}, r.Strings("additionalOffices")...))
	var parts []string
	for _, part := range r.Objects("jobDescriptions") {
		parts = append(parts, plaintext.CollapseToOneLine(part.Text("name")), plaintext.FromHTML(part.Text("value")))
	}
	a.Text = plaintext.JoinLines(parts...)
}

// recruitee sets fields of an advert from an offer in the format of the vendor Recruitee. If the
// offer has no list of places, the place in its field location is used.
func recruitee(r jsonrows.Row, a *sources.Advert) {
	a.Listed = r.Text("status") == "published"
	remote := r.Bool("remote") && !r.Bool("hybrid") && !r.Bool("on_site")
	for _, l := range r.Objects("locations") {
		country := first(l.Text, "country_code|country")
		text := withState(adverts.JoinPlaceNames(l.Text("name"), l.Text("city")), l.Text("state"), country)
		a.Locations = append(a.Locations, sources.Location{Text: text, Country: country,
			Postcode: l.Text("postal_code"), Remote: remote})
	}
	free := sources.Location{Text: withState(r.Text("location"), r.Text("state_name"), r.Text("country_code")),
		Country: r.Text("country_code"), Postcode: r.Text("postal_code"), Remote: remote}
	if len(a.Locations) == 0 && strings.TrimSpace(free.Text) != "" {
		a.Locations = []sources.Location{free}
	}
	period := r.Text("salary.period")
	if period != "" {
		period = "per " + period
	}
	a.SalaryText = payRange(r.Text("salary.currency"), r.Scalar("salary.min"), r.Scalar("salary.max"), period)
	a.Text = plaintext.JoinLines(plaintext.FromHTML(first(r.Text, "translations.en.description|description")),
		plaintext.FromHTML(first(r.Text, "translations.en.requirements|requirements")))
}

func smartRecruiters(r jsonrows.Row, a *sources.Advert) {
	a.Listed = r.Text("visibility") == "PUBLIC"
	l := sources.Location{Text: cmp.Or(r.Text("location.fullLocation"),
		adverts.JoinPlaceNames(r.Text("location.city"), r.Text("location.region"))),
		Country: r.Text("location.country"), Postcode: r.Text("location.postalCode"),
		Remote: r.Bool("location.remote") && !r.Bool("location.hybrid")}
	l.Latitude, l.Longitude = adverts.ParseCoordinates(r.Scalar("location.latitude"), r.Scalar("location.longitude"))
	a.Locations = []sources.Location{l}
}

// teamtailor sets fields of an advert from a job in the format of the vendor Teamtailor. The places
// come from the job's schema.org JobPosting.
func teamtailor(r jsonrows.Row, a *sources.Advert) {
	a.Listed, a.Text = true, plaintext.FromHTML(r.Text("content_html"))
	remote := r.Text("_jobposting.jobLocationType") == "TELECOMMUTE"
	for _, l := range r.Objects("_jobposting.jobLocation") {
		country := l.Text("address.addressCountry")
		a.Locations = append(a.Locations,
			sources.Location{Text: withState(l.Text("address.addressLocality"), l.Text("address.addressRegion"),
				country),
				Postcode: l.Text("address.postalCode"), Country: country, Remote: remote})
	}
	if len(a.Locations) == 0 && remote {
		a.Locations = []sources.Location{{Remote: true}}
	}
}

// workable sets fields of an advert from a job in the format of the vendor Workable. A job has one
// main place and a list of places.
//
// If the main place has no country, the listed place with the same city replaces it, even if it is
// hidden. All other hidden places are ignored.
func workable(r jsonrows.Row, a *sources.Advert) {
	a.Listed, a.Text = true, plaintext.FromHTML(r.Text("description"))
	remote := r.Bool("telecommuting")
	own := sources.Location{Text: adverts.JoinPlaceNames(r.Text("city"), r.Text("state")), Country: r.Text("country"),
		Remote: remote}
	city := strings.TrimSpace(r.Text("city"))
	var others []sources.Location
	for _, l := range r.Objects("locations") {
		place := sources.Location{Text: adverts.JoinPlaceNames(l.Text("city"), l.Text("region")), Remote: remote,
			Country: first(l.Text, "country|countryCode")}
		isSameCity := city != "" && strings.EqualFold(city, strings.TrimSpace(l.Text("city")))
		if isSameCity && own.Country == "" && place.Country != "" {
			own = place
		}
		if !l.Bool("hidden") {
			others = append(others, place)
		}
	}
	a.Locations = append([]sources.Location{own}, others...)
}
