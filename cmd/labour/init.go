package main

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"labour/cmd/internal/cli"
	"labour/pipeline/config"
	"labour/sources"
)

// exampleConfig is the template of the configuration file that `labour init` writes.
//
//go:embed template/labour.yaml
var exampleConfig string

type initOptions struct {
	Name    string `flag:"name" default:"London Works" usage:"the platform's name"`
	Link    string `flag:"link" default:"https://works.example" usage:"the platform's address"`
	Contact string `flag:"contact" default:"data@works.example" usage:"e-mail address or web page that publishers see"`
}

// quoteJSON returns text as a JSON string. The string is also valid YAML.
func quoteJSON(text string) string {
	b, _ := json.Marshal(text) // a text can always be encoded
	return string(b)
}

func (a *app) initialise(_ context.Context, o *initOptions, args []string) error {
	dir := cmp.Or(strings.Join(args, ""), ".")
	fill := strings.NewReplacer("PLATFORM_NAME", quoteJSON(o.Name), "PLATFORM_LINK", quoteJSON(o.Link), "PLATFORM_CONTACT",
		quoteJSON(o.Contact))
	configuration := fill.Replace(exampleConfig)
	if _, err := config.Parse([]byte(configuration)); err != nil {
		return cli.NewUsageError(err) // check before anything is written
	}
	if err := a.writeNew(filepath.Join(dir, configName), configuration); err != nil {
		return err
	}
	feed := exampleFeed(sources.DateOf(a.now()))
	for _, name := range slices.Sorted(maps.Keys(feed)) {
		if err := a.writeNew(filepath.Join(dir, "feed", name), feed[name]); err != nil {
			return err
		}
	}
	return printText(a.stdout, "init", map[string]any{"Self": shellWord(self()),
		"Config": shellWord(filepath.Join(dir, configName)), "Feed": shellWord(filepath.Join(dir, "feed")),
		"Data": shellWord(filepath.Join(dir, "data"))})
}

// plainWord matches words that have no characters with a meaning for a shell.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,-]+$`)

// shellWord returns a text, such as a path, as one word of a command that can be copied into a shell.
// The word is in quotes if it needs them.
func shellWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
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
