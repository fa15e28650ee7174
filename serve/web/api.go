package web

import (
	"strings"

	"labour/serve"
	"labour/serve/api"
	"labour/serve/apidocs"
	"labour/serve/web/words"
)

// apiPolicy is the Content-Security-Policy of the API reference page. It permits images at data:
// addresses, because Swagger UI has icons at such addresses.
var apiPolicy = strings.Replace(policy, "img-src 'self'", "img-src 'self' data:", 1)

type apiView struct {
	Documents []api.Named
	Here      string
	Groups    []serve.OperationGroup
}

// apiPage shows the API reference, a table of all operations of the API. On request, a script adds
// forms in which the visitor can try the operations.
func (s *Site) apiPage(v *request) view {
	groups, err := serve.OperationGroups()
	if err != nil {
		v.fail(err)
	}
	data := apiView{Documents: words.List("document"), Here: "api", Groups: groups}
	return view{template: "docs/api", title: "Every call of the API", section: apidocs.Path, data: data}
}
