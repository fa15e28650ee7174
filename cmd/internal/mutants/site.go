package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// site is one possible mutation of a file. It replaces oldText with newText. oldText begins offset
// bytes after the start of the file.
type site struct {
	file    string
	line    int
	offset  int
	oldText string
	newText string
	inWords string // description of the mutation for the output; "" = "oldText → newText" is printed
}

func (s site) String() string {
	what := s.inWords
	if what == "" {
		what = fmt.Sprintf("%s → %s", strings.TrimSpace(s.oldText), strings.TrimSpace(s.newText))
	}
	return fmt.Sprintf("%s:%d %s", s.file, s.line, what)
}

// mutatedSource returns the content of the file with the mutation s. It returns an error if the
// file has changed since the mutation was found.
func (s site) mutatedSource() ([]byte, error) {
	b, err := os.ReadFile(s.file)
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(b[s.offset:], []byte(s.oldText)) {
		return nil, fmt.Errorf("%s has changed since it was read", s.file)
	}
	out := append([]byte{}, b[:s.offset]...)
	out = append(out, s.newText...)
	return append(out, b[s.offset+len(s.oldText):]...), nil
}

// goPackage is the output of go list -json for one package.
type goPackage struct {
	Dir        string
	GoFiles    []string
	CgoFiles   []string
	EmbedFiles []string
}

// sitesOf returns all possible mutations of package p. kind selects the files: "go" for Go files,
// "sql" for embedded SQL files, or "all".
func sitesOf(ctx context.Context, p, kind string) ([]site, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-json=Dir,GoFiles,CgoFiles,EmbedFiles", p).Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", p, err)
	}
	var of goPackage
	if err := json.Unmarshal(out, &of); err != nil {
		return nil, err
	}
	var all []site
	for _, name := range append(append(of.GoFiles, of.CgoFiles...), of.EmbedFiles...) {
		found, err := sitesOfFile(filepath.Join(of.Dir, name), kind)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func sitesOfFile(path, kind string) ([]site, error) {
	text, err := fs.ReadFile(os.DirFS(filepath.Dir(path)), filepath.Base(path))
	if err != nil {
		return nil, err
	}
	if here, err := os.Getwd(); err == nil {
		if relative, err := filepath.Rel(here, path); err == nil {
			path = relative
		}
	}
	switch {
	case strings.HasSuffix(path, ".go") && kind != "sql":
		return goSites(path, text)
	case strings.HasSuffix(path, ".sql") && kind != "go":
		return sqlSites(path, string(text)), nil
	}
	return nil, nil
}
