package serve

import (
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"labour/serve/access"
)

// tool is the path of a program; without it the test is skipped.
func tool(t *testing.T, name, how string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("no %s: %s", name, how)
	}
	return path
}

// inFolder writes a file in a folder of its own.
func inFolder(t *testing.T, name, text string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func run(t *testing.T, dir, program string, arguments ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), program, arguments...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(arguments, " "), err, out)
	}
	return string(out)
}

// usedInTypeScript uses the generated types as a partner would; it compiles only if
// they say what the interface says.
const usedInTypeScript = `import type { paths, webhooks } from "./api";
type Unmet = paths["/v1/labour/skills-unmet"]["get"];
type Row = Unmet["responses"]["200"]["content"]["application/json"]["data"][number];
export const query: NonNullable<Unmet["parameters"]["query"]> = { place: "camden", window: 12, format: "csv" };
export function small(row: Row): boolean { return row.people_turned_down === "<5"; }
export function missing(row: Row): boolean { return row.score === null; }
export type File = Unmet["responses"]["200"]["content"]["text/csv"];
type Pushed = NonNullable<webhooks["outcome.recorded"]["post"]["requestBody"]>["content"]["application/json"];
export function outcome(e: Pushed): "pending" | "hired" | "turned_down" | "withdrawn" | undefined { return e.data.outcome; }
// @ts-expect-error there is no such window
export const wrong: NonNullable<Unmet["parameters"]["query"]> = { window: 13 };
`

// A generator of TypeScript types takes the document, and a program that uses them
// compiles.
func TestTypeScriptClient(t *testing.T) {
	const how = "npm install -g openapi-typescript@7 typescript@5"
	generator, compiler := tool(t, "openapi-typescript", how), tool(t, "tsc", how)
	document, err := filepath.Abs("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	dir := inFolder(t, "use.ts", usedInTypeScript)
	run(t, dir, generator, document, "-o", filepath.Join(dir, "api.d.ts"))
	run(t, dir, compiler, "--noEmit", "--strict", "use.ts")
}

// usedInPython calls the service with the generated client.
const usedInPython = `import sys
from generated import AuthenticatedClient
from generated.api.labour_market_data import skills_unmet, regions
from generated.api.jobs_pathways_and_the_platform import jobs
client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2], raise_on_unexpected_status=True)
rows = skills_unmet.sync(client=client, place="camden", limit=5)
print(*[f"{r.rank} {r.skill} {r.people_turned_down} {r.score}" for r in rows.data], sep="\n")
print(rows.meta.snapshot, rows.attribution_notice[:8])
print(*[r.name for r in regions.sync(client=client, name="c").data])
print(*[r.id for r in jobs.sync(client=client, limit=2).data])
wrong = skills_unmet.sync(client=client, place="nowhere")
print(wrong.error.code, wrong.error.details[0].parameter)
`

// A generator of Python clients takes the document without a complaint, and the client
// calls the service and reads its answers and its errors.
func TestPythonClient(t *testing.T) {
	const how = "pip install openapi-python-client"
	generator, python := tool(t, "openapi-python-client", how), tool(t, "python3", how)
	if beside := filepath.Join(filepath.Dir(generator), "python3"); exists(beside) {
		python = beside // it has the libraries that the client needs
	}
	s := newService(t, nil)
	s.grant(t, access.Scopes()...)
	server := httptest.NewServer(s.handler)
	defer server.Close()
	document, err := filepath.Abs("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	dir := inFolder(t, "use.py", usedInPython)
	said := run(t, dir, generator, "generate", "--path", document, "--output-path", filepath.Join(dir, "generated"), "--meta", "none")
	for _, complaint := range []string{"WARNING parsing", "Skipping schema", "unsupported", "Error"} {
		if strings.Contains(said, complaint) {
			t.Errorf("the generator complains:\n%s", said)
		}
	}
	want := ""
	for i, r := range s.live.now().skills {
		score := "None"
		if r.Score != nil {
			score = fmt.Sprint(float64(*r.Score) / 100)
		}
		turnedDown := strings.Replace(r.TurnedDown.String(), "null", "None", 1)
		want += fmt.Sprintf("%d %s %s %s\n", i+1, r.Skill, turnedDown, score)
	}
	want += "2026-11-20.1 Wherever\nCardiff London\nplatform:ad-9 platform:ad-8\nunknown_place place\n"
	if got := run(t, dir, python, "use.py", server.URL, s.secret); got != want {
		t.Errorf("the generated client printed\n%s\nwant\n%s", got, want)
	}
}
