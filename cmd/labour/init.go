package main

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/pipeline/config"
)

// template is what `labour init` writes: a configuration with comments, and a feed that
// shows each needed file.
//
//go:embed template
var template embed.FS

func newInitCmd(a *app) *cobra.Command {
	var name, link, contact string
	c := &cobra.Command{Use: "init [DIR]", Short: "Write a configuration with comments and an example feed", Args: cli.Between(0, 1),
		Long: "Write labour.yaml and an example feed of made-up records into a directory (default:\nthis one), and say what to do next. Files that are there are kept.\n\n" + cli.ExitHelp,
		RunE: func(_ *cobra.Command, args []string) error {
			dir := strings.Join(args, "")
			if dir == "" {
				dir = "."
			}
			return a.initialise(dir, map[string]string{"PLATFORM_NAME": name, "PLATFORM_LINK": link, "PLATFORM_CONTACT": contact})
		}}
	c.Flags().StringVar(&name, "name", "London Works", "the platform's name")
	c.Flags().StringVar(&link, "link", "https://works.example", "the platform's address")
	c.Flags().StringVar(&contact, "contact", "data@works.example", "e-mail address or web page that publishers see")
	return c
}

// initialise writes the template into dir, with values for its words.
func (a *app) initialise(dir string, values map[string]string) error {
	var words []string
	for word, value := range values {
		quoted, err := json.Marshal(value) // is YAML too
		if err != nil {
			return err
		}
		words = append(words, word, string(quoted))
	}
	files, err := fs.Sub(template, "template")
	if err != nil {
		return err
	}
	fill := strings.NewReplacer(words...)
	err = fs.WalkDir(files, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		text := fill.Replace(string(b))
		if path == configName {
			if _, err := config.Parse([]byte(text)); err != nil {
				return cli.Usage(err)
			}
		}
		return a.writeNew(filepath.Join(dir, filepath.FromSlash(path)), text)
	})
	if err != nil {
		return err
	}
	file, data := filepath.Join(dir, configName), filepath.Join(dir, "data")
	_, err = fmt.Fprintf(a.stdout, "\nThe feed is an example: put the platform's files in its place. Then:\n\n"+
		"  %[1]s source check --config %[2]s\n  %[1]s feed check %[3]s\n  %[1]s run --config %[2]s --data %[4]s\n  %[1]s serve --data %[4]s\n",
		self(), file, filepath.Join(dir, "feed"), data)
	return err
}

// writeNew writes a file that is not there yet.
func (a *app) writeNew(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		_, err = fmt.Fprintf(a.stdout, "kept %s\n", path)
		return err
	}
	if err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	if _, err := f.WriteString(text); err != nil {
		return errors.Join(err, f.Close())
	}
	fmt.Fprintf(a.stdout, "wrote %s\n", path)
	return f.Close()
}
