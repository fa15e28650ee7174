package serve

import (
	"net/http"
	"path"
	"reflect"

	"labour/serve/api"
	"labour/serve/partners/access"
)

// endpoint is one operation of the API. Go types define its parameters and response; openapi.yaml
// has its descriptions.
type endpoint struct {
	method, path string
	id           string       // id of the operation in the OpenAPI document
	scope        access.Scope // required scope of the key; empty = no key is needed
	status       int          // status of a successful response
	answer       reflect.Type // type of a successful JSON response; nil = none, or not described
	rows         reflect.Type // type of the rows of a list, which has other formats too; nil = JSON only
	input        reflect.Type // a struct whose fields are the parameters
	parameters   parameters   // parameters of the input
	handle       func(*call) error
}

// in returns an endpoint that decodes the parameters and calls handle. Faults of the parameters are
// in the call; handle adds its own and returns c.refused() for all of them.
func in[I any](method, path, id string, handle func(*call, *I) error) endpoint {
	e := endpoint{method: method, path: path, id: id, status: http.StatusOK, input: reflect.TypeFor[I]()}
	e.handle = func(c *call) error {
		input := new(I)
		if c.endpoint.rows != nil { // formatOf reads the header Accept
			c.response.header["Vary"] = []string{"Accept"}
		}
		c.endpoint.parameters.decode(c, c.request.URL.RawQuery, input)
		return handle(c, input)
	}
	return e
}

// list returns a GET endpoint for a list of rows R, in all formats. B is its JSON response.
func list[R, B, I any](scope access.Scope, at string, handle func(*call, *I) error) endpoint {
	e := in(http.MethodGet, at, path.Base(at), handle)
	e.scope, e.rows, e.answer = scope, reflect.TypeFor[R](), reflect.TypeFor[B]()
	return e
}

// labour returns the endpoint for a list of the labour data, with the rows R.
func labour[R, I any](name string, handle func(*call, *I) error) endpoint {
	return list[R, api.Envelope[R, api.Meta]](access.ScopeLabourRead, labourPath+name, handle)
}

// object returns a GET endpoint with the JSON response B.
func object[B, I any](scope access.Scope, at string, handle func(*call, *I) error) endpoint {
	e := in(http.MethodGet, at, path.Base(at), handle)
	e.scope, e.answer = scope, reflect.TypeFor[B]()
	return e
}

// open returns a GET endpoint that needs no key. B is its JSON response; any = not described.
func open[B any](at, id string, handle func(*call, *noInput) error) endpoint {
	e := in(http.MethodGet, at, id, handle)
	if e.answer = reflect.TypeFor[B](); e.answer.Kind() == reflect.Interface {
		e.answer = nil
	}
	return e
}

// labourPath is the prefix of the paths of the labour data.
const labourPath = "/v1/labour/"

// ServeHTTP stores the endpoint in the call of the request. The mux calls it for the endpoint that
// matches; the call runs later.
func (e *endpoint) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	callOf(r.Context()).endpoint = e
}
