package web

import "labour/serve/web/samples"

// sample is a program text of the documentation.
type sample struct{ ID, Name, Text string }

// readSamples reads how to verify a webhook, in four languages.
func readSamples() ([]sample, error) {
	list := []sample{{ID: "verify.go", Name: "Go"}, {ID: "verify.py", Name: "Python"}, {ID: "verify.js", Name: "JavaScript (Node.js)"}, {ID: "verify.php", Name: "PHP"}}
	for i, one := range list {
		text, err := samples.Files.ReadFile(one.ID)
		if err != nil {
			return nil, err
		}
		list[i].Text = string(text)
	}
	return list, nil
}
