package web

import (
	"cmp"
	"net/url"
	"regexp"
	"strings"

	"labour/serve/web/samples"
)

// sample is a program text of the documentation.
type sample struct{ ID, Name, Text string }

// verifiers are how to verify a webhook, in four languages.
func verifiers() []sample {
	return []sample{{ID: "verify.go", Name: "Go"}, {ID: "verify.py", Name: "Python"}, {ID: "verify.js", Name: "JavaScript (Node.js)"}, {ID: "verify.php", Name: "PHP"}}
}

// callers are how to make a call of the labour data.
func callers() []sample {
	return []sample{{ID: "call.sh", Name: "curl"}, {ID: "call.py", Name: "Python"}, {ID: "call.R", Name: "R"}, {ID: "call.js", Name: "JavaScript"}, {ID: "call.pq", Name: "Excel and Power BI"}}
}

func readSamples(list []sample) ([]sample, error) {
	for i, one := range list {
		text, err := samples.Files.ReadFile(one.ID)
		if err != nil {
			return nil, err
		}
		list[i].Text = string(text)
	}
	return list, nil
}

// callPattern is a call of the labour data in letters that mean nothing to any language.
var callPattern = regexp.MustCompile(`^` + labourPath + `[a-z-]+(\?[A-Za-z0-9%&=+_.~-]*)?$`)

// programs are the callers with the call that the address names.
func (s *Site) programs(v *request) []sample {
	call := cmp.Or(callPattern.FindString(v.URL.Query().Get("call")), samples.Call)
	path, query, _ := strings.Cut(call, "?")
	q, err := url.ParseQuery(query)
	if err != nil {
		q = url.Values{}
	}
	q.Set("format", "csv")
	put := strings.NewReplacer(samples.Host+samples.CallCSV, v.base+address(path, q), samples.Host+samples.Call, v.base+call)
	var list []sample
	for _, one := range s.callers {
		one.Text = put.Replace(one.Text)
		list = append(list, one)
	}
	return list
}
