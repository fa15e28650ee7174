package conformance

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// first runs a test on the first server with data: what a tool makes of the document
// does not depend on how it is served.
func first(t *testing.T, test func(*testing.T, *server)) {
	t.Helper()
	done := false
	each(t, func(t *testing.T, s *server) {
		if done {
			t.Skip("tried on the first server")
		}
		done = true
		test(t, s)
	})
}

// tool returns the path of a program, looked for where .ci/run installs it too.
func tool(t *testing.T, name, how string) string {
	t.Helper()
	for _, dir := range []string{"../../bin/clients/bin", "../../bin/clients/node_modules/.bin"} {
		path, err := filepath.Abs(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("no %s: %s", name, how)
	}
	return path
}

// run runs a program in a directory with the address and the key of a server.
func (s *server) run(t *testing.T, dir, program string, arguments ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), program, arguments...)
	c.Dir = dir
	c.Env = append(os.Environ(), "LABOUR_URL="+s.base, "LABOUR_KEY="+s.key, "NODE_NO_WARNINGS=1",
		"PATH="+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", filepath.Base(program), strings.Join(arguments, " "), err, out)
	}
	return string(out)
}

// document writes the server's OpenAPI document into a directory.
func (s *server) document(t *testing.T, dir string) string {
	t.Helper()
	file := filepath.Join(dir, "openapi.json")
	if err := os.WriteFile(file, s.send(t, http.MethodGet, "/v1/openapi.json", "").body, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// faulty returns a server behind a proxy that answers the first two requests of each address
// with a fault of its own.
func (s *server) faulty(t *testing.T) *server {
	t.Helper()
	to, err := url.Parse(s.base)
	if err != nil {
		t.Fatal(err)
	}
	var requests sync.Map // how many, by address
	pass := httputil.NewSingleHostReverseProxy(to)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		made, _ := requests.LoadOrStore(r.URL.String(), new(atomic.Int64))
		switch made.(*atomic.Int64).Add(1) {
		case 1:
			http.Error(w, "<html>bad gateway</html>", http.StatusBadGateway)
		case 2:
			http.Error(w, `{"error":{"code":"timeout"}}`, http.StatusGatewayTimeout)
		default:
			pass.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(proxy.Close)
	behind := *s
	behind.base = proxy.URL
	return &behind
}

// client copies a client into a directory and returns the program of its README, which may
// stand in several parts.
func client(t *testing.T, name, language string) (dir, program string) {
	t.Helper()
	from := filepath.Join("..", "clients", name)
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(from, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllSubmatch(readme, -1) {
		program += string(block[1])
	}
	if program == "" {
		t.Fatalf("the README of %s has no program", name)
	}
	return dir, program
}

// The Python client is generated from the document without a warning. The lines of its
// README walk through skills not met into a data frame and through other lists; pages,
// counts, statements and errors arrive, although every call meets faults of the service.
func TestPythonClientWalks(t *testing.T) {
	first(t, func(t *testing.T, s *server) {
		generator := tool(t, "openapi-python-client", "pip install openapi-python-client pandas")
		python := tool(t, "python3", "it comes with Python")
		dir, program := client(t, "python", "python")
		said := s.run(t, dir, generator, "generate", "--path", s.document(t, dir), "--config", "generator.yaml",
			"--meta", "none", "--output-path", filepath.Join(dir, "labour_market", "generated"))
		for _, complaint := range []string{"WARNING", "Skipping", "unsupported", "Error"} {
			if strings.Contains(said, complaint) {
				t.Errorf("the generator complains:\n%s", said)
			}
		}
		program = strings.ReplaceAll(program, `os.environ["LABOUR_KEY"])`, `os.environ["LABOUR_KEY"], first_wait=0.01)`)
		program = strings.ReplaceAll(program, `"camden"`, `"`+s.borough(t)+`"`) + `
print("WALKED", len(same_level) > 0, {row.level for row in same_level} == {first.level})
from typing import get_args
from labour_market.generated.models.skills_unmet_row_adverts_base import SkillsUnmetRowAdvertsBase
print({row.adverts_base for row in same_level} <= set(get_args(SkillsUnmetRowAdvertsBase)),
      set(get_args(SkillsUnmetRowAdvertsBase)) == {"5-19", "20-49", "50-99", "100-249", "250-999", "1000+"},
      all(0 <= row.adverts_share_margin_pct <= 100 for row in same_level), first.adverts_share_margin_pct > 0)
print(len(frame), sorted(set(frame.people_turned_down_status)), frame.people_turned_down.dtype)
print(*frame.attrs["attribution"], sep="|")
print(len(list(client.jobs(limit=7))), len({row.id for row in client.jobs(limit=100)}))
print(client.candidates().object().residents)
try:
    list(client.skills_unmet(place="nowhere"))
except labour_market.Error as error:
    print(error.code)
`
		if err := os.WriteFile(filepath.Join(dir, "walk.py"), []byte(program), 0o600); err != nil {
			t.Fatal(err)
		}
		said = s.faulty(t).run(t, dir, python, "walk.py")
		if want := s.peopleLine(t); !strings.Contains(said, want) {
			t.Errorf("the client did not print %q:\n%s", want, said)
		}
		_, walked, _ := strings.Cut(said, "WALKED ")
		passed, walked, _ := strings.Cut(walked, "\n")
		if passed != "True True" {
			t.Errorf("a level of a row is passed back: %s", passed)
		}
		typed, walked, _ := strings.Cut(walked, "\n")
		if typed != "True True True True" {
			t.Errorf("the base of a share is one of the bands, and its margin a number: %s", typed)
		}
		lines := strings.Split(strings.TrimSpace(walked), "\n")
		rows := s.walk(t, query("/v1/labour/skills-unmet", "place", s.borough(t), "limit", "200"))
		if len(lines) != 5 || !strings.HasPrefix(lines[0], itoa(len(rows))+" [") ||
			!strings.HasSuffix(lines[0], " Int64") || !strings.Contains(lines[0], "number") ||
			!strings.Contains(lines[1], "Source: ") || lines[4] != "unknown_place" {
			t.Errorf("the client printed\n%s", strings.Join(lines, "\n"))
		}
		if jobs := itoa(len(s.walk(t, "/v1/jobs?limit=100"))); lines[2] != jobs+" "+jobs {
			t.Errorf("the client read %s jobs, want %s", lines[2], jobs)
		}
	})
}

// The TypeScript client compiles under strict rules, and the lines of its README walk.
func TestTypeScriptClientWalks(t *testing.T) {
	first(t, func(t *testing.T, s *server) {
		const how = "npm install openapi-typescript@7 typescript@5 @types/node"
		generator, compiler, node := tool(t, "openapi-typescript", how), tool(t, "tsc", how),
			tool(t, "node", "install Node")
		dir, program := client(t, "typescript", "ts")
		s.run(t, dir, generator, s.document(t, dir), "-o", "api.d.ts")
		program = strings.ReplaceAll(program, `process.env.LABOUR_KEY!)`, `process.env.LABOUR_KEY!, 3600, 0.01)`)
		program = strings.ReplaceAll(program, `"camden"`, `"`+s.borough(t)+`"`) + `
import { ServiceError, type Meta, type Row } from "./client";
const count: Row<"/v1/labour/skills-unmet">["people_turned_down"] = "<5";
// @ts-expect-error no other text stands for a count
const wrong: Row<"/v1/labour/skills-unmet">["people_turned_down"] = "<6";
const base: Row<"/v1/labour/skills-unmet">["adverts_base"] = "5-19";
// @ts-expect-error no band ends there
const noBand: Row<"/v1/labour/skills-unmet">["adverts_base"] = "5-20";
const margin: Row<"/v1/labour/skills-unmet">["adverts_share_margin_pct"] = 12.3;
// @ts-expect-error every share has a margin
const noMargin: Row<"/v1/labour/skills-unmet">["adverts_share_margin_pct"] = null;
const rounded: Meta<"/v1/labour/skills-unmet">["people"]["protection"] = "rounded";
// @ts-expect-error counts of people are protected in other ways
const audited: Meta<"/v1/labour/skills-unmet">["people"]["protection"] = "audited";
client.all("/v1/labour/skills-unmet", { place: "` + s.borough(t) + `", limit: 20 }).then(({ rows, attribution }) => console.log("WALK", rows.length, attribution.join("|")));
client.all("/v1/labour/skills-unmet", { place: "nowhere" }).catch((e: ServiceError) => console.log("ERROR", e.code));
`
		if err := os.WriteFile(filepath.Join(dir, "walk.ts"), []byte(program), 0o600); err != nil {
			t.Fatal(err)
		}
		s.run(t, dir, compiler, "--strict", "--target", "es2022", "--module", "commonjs", "--lib",
			"es2022,dom,dom.iterable", "--types", "node", "--typeRoots",
			filepath.Join(filepath.Dir(compiler), "..", "@types"), "--outDir", "out", "walk.ts")
		said := s.faulty(t).run(t, dir, node, "out/walk.js")
		rows := s.walk(t, query("/v1/labour/skills-unmet", "place", s.borough(t), "limit", "200"))
		for _, want := range []string{"WALK " + itoa(len(rows)) + " ", "Source: ", "ERROR unknown_place",
			rows[0].text("skill"), s.peopleLine(t)} {
			if !strings.Contains(said, want) {
				t.Errorf("the client did not print %q:\n%s", want, said)
			}
		}
	})
}

// The function for R reads every page of a list, with its statements.
func TestRFunctionWalks(t *testing.T) {
	first(t, func(t *testing.T, s *server) {
		r := tool(t, "Rscript", "install r-base-core, r-cran-httr2 and r-cran-readr")
		text, err := os.ReadFile("../clients/R.md")
		if err != nil {
			t.Fatal(err)
		}
		program := regexp.MustCompile("(?s)```r\n(.*?)```").FindSubmatch(text)
		if program == nil {
			t.Fatal("R.md has no program")
		}
		dir := t.TempDir()
		lines := string(program[1]) + `
x <- labour("labour/skills-unmet", place = "` + s.borough(t) + `", limit = 50)
cat(nrow(x), length(unique(x$skill)), attr(x, "attribution"), sep = "|")
field <- function(name) sub(paste0('.*"', name, '": ?"([^"]*)".*'), "\\1", attr(x, "people"))
cat("\nFigures about people are of", field("from"), "to", field("to"), "and", field("protection"))
`
		if err := os.WriteFile(filepath.Join(dir, "walk.R"), []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
		n := itoa(len(s.walk(t, query("/v1/labour/skills-unmet", "place", s.borough(t), "limit", "200"))))
		if said := s.run(t, dir, r, "walk.R"); !strings.Contains(said, n+"|"+n+"|") ||
			!strings.Contains(said, "Source: ") || !strings.Contains(said, s.peopleLine(t)) {
			t.Errorf("R printed %s, want %s rows and %q", said, n, s.peopleLine(t))
		}
	})
}
