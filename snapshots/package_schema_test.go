package snapshots_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dlclark/regexp2"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// ecma is a regular expression as JSON Schema has them: the standard's patterns look
// ahead, which Go's own cannot.
type ecma struct{ *regexp2.Regexp }

func (e ecma) MatchString(s string) bool {
	ok, err := e.Regexp.MatchString(s)
	return err == nil && ok
}

// profile is the standard's own schema of a descriptor.
func profile(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.UseRegexpEngine(func(s string) (jsonschema.Regexp, error) {
		re, err := regexp2.Compile(s, regexp2.ECMAScript)
		return ecma{re}, err
	})
	schema, err := c.Compile(filepath.Join("testdata", "datapackage", "datapackage.json"))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// descriptor is datapackage.json of a sealed snapshot, as any JSON.
func descriptor(t *testing.T) map[string]any {
	t.Helper()
	root := t.TempDir()
	id := snaptest.BuildSnapshot(t, root, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	b, err := os.ReadFile(filepath.Join(snapshots.SnapshotsDir(root), string(id), snapshots.DataPackageFileName))
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return v.(map[string]any)
}

func TestDataPackageIsValidUnderTheStandard(t *testing.T) {
	schema, d := profile(t), descriptor(t)
	if err := schema.Validate(d); err != nil {
		t.Errorf("%v", err)
	}
	for name, spoil := range map[string]func(map[string]any){
		"no resources":         func(d map[string]any) { delete(d, "resources") },
		"a day without a time": func(d map[string]any) { d["created"] = "2026-11-20" },
		"a licence with spaces": func(d map[string]any) {
			d["licenses"].([]any)[0].(map[string]any)["name"] = "open licence"
		},
		"a path that climbs": func(d map[string]any) { d["resources"].([]any)[0].(map[string]any)["path"] = "a/../../b" },
		"an unknown type": func(d map[string]any) {
			schema := d["resources"].([]any)[0].(map[string]any)["schema"].(map[string]any)
			schema["fields"].([]any)[0].(map[string]any)["type"] = "day"
		},
	} {
		spoiled := descriptor(t)
		spoil(spoiled)
		if schema.Validate(spoiled) == nil {
			t.Errorf("%s is not refused", name)
		}
	}
}

type label struct{ Value, Label string }

type described struct {
	Licenses  []struct{ Name, Title string }
	Sources   []struct{ Key, Title, Path string }
	Resources []struct {
		Name, Path string
		Sources    []struct {
			Key                  string
			AttributionStatement string `json:"attribution_statement"`
		}
		Licenses []struct{ Name, Title string }
		Schema   struct {
			Fields []struct {
				Name, Type, Unit string
				Categories       []label
				MissingValues    []label
			}
			MissingValues *[]label
			ForeignKeys   []struct{ Fields []string }
		}
	}
}

func describedIn(t *testing.T) described {
	t.Helper()
	b, err := json.Marshal(descriptor(t))
	if err != nil {
		t.Fatal(err)
	}
	var d described
	if err := json.Unmarshal(b, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDataPackageNamesSourcesAndLicences(t *testing.T) {
	d := describedIn(t)
	if len(d.Sources) != 7 || d.Sources[0].Key != "bls_projections" ||
		d.Sources[0].Path != "https://example.org/bls_projections" {
		t.Errorf("sources %+v", d.Sources)
	}
	var names []string
	for _, l := range d.Licenses {
		names = append(names, l.Name)
	}
	if !slices.Equal(names, []string{"OGL-UK-3.0", "other-closed", "other-closed", "other-pd"}) {
		t.Errorf("licences %v", d.Licenses)
	}
	for _, r := range d.Resources {
		switch r.Name {
		case "course_demand":
			if len(r.Sources) != 1 || r.Sources[0].Key != "dfe_apprenticeships" || len(r.Licenses) != 1 ||
				r.Licenses[0].Name != "OGL-UK-3.0" ||
				!strings.HasPrefix(r.Sources[0].AttributionStatement, "Contains public sector information") ||
				len(r.Schema.ForeignKeys) != 1 {
				t.Errorf("%+v", r)
			}
		case "levels":
			if len(r.Sources)+len(r.Licenses) != 0 {
				t.Errorf("levels has sources %+v", r.Sources)
			}
		}
	}
	if last := d.Resources[len(d.Resources)-1]; last.Path != snapshots.ChangesFileName {
		t.Errorf("the last resource is %s, not the changes", last.Path)
	}
}

// A null is labelled wherever one may be, and a printed count of people says what
// each of its statuses means. Every number has a unit or is a code or a rank.
func TestDataPackageLabelsMissingValuesAndUnits(t *testing.T) {
	unitless := []string{"level", "reference_level", "employer_1", "employer_2", "employer_3", "position", "step",
		"digits", "rank",
		"list"}
	for _, r := range describedIn(t).Resources {
		table := tableOf(t, r.Name)
		if r.Schema.MissingValues == nil || len(*r.Schema.MissingValues) != 0 {
			t.Errorf("%s: empty texts would be taken for missing", r.Name)
		}
		for _, f := range r.Schema.Fields {
			c, _ := table.Column(f.Name)
			if labelled := len(f.MissingValues) > 0 && f.MissingValues[0].Label != ""; labelled != c.Nullable {
				t.Errorf("%s.%s: nullable %v, missing values %+v", r.Name, f.Name, c.Nullable, f.MissingValues)
			}
			if number := f.Type == "integer" || f.Type == "number"; number && f.Unit == "" &&
				!slices.Contains(unitless, f.Name) {
				t.Errorf("%s.%s has no unit", r.Name, f.Name)
			}
			for _, p := range table.PeopleColumns() {
				if p.Value == f.Name && (len(f.MissingValues) != 2 || f.MissingValues[1].Value != "<5") {
					t.Errorf("%s.%s: missing values %+v", r.Name, f.Name, f.MissingValues)
				}
				if p.Status == f.Name && len(f.Categories) != 3 {
					t.Errorf("%s.%s: categories %+v", r.Name, f.Name, f.Categories)
				}
			}
		}
	}
}

func tableOf(t *testing.T, name string) snapshots.Table {
	t.Helper()
	for _, table := range append(append(snapshots.Tables(), snapshots.EmbargoedTables()...), snapshots.ChangesTable()) {
		if table.Name == name {
			return table
		}
	}
	t.Fatalf("no table %s", name)
	return snapshots.Table{}
}
