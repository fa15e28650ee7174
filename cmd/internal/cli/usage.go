// Package cli holds code that all command-line programs of this project share. It defines commands
// with flags and arguments, reports wrong usage, prints results and shows progress.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"
	"text/template"
	"time"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The exit statuses of all commands.
const (
	// ExitDone is the exit status of a command that succeeded.
	ExitDone = 0
	// ExitFailed is the exit status of a command that failed.
	ExitFailed = 1
	// ExitUsage is the exit status after wrong arguments or flags, or a faulty configuration.
	ExitUsage = 2
	// ExitSourceFailed is the exit status of a run that used the last good extract of a source,
	// because the source failed.
	ExitSourceFailed = 3
	// ExitCheckRefused is the exit status of a command whose check found faults.
	ExitCheckRefused = 4
)

// ExitHelp explains the exit statuses. Every command prints it in its help.
const ExitHelp = `Exit status:
  0  done
  1  failed
  2  wrong usage, or a faulty configuration
  3  done, but a source failed; its last good extract was used
  4  refused by a check`

// UsageError is an error in the arguments, flags or configuration of a command. A command that
// returns a UsageError exits with status ExitUsage.
type UsageError struct{ error }

// NewUsageError returns a UsageError that wraps err.
func NewUsageError(err error) error { return UsageError{err} }

// Unwrap returns the wrapped error. errors.Is and errors.As call it.
func (u UsageError) Unwrap() error { return u.error }

// ExactArgs returns a check that a command has exactly n arguments. For any other number, the check
// returns a UsageError.
func ExactArgs(n int) cobra.PositionalArgs { return RangeArgs(n, n) }

// RangeArgs returns a check that a command has at least minArgs and at most maxArgs arguments. For
// any other number, and for an empty argument, the check returns a UsageError.
func RangeArgs(minArgs, maxArgs int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch n := len(args); {
		case n < minArgs:
			return NewUsageError(fmt.Errorf("an argument is missing; usage: %s", cmd.UseLine()))
		case n > maxArgs:
			return NewUsageError(fmt.Errorf("unexpected argument %q; usage: %s", args[maxArgs], cmd.UseLine()))
		case slices.ContainsFunc(args, func(text string) bool { return strings.TrimSpace(text) == "" }):
			return NewUsageError(fmt.Errorf("an argument is empty; usage: %s", cmd.UseLine()))
		}
		return nil
	}
}

// NewCommandGroup returns a command that only groups the subcommands in commands. Without a
// subcommand it prints its help. use is the name of the command, and short describes it in one
// line.
func NewCommandGroup(use, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return UnknownCommandError(cmd, args[0])
			}
			return cmd.Help()
		}}
	c.AddCommand(commands...)
	return c
}

// UnknownCommandError returns the error for an unknown subcommand of c. The error suggests
// subcommands with similar names.
func UnknownCommandError(c *cobra.Command, name string) error {
	c.SuggestionsMinimumDistance = maxEditDistance
	return NewUsageError(fmt.Errorf("unknown command %q%s; see %s --help", name, suggestion(c.SuggestionsFor(name)),
		c.CommandPath()))
}

// maxEditDistance is the largest edit distance between a mistyped name and a name that an error
// suggests instead.
const maxEditDistance = 2

// FlagError wraps err, an error about flags, in a UsageError. For an unknown flag, the UsageError
// suggests the flags whose names differ least from it, if they differ by at most maxEditDistance.
func FlagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var near []string
	least := maxEditDistance
	if errors.As(err, &unknown) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			d := levenshtein.ComputeDistance(unknown.GetSpecifiedName(), f.Name)
			if d < least {
				near, least = nil, d
			}
			if d == least {
				near = append(near, "--"+f.Name)
			}
		})
	}
	return NewUsageError(fmt.Errorf("%w%s; see %s --help", err, suggestion(near), c.CommandPath()))
}

func suggestion(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(names, " or ") + "?"
}

// PrintJSON writes v to w as one line of JSON. It does not escape the characters <, > and &.
func PrintJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// NewCommand returns a command that calls run. use is the name of the command, short describes it
// in one line, and args checks its arguments. Each field of options that has the tag "flag" becomes
// a flag of the command, also in embedded structs. Other tags of the field describe the flag:
//
//   - usage is the help text.
//   - default is the default value. Without it, the default is the value of the field in options.
//   - required means that the flag must be given.
//   - least means that the value must not be negative.
//   - split means that a list of values is separated by commas.
func NewCommand[O any](use, short string, args cobra.PositionalArgs, options O,
	run func(ctx context.Context, o *O, args []string) error) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, Args: args}
	checks := addFlags(c.Flags(), reflect.ValueOf(&options).Elem())
	c.RunE = func(cmd *cobra.Command, args []string) error {
		for _, check := range checks {
			if err := check(); err != nil {
				return NewUsageError(err)
			}
		}
		return run(cmd.Context(), &options, args)
	}
	return c
}

