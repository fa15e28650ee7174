package web

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"labour/serve/api"
)

type link struct{ Name, URL string }

// with returns the address of the current page, with one parameter set to value. An empty value
// removes the parameter.
func (v *request) with(name, value string) string {
	q := v.URL.Query()
	q.Set(name, value)
	return address(v.URL.Path, q)
}

// withValue returns the address of the current page, with one value replaced. name is the name of a
// variable in the path or of a parameter.
func (v *request) withValue(name, value string) string {
	if v.PathValue(name) == "" {
		return v.with(name, value)
	}
	_, path, _ := strings.Cut(v.Pattern, " ")
	return address(strings.Replace(path, "{"+name+"}", url.PathEscape(value), 1), v.URL.Query())
}

func address(path string, q url.Values) string {
	kept := url.Values{}
	for name, values := range q {
		if len(values) > 0 && values[0] != "" {
			kept.Set(name, values[0])
		}
	}
	if len(kept) == 0 {
		return path
	}
	return path + "?" + kept.Encode()
}

// addressFor returns an address made of a path and parameters. pairs has a name and a value for
// each parameter.
func addressFor(path string, pairs ...any) string {
	q := url.Values{}
	for pair := range slices.Chunk(pairs, 2) {
		value := reflect.Indirect(reflect.ValueOf(pair[1])) // a code may be nullable
		q.Set(pair[0].(string), fmt.Sprint(value))
	}
	return address(path, q)
}

// occupationAddress returns the address of an occupation's page. place is the slug of the place
// that is selected on it. soc is a SOC 2020 code, as a string or a *string.
func occupationAddress(soc any, place string) string {
	return addressFor(fmt.Sprintf("/occupations/%v", reflect.Indirect(reflect.ValueOf(soc))), "place", place)
}

func skillPage(n api.Named) string { return "/skills/" + n.Value }

func placePage(n api.Named) string { return "/places/" + n.Value }

// skillLink returns a link to the page of a skill. The selected place stays selected.
func (v *request) skillLink(n api.Named) foundLink {
	return foundLink{Kind: "Skills", Name: n.Name,
		URL: address("/skills/"+url.PathEscape(n.Value), url.Values{"place": {v.place}})}
}

// occupationURL returns the address of an occupation's page. The selected place stays selected.
func (v *request) occupationURL(soc string) string {
	return address("/occupations/"+url.PathEscape(soc), url.Values{"place": {v.place}})
}
