package serve

import (
	"net/http"
	"path"
	"reflect"

	"labour/serve/api"
	"labour/serve/partners/access"
)

// endpoint is one operation of the API. Its input and its response are Go types; its descriptions
// are in openapi.yaml.
type endpoint struct {
	method, path string
	id           string       // id of the operation in the document
	scope        access.Scope // required scope of the key; empty = no key is needed
	status       int          // status of a successful response
	answer       reflect.Type // type of a successful JSON response; nil = none, or not described
	rows         reflect.Type // type of the rows of a list, which has other formats too; nil = JSON only
	input        reflect.Type // a struct whose fields are the parameters
	parameters   parameters   // parameters of the input
	handle       func(*call) error
}

// in makes an endpoint from a handler, which receives its decoded input. Faults of the input are
// noted in the call. The handler adds its own faults and refuses all of them at once.
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

// list returns an endpoint with rows in every format. B is its JSON response.
func list[R, B, I any](scope access.Scope, at string, handle func(*call, *I) error) endpoint {
	e := in(http.MethodGet, at, path.Base(at), handle)
	e.scope, e.rows, e.answer = scope, reflect.TypeFor[R](), reflect.TypeFor[B]()
	return e
}

// labour returns an endpoint for a list of the labour data.
func labour[R, I any](name string, handle func(*call, *I) error) endpoint {
	return list[R, api.Envelope[R, api.Meta]](access.LabourRead, labourPath+name, handle)
}

// object returns an endpoint with JSON responses only.
func object[B, I any](scope access.Scope, at string, handle func(*call, *I) error) endpoint {
	e := in(http.MethodGet, at, path.Base(at), handle)
	e.scope, e.answer = scope, reflect.TypeFor[B]()
	return e
}

// open returns an endpoint for monitoring and tools, which needs no key.
func open[B any](at, id string, handle func(*call, *noInput) error) endpoint {
	e := in(http.MethodGet, at, id, handle)
	if e.answer = reflect.TypeFor[B](); e.answer.Kind() == reflect.Interface {
		e.answer = nil
	}
	return e
}

// labourPath is the prefix of the paths of the labour data.
const labourPath = "/v1/labour/"

// ServeHTTP records that the mux matched the endpoint.
func (e *endpoint) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	callOf(r.Context()).endpoint = e
}