// addFlags adds a flag for each field of options that has the tag "flag". It returns functions that
// check the flags after they are parsed.
func addFlags(flags *pflag.FlagSet, options reflect.Value) (checks []func() error) {
	for i := range options.NumField() {
		field := options.Type().Field(i)
		if field.Anonymous {
			checks = append(checks, addFlags(flags, options.Field(i))...)
		}
		name, usage := field.Tag.Get("flag"), field.Tag.Get("usage")
		if name == "" {
			continue
		}
		switch to := options.Field(i).Addr().Interface().(type) {
		case *string:
			flags.StringVar(to, name, *to, usage)
		case *bool:
			flags.BoolVar(to, name, *to, usage)
		case *int:
			flags.IntVar(to, name, *to, usage)
		case *uint64:
			flags.Uint64Var(to, name, *to, usage)
		case *float64:
			flags.Float64Var(to, name, *to, usage)
		case *time.Duration:
			flags.DurationVar(to, name, *to, usage)
		case *[]string:
			if field.Tag.Get("split") == "" {
				flags.StringArrayVar(to, name, *to, usage)
			} else { // separated by commas
				flags.StringSliceVar(to, name, *to, usage)
			}
		}
		f := flags.Lookup(name)
		if text, ok := field.Tag.Lookup("default"); ok {
			if err := f.Value.Set(text); err != nil {
				panic(err) // every test of the command finds this
			}
			f.DefValue = f.Value.String()
		}
		checks = append(checks, flagCheck(f, field.Tag))
		if _, required := field.Tag.Lookup("required"); required {
			f.Usage += " (required)"
		}
	}
	return checks
}

// flagCheck returns a check of the flag f that is called after parsing. tag describes the flag, as
// in NewCommand. The check fails if the flag is given with an empty value, because a variable that
// a script forgot to set must not mean "all" or "none". It also fails if a required flag is
// missing, or if a flag with the tag "least" has a negative value.
func flagCheck(f *pflag.Flag, tag reflect.StructTag) func() error {
	_, required := tag.Lookup("required")
	least, bound := tag.Lookup("least")
	return func() error {
		switch value := f.Value.String(); {
		case required && strings.TrimSpace(value) == "":
			return fmt.Errorf("--%s is missing: %s", f.Name, tag.Get("usage"))
		case f.Changed && isEmpty(f.Value):
			return fmt.Errorf("--%s is empty; give a value, or leave the flag out", f.Name)
		case bound && strings.HasPrefix(value, "-"):
			return fmt.Errorf("--%s %s is too low; the minimum is %s", f.Name, value, least)
		}
		return nil
	}
}

// isEmpty reports whether the value of a flag is empty. A list is empty if one of its elements is.
func isEmpty(value pflag.Value) bool {
	blank := func(text string) bool { return strings.TrimSpace(text) == "" }
	if list, ok := value.(pflag.SliceValue); ok {
		return len(list.GetSlice()) == 0 || slices.ContainsFunc(list.GetSlice(), blank)
	}
	return blank(value.String())
}

type (
	// DataFlag is the flag --data, which names the data directory. The options of a command embed
	// it.
	DataFlag struct {
		Data string `flag:"data" default:"data" usage:"data directory"`
	}
	// JSONFlag is the flag --json, which prints output as JSON. The options of a command embed it.
	JSONFlag struct {
		JSON bool `flag:"json" usage:"print as JSON"`
	}
)

// TableWriter returns a writer that aligns columns separated by tabs and writes them to w. The
// caller must call Flush.
func TableWriter(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }

// PrintTemplate executes the template file with the given name in files, and writes the result to
// t. The template can use data and functions. PrintTemplate flushes t at the end.
func PrintTemplate(t *tabwriter.Writer, files fs.FS, name string, functions template.FuncMap, data any) error {
	text, err := template.New(path.Base(name)).Funcs(functions).ParseFS(files, name)
	if err != nil {
		return err
	}
	return errors.Join(text.Execute(t, data), t.Flush())
}
