package cli

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

type options struct {
	Dir   string `flag:"dir" usage:"folder"`
	Quick bool   `flag:"quick" usage:"hurry"`
	Other string
}

// called runs a group of the commands print and show with arguments, and returns what print was given.
func called(t *testing.T, args ...string) (got options, rest []string, out string, err error) {
	t.Helper()
	run := func(_ context.Context, o *options, args []string) error {
		got, rest = *o, args
		return nil
	}
	printing := NewCommand("print FILE [COPY]", "print a file", RangeArgs(1, 2), options{Dir: "here", Other: "kept"}, run)
	show := NewCommand("show", "show all", ExactArgs(0), options{}, run)
	group := NewCommandGroup("tool", "a tool", printing, show)
	group.SilenceErrors, group.SilenceUsage = true, true
	group.SetFlagErrorFunc(FlagError)
	var text strings.Builder
	group.SetOut(&text)
	group.SetErr(io.Discard)
	group.SetArgs(append([]string{}, args...)) // nil would be the arguments of the test
	err = group.ExecuteContext(t.Context())
	return got, rest, text.String(), err
}

func TestFlagsFillTheOptions(t *testing.T) {
	got, rest, _, err := called(t, "print", "a", "b")
	if want := (options{"here", false, "kept"}); err != nil || got != want || strings.Join(rest, " ") != "a b" {
		t.Errorf("%+v, %q and %v, want the defaults %+v and both arguments", got, rest, err, want)
	}
	got, _, _, err = called(t, "print", "--dir", "there", "--quick", "a")
	if want := (options{"there", true, "kept"}); err != nil || got != want {
		t.Errorf("%+v and %v, want %+v", got, err, want)
	}
}

// Wrong usage is an error that tells what is wrong, and what was probably meant.
func TestWrongUsageIsExplained(t *testing.T) {
	for args, want := range map[string]string{
		"print":              "an argument is missing; usage: tool print FILE [COPY]",
		"print a b c":        `unexpected argument "c"; usage: tool print FILE [COPY]`,
		"show a":             `unexpected argument "a"; usage: tool show`,
		"prnit":              `unknown command "prnit"; did you mean print?; see tool --help`,
		"elsewhere":          `unknown command "elsewhere"; see tool --help`,
		"print a --dri x":    "unknown flag: --dri; did you mean --dir?; see tool print --help",
		"print a --qiuk":     "unknown flag: --qiuk; did you mean --quick?; see tool print --help",
		"print a --qk":       "unknown flag: --qk; see tool print --help",
		"print a --elsewher": "unknown flag: --elsewher; see tool print --help",
	} {
		got, _, _, err := called(t, strings.Fields(args)...)
		var usage UsageError
		if !errors.As(err, &usage) || !strings.HasPrefix(err.Error(), want) || got != (options{}) {
			t.Errorf("tool %s: %v, want a usage error that says %s", args, err, want)
		}
	}
}

func TestAnEmptyArgumentIsRefused(t *testing.T) {
	if _, _, _, err := called(t, "print", ""); err == nil || !strings.HasPrefix(err.Error(), "an argument is empty; ") {
		t.Errorf("an empty file name: %v", err)
	}
}

func TestAGroupAloneShowsItsHelp(t *testing.T) {
	if _, _, out, err := called(t); err != nil || !strings.Contains(out, "print a file") {
		t.Errorf("%v and %q, want the help with both commands", err, out)
	}
}

// Of the flags with similar names only the most similar ones are suggested.
func TestTheNearestFlagsAreSuggested(t *testing.T) {
	c := &cobra.Command{Use: "tool", RunE: func(*cobra.Command, []string) error { return nil }}
	for _, name := range []string{"data", "date", "dot", "other"} {
		c.Flags().String(name, "", "")
	}
	err := FlagError(c, c.ParseFlags([]string{"--dats"}))
	var unknown *pflag.NotExistError
	if want := "unknown flag: --dats; did you mean --data or --date?; see tool --help"; err.Error() != want ||
		!errors.As(err, &unknown) {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestJSONKeepsTheSmallerSign(t *testing.T) {
	var out strings.Builder
	if err := PrintJSON(&out, map[string]string{"people": "<5"}); err != nil || out.String() != "{\"people\":\"<5\"}\n" {
		t.Errorf("%q and %v, want <5 as it is, on a line", out.String(), err)
	}
}
