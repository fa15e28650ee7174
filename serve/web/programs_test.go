package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// programText is a program of the documentation for a call, as it is copied from the page.
func programText(t *testing.T, base, id, call string) string {
	t.Helper()
	res, err := http.Get(base + "/docs/programs?call=" + url.QueryEscape(call))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	tree, err := html.Parse(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range elements(tree, "code") {
		if attribute(code, "id") == id {
			return text(code)
		}
	}
	t.Fatalf("no program %s", id)
	return ""
}

// TestProgramsRun: what the documentation shows for a call answers it, in each language that
// is installed here.
func TestProgramsRun(t *testing.T) {
	s := newSite(t)
	server := httptest.NewServer(s.handler)
	t.Cleanup(server.Close)
	const call = "/v1/labour/skills-unmet?place=camden&skill=sql"
	for id, command := range map[string][]string{"call.sh": {"bash"}, "call.py": {python(t)},
		"call.R": {"Rscript", "--vanilla"}, "call.js": {"node"}} {
		t.Run(id, func(t *testing.T) {
			program, err := exec.LookPath(command[0])
			if err != nil {
				t.Skipf("%s is not installed", command[0])
			}
			file := filepath.Join(t.TempDir(), id)
			if err := os.WriteFile(file, []byte(programText(t, server.URL, id, call)), 0o600); err != nil {
				t.Fatal(err)
			}
			c := exec.CommandContext(t.Context(), program, append(command[1:], file)...)
			c.Env = append(os.Environ(), "LABOUR_KEY="+s.secret, "NO_PROXY=*", "no_proxy=*")
			out, err := c.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "sql") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	if excel := programText(t, server.URL, "call.pq", call); !strings.Contains(excel,
		`Web.Contents("`+server.URL+`/v1/labour/skills-unmet?format=csv&place=camden&skill=sql"`) {
		t.Errorf("Excel asks for another call: %s", excel)
	}
	for _, bad := range []string{`/v1/labour/skills-unmet?place='; rm`, "/v1/jobs",
		"https://evil.example/v1/labour/sources", "/v1/labour/sources?a=\"b"} {
		if got := programText(t, server.URL, "call.sh", bad); !strings.Contains(got,
			server.URL+"/v1/labour/skills-unmet?limit=5'") {
			t.Errorf("%q is shown: %s", bad, got)
		}
	}
}

// python is a Python that has pandas, or a name that is not installed.
func python(t *testing.T) string {
	t.Helper()
	for _, one := range []string{"../../bin/venv/bin/python", "python3"} {
		if exec.CommandContext(t.Context(), one, "-c", "import pandas").Run() == nil {
			return one
		}
	}
	return "python-with-pandas"
}
