package cli

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"text/template"
	"time"
)

type embedded struct {
	Data string `flag:"data" default:"data" usage:"data directory"`
}

// kinds has a flag of each type that a field may have.
type kinds struct {
	embedded
	Name  string        `flag:"name" required:"" usage:"whose it is"`
	Dry   bool          `flag:"dry" usage:"change nothing"`
	Count int           `flag:"count" least:"0" default:"31" usage:"how many"`
	Seed  uint64        `flag:"seed" usage:"of the draw"`
	Rate  float64       `flag:"rate" usage:"calls a second"`
	Wait  time.Duration `flag:"wait" least:"0s" usage:"how long"`
	Files []string      `flag:"file" usage:"files"`
	Lists []string      `flag:"list" split:"," usage:"lists"`
	Own   int
}

// readKinds parses the arguments of a command that has the options above.
func readKinds(t *testing.T, args ...string) (got kinds, usage string, err error) {
	t.Helper()
	c := NewCommand("tool", "a tool", ExactArgs(0), kinds{Seed: 7, Own: 3},
		func(_ context.Context, o *kinds, _ []string) error { got = *o; return nil })
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetOut(io.Discard)
	c.SetErr(io.Discard)
	c.SetArgs(args)
	err = c.ExecuteContext(t.Context())
	return got, c.Flags().FlagUsages(), err
}

func TestEachTypeOfFieldIsAFlag(t *testing.T) {
	got, _, err := readKinds(t, "--data", "there", "--name", "x", "--dry", "--count", "2", "--seed", "3", "--rate", "4.5",
		"--wait", "6m", "--file", "a,b", "--file", "c", "--list", "d,e", "--list", "f")
	if err != nil {
		t.Fatal(err)
	}
	if got.Data != "there" || got.Name != "x" || !got.Dry || got.Count != 2 || got.Seed != 3 || got.Rate != 4.5 ||
		got.Wait != 6*time.Minute || got.Own != 3 {
		t.Errorf("%+v", got)
	}
	if want := []string{"a,b", "c"}; !slices.Equal(got.Files, want) {
		t.Errorf("--file is %q, want %q", got.Files, want)
	}
	if want := []string{"d", "e", "f"}; !slices.Equal(got.Lists, want) {
		t.Errorf("--list is %q, want %q: its values are separated by commas", got.Lists, want)
	}
}

func TestFlagsHaveTheirDefaults(t *testing.T) {
	got, usage, err := readKinds(t, "--name", "x")
	if err != nil || got.Data != "data" || got.Count != 31 || got.Seed != 7 || got.Dry || got.Rate != 0 || got.Wait != 0 ||
		got.Files != nil || got.Own != 3 {
		t.Errorf("%+v and %v", got, err)
	}
	for _, want := range []string{"how many (default 31)", `data directory (default "data")`, "of the draw (default 7)",
		"whose it is (required)"} {
		if !strings.Contains(usage, want) {
			t.Errorf("the help lacks %q:\n%s", want, usage)
		}
	}
	if strings.Count(usage, "(required)") != 1 {
		t.Errorf("more than one flag is required:\n%s", usage)
	}
}

func TestRequiredFlagsAndLeastValues(t *testing.T) {
	for args, want := range map[string]string{
		"":                     "--name is missing: whose it is",
		"--name= ":             "--name is missing: whose it is",
		"--name=x --count=-1":  "--count -1 is too low; the minimum is 0",
		"--name=x --wait=-1s":  "--wait -1s is too low; the minimum is 0s",
		"--name=x --data=":     "--data is empty; give a value, or leave the flag out",
		"--name=x --list=":     "--list is empty; give a value, or leave the flag out",
		"--name=x --list=a,,b": "--list is empty; give a value, or leave the flag out",
		"--name=x --count=0":   "",
		"--name=-x --rate=-2":  "", // neither has a least value
	} {
		got, _, err := readKinds(t, strings.FieldsFunc(args, func(r rune) bool { return r == ' ' && args != "--name= " })...)
		if want == "" {
			if err != nil {
				t.Errorf("tool %s: %v", args, err)
			}
			continue
		}
		if _, usage := err.(UsageError); !usage || err.Error() != want || got.Own != 0 {
			t.Errorf("tool %s: %v, want the usage error %q before the command runs", args, err, want)
		}
	}
}

func TestADefaultOfTheWrongTypePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("the default \"many\" of an integer is accepted")
		}
	}()
	NewCommand("tool", "a tool", nil, struct {
		N int `flag:"n" default:"many"`
	}{}, nil)
}

// A suggested command differs in two letters at most.
func TestDistantNamesOfCommandsAreNotSuggested(t *testing.T) {
	for name, want := range map[string]string{"shwo": "; did you mean show?", "shxx": "; did you mean show?", "sxyz": ""} {
		_, _, _, err := called(t, name)
		if want := `unknown command "` + name + `"` + want + "; see tool --help"; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Columns are as wide as their longest cell and two spaces.
func TestTablesAreAligned(t *testing.T) {
	files := fstest.MapFS{"reports/a.txt": {Data: []byte("{{range .}}{{upper .}}\t{{.}}\t|\n{{end}}")}}
	functions := template.FuncMap{"upper": strings.ToUpper}
	var out strings.Builder
	if err := PrintTemplate(TableWriter(&out), files, "reports/a.txt", functions, []string{"a", "long"}); err != nil {
		t.Fatal(err)
	}
	if want := "A     a     |\nLONG  long  |\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	for name, data := range map[string]any{"reports/none.txt": nil, "reports/a.txt": 5} {
		if err := PrintTemplate(TableWriter(io.Discard), files, name, functions, data); err == nil {
			t.Errorf("%s with %v is printed", name, data)
		}
	}
}
