package serve

import (
	"net/http"
	"path"
	"reflect"

	"labour/serve/api"
	"labour/serve/partners/access"
)

// endpoint is one operation of the API, such as GET /v1/labour/places. Go types define its
// parameters and its response. The file openapi.yaml holds its descriptions.
type endpoint struct {
	method, path string
	id           string       // id of the operation in the OpenAPI document
	scope        access.Scope // scope that the key must have; empty = no key is needed
	status       int          // HTTP status of a successful response
	// type of the JSON body of a successful response; nil = no body, or one that the OpenAPI
	// document does not describe
	answer reflect.Type
	// type of one row, for a list that CSV and Parquet can hold; nil = only JSON
	rows       reflect.Type
	input      reflect.Type // struct type whose fields receive the query parameters
	parameters parameters   // query parameters, as the tags of the input type define them
	handle     func(*call) error
}

// in returns an endpoint that decodes the query parameters into a new I and then calls handle.
// Invalid parameters are recorded in the call. handle must check c.inputError() before it uses the
// values.
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

// list returns a GET endpoint that sends a list as JSON, CSV or Parquet. The last element of
// urlPath is the id of the operation. R is the type of a row. B is the type of the JSON body.
func list[R, B, I any](scope access.Scope, urlPath string, handle func(*call, *I) error) endpoint {
	e := in(http.MethodGet, urlPath, path.Base(urlPath), handle)
	e.scope = scope
	e.rows = reflect.TypeFor[R]()
	e.answer = reflect.TypeFor[B]()
	return e
}

// labour returns the endpoint GET /v1/labour/NAME, which sends a list of rows of type R.
func labour[R, I any](name string, handle func(*call, *I) error) endpoint {
	return list[R, api.Envelope[R, api.Meta]](access.ScopeLabourRead, LabourPath+name, handle)
}

// object returns a GET endpoint that only sends JSON. The last element of urlPath is the id of the
// operation. B is the type of the body.
func object[B, I any](scope access.Scope, urlPath string, handle func(*call, *I) error) endpoint {
	e := in(http.MethodGet, urlPath, path.Base(urlPath), handle)
	e.scope, e.answer = scope, reflect.TypeFor[B]()
	return e
}

// open returns a GET endpoint that needs no API key. B is the type of its JSON body. If B is any,
// the OpenAPI document does not describe the body.
func open[B any](urlPath, id string, handle func(*call, *noInput) error) endpoint {
	e := in(http.MethodGet, urlPath, id, handle)
	if e.answer = reflect.TypeFor[B](); e.answer.Kind() == reflect.Interface {
		e.answer = nil
	}
	return e
}

// LabourPath is the common prefix of the paths of labour market lists, such as /v1/labour/places.
const LabourPath = "/v1/labour/"

// ServeHTTP records that the request belongs to this endpoint. It sends no response, because the
// ServeMux is only used for routing. The endpoint's handler runs later.
func (e *endpoint) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	callOf(r.Context()).endpoint = e
}
