package verify

import (
	"fmt"
	"strings"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// The statements that the specification gives word for word.
const (
	statementOGL = "Contains public sector information licensed under the Open Government Licence v3.0."
	statementBLS = "Source: U.S. Bureau of Labor Statistics."
	statementONS = "Source: Office for National Statistics licensed under the Open Government Licence v3.0. Contains OS data © Crown copyright and database right %04d."
	statementOwn = "Source: %s."
)

// statementChecks: no source without its licence, its publisher and the text that
// must be displayed with its figures, which is the one of its kind: "the
// attribution_statement of every source it came from is shown word for word".
func statementChecks(t snapshots.Table, m snapshots.Manifest) []rowCheck {
	if t.Name != "sources" {
		return nil
	}
	var checks []rowCheck
	for _, name := range []string{"attribution_statement", "licence", "publisher"} {
		checks = append(checks, rowCheck{"attribution", []string{name}, func(v []parquetio.Value) error {
			if strings.TrimSpace(v[0].Text) == "" {
				return fmt.Errorf("%s is empty", name)
			}
			return nil
		}})
	}
	return append(checks, rowCheck{"attribution", []string{"kind", "licence", "attribution_statement"}, func(v []parquetio.Value) error {
		want, given := statementOf(m, v[0].Text, v[1].Text), v[2].Text
		switch {
		case strings.TrimSpace(given) == "":
			return nil // said already
		case strings.Contains(given, "<"):
			return fmt.Errorf("attribution_statement %q has a placeholder", given)
		case want != "" && given != want:
			return fmt.Errorf("attribution_statement is %q, not word for word %q", given, want)
		}
		return nil
	}})
}

// statementOf is the statement of a source of that kind and licence; empty where
// the publisher's own terms say it, as those of news and plans do.
func statementOf(m snapshots.Manifest, kind, licence string) string {
	ogl := strings.HasPrefix(licence, "Open Government Licence v3.0")
	switch kind {
	case "platform", "employer_boards":
		return fmt.Sprintf(statementOwn, m.PlatformName)
	case "geography":
		return fmt.Sprintf(statementONS, m.AsOf.Year())
	case "statistics", "projections", "apprenticeships":
		if ogl {
			return statementOGL
		}
		if licence == "Public domain" {
			return statementBLS
		}
	}
	return ""
}
