package cli

import (
	"context"
	"reflect"
	"time"

	"github.com/spf13/cobra"
)

// Command makes a command whose flags are the fields of its options: those with the tag
// flag, which names the flag, also within embedded structs. The tag usage describes it, and
// the default is what options has, or the tag default.
func Command[O any](use, short string, args cobra.PositionalArgs, options O, run func(ctx context.Context, o *O, args []string) error) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, Args: args,
		RunE: func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), &options, args) }}
	addFlags(c, reflect.ValueOf(&options).Elem())
	return c
}

func addFlags(c *cobra.Command, options reflect.Value) {
	flags := c.Flags()
	for i := range options.NumField() {
		field := options.Type().Field(i)
		if field.Anonymous {
			addFlags(c, options.Field(i))
			continue
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
			} else { // at commas
				flags.StringSliceVar(to, name, *to, usage)
			}
		}
		if text, ok := field.Tag.Lookup("default"); ok {
			f := flags.Lookup(name)
			if err := f.Value.Set(text); err != nil {
				panic(err) // found by every test of the command
			}
			f.DefValue = f.Value.String()
		}
	}
}

// DataFlag and JSONFlag are flags that many commands have.
type (
	DataFlag struct {
		Data string `flag:"data" default:"data" usage:"data directory"`
	}
	JSONFlag struct {
		JSON bool `flag:"json" usage:"print as JSON"`
	}
)
