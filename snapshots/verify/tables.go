package verify

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"labour/snapshots"
	"labour/snapshots/outline"
	"labour/snapshots/parquetio"
)

// sourceKeys says of the keys of the sources table whether it is an excluded source
// of adverts; nil when the table cannot be read.
type sourceKeys map[string]bool

func readSourceKeys(s *subject) sourceKeys {
	known := sourceKeys{}
	path := snapshots.Within(s.dir, snapshots.TableFileName("sources"))
	adverts := snapshots.SourceKinds("adverts")
	err := parquetio.Scan(path, []string{"key", "kind", "adverts_counted"}, func(_ int64, v []parquetio.Value) error {
		known[strings.Clone(v[0].Text)] = slices.Contains(adverts, v[1].Text) && v[2].Int == 0
		return nil
	})
	if err != nil {
		return nil // said by checkSchemas or by the scan of the table
	}
	return known
}

// sourceChecks: whatever names a source names one of the sources table, so that
// its licence and attribution can be shown. No cell of adverts, and nothing that is
// counted from adverts, is from a source whose adverts are not counted.
func sourceChecks(t snapshots.Table, known sourceKeys) []rowCheck {
	if known == nil {
		return nil
	}
	counted := slices.Contains([]string{"adverts", "adverts_total", "demand", "trends", "reach"}, t.Name)
	var checks []rowCheck
	for _, name := range snapshots.SourceColumns() {
		if _, has := t.Column(name); !has {
			continue
		}
		checks = append(checks, rowCheck{"sources", []string{name}, func(v []parquetio.Value) error {
			if v[0].Text == "" && name == "pointing_sources" {
				return nil
			}
			for key := range strings.SplitSeq(v[0].Text, ",") {
				excluded, listed := known[key]
				if !listed {
					return fmt.Errorf("%s %q is not in the sources table", name, key)
				}
				if counted && excluded {
					return fmt.Errorf("%s %q is a source whose adverts are not counted", name, key)
				}
			}
			return nil
		}})
	}
	return checks
}

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

// outlineChecks: an outline can be read, and it is of a borough that the snapshot
// lists, under the code that it has there.
func outlineChecks(s *subject, t snapshots.Table) []rowCheck {
	if t.Name != "outlines" {
		return nil
	}
	readable := rowCheck{"outlines", []string{"outline"}, func(v []parquetio.Value) error {
		_, err := outline.Parse(v[0].Text)
		return err
	}}
	codes := map[string]string{} // of the boroughs by place
	path := snapshots.Within(s.dir, snapshots.TableFileName("places"))
	err := parquetio.Scan(path, []string{"place", "code", "area_kind"}, func(_ int64, v []parquetio.Value) error {
		if v[2].Text == snapshots.AreaBorough {
			codes[strings.Clone(v[0].Text)] = strings.Clone(v[1].Text)
		}
		return nil
	})
	if err != nil {
		return []rowCheck{readable} // said by checkSchemas or by the scan of the table
	}
	return []rowCheck{readable, {"outlines", []string{"place", "code"}, func(v []parquetio.Value) error {
		if code, ok := codes[v[0].Text]; !ok || code != v[1].Text {
			return fmt.Errorf("%q with the code %q is no borough of the table places", v[0].Text, v[1].Text)
		}
		return nil
	}}}
}

// eventChecks: since version 2 the table has what is everybody's. "An application or an outcome is
// about a person: [it is shown] to the partner it belongs to and to nobody else."
func eventChecks(t snapshots.Table, m snapshots.Manifest) []rowCheck {
	if t.Name != "events" || m.FormatVersion == 1 {
		return nil
	}
	return []rowCheck{{"events", []string{"type", "partner"}, func(v []parquetio.Value) error {
		if v[1].Text != "" {
			return errors.New("it is an event of a partner")
		}
		if !(snapshots.EventsRow{Type: v[0].Text}).Visible() {
			return fmt.Errorf("%s is about a person", v[0].Text)
		}
		return nil
	}}}
}

// checkPartners looks at the events of partners, where the snapshot lies in a store that
// has them: the files are those that were sealed, each has the events of one partner, and
// nobody but their owner may read them.
func checkPartners(ctx context.Context, s *subject) error {
	if s.store == nil || filepath.Clean(s.store.Dir(s.manifest.ID)) != filepath.Clean(s.dir) {
		return nil
	}
	files, err := snapshots.PartnerFiles(s.dir, s.manifest)
	if err != nil && !errors.Is(err, snapshots.ErrNoPartnerFiles) {
		s.fault("partners", snapshots.PartnersName, WholeFile, "%v", err)
	}
	for _, f := range files {
		name := path.Join(snapshots.PartnersName, f.File)
		if open, err := snapshots.OpenToOthers(f.Path); err != nil || open {
			s.fault("partners", name, WholeFile, "others than its owner may read it %v", err)
		}
		err := s.scan(ctx, f.Path, name, []rowCheck{asOfCheck(s.manifest), {"partners", []string{"partner"}, func(v []parquetio.Value) error {
			if v[0].Text != f.Partner {
				return errors.New("it is an event of another partner")
			}
			return nil
		}}})
		if err != nil {
			return err
		}
	}
	return nil
}
