package main

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"labour/cmd/internal/cli"
	"labour/pipeline/config"
)

// example holds the files that `labour init` writes: a configuration with comments, and a
// feed that shows each needed file.
//
//go:embed template
var example embed.FS

type initOptions struct {
	Name    string `flag:"name" default:"London Works" usage:"the platform's name"`
	Link    string `flag:"link" default:"https://works.example" usage:"the platform's address"`
	Contact string `flag:"contact" default:"data@works.example" usage:"e-mail address or web page that publishers see"`
}

// quoted returns text as a JSON string, which is valid YAML too.
func quoted(text string) string {
	b, _ := json.Marshal(text) // a text can always be encoded
	return string(b)
}

func (a *app) initialise(_ context.Context, o *initOptions, args []string) error {
	dir := cmp.Or(strings.Join(args, ""), ".")
	fill := strings.NewReplacer("PLATFORM_NAME", quoted(o.Name), "PLATFORM_LINK", quoted(o.Link), "PLATFORM_CONTACT",
		quoted(o.Contact))
	files, err := fs.Sub(example, "template")
	if err != nil {
		return err
	}
	text, err := fs.ReadFile(files, configName)
	if err != nil {
		return err
	}
	if _, err := config.Parse([]byte(fill.Replace(string(text)))); err != nil {
		return cli.Usage(err) // before anything is written
	}
	err = fs.WalkDir(files, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		return a.writeNew(filepath.Join(dir, filepath.FromSlash(path)), fill.Replace(string(b)))
	})
	if err != nil {
		return err
	}
	return printText(a.stdout, "init", map[string]any{"Self": self(), "Config": filepath.Join(dir, configName),
		"Feed": filepath.Join(dir, "feed"), "Data": filepath.Join(dir, "data")})
}

func (a *app) writeNew(path, text string) error {
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = writeNew(path, []byte(text), 0o644)
	}
	if errors.Is(err, fs.ErrExist) {
		return a.say("kept %s\n", path)
	}
	if err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	return a.say("wrote %s\n", path)
}
