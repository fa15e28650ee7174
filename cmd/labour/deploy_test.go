package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

const deployDir = "deploy"

func deployFile(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(deployDir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// settings are the settings of a unit, by section and name; a name that is given
// twice has both.
func settings(t *testing.T, unit string) map[string][]string {
	t.Helper()
	found, section := map[string][]string{}, ""
	for line := range strings.Lines(deployFile(t, unit)) {
		line = strings.TrimSpace(line)
		name, value, ok := strings.Cut(line, "=")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			section = strings.Trim(line, "[]")
		case ok:
			found[section+"."+name] = append(found[section+"."+name], value)
		default:
			t.Errorf("%s: %q is no setting", unit, line)
		}
	}
	return found
}

func units(t *testing.T, pattern string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(deployDir, pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no %s: %v", pattern, err)
	}
	for _, f := range files {
		names = append(names, filepath.Base(f))
	}
	return names
}

// wantCommand checks that a command line exists, with all its flags.
func wantCommand(t *testing.T, where string, words []string) {
	t.Helper()
	a := &app{}
	command, rest, err := newRoot(a).Find(words)
	if err == nil {
		err = command.ParseFlags(rest)
	}
	if err == nil && !command.Runnable() {
		err = os.ErrNotExist
	}
	if err != nil || command.Name() == "labour" {
		t.Errorf("%s: labour %v: %v", where, words, err)
	}
}

// Every service runs a command that exists, as a user without rights, and can write
// to its state directory alone.
func TestUnitsAreConfined(t *testing.T) {
	for _, unit := range units(t, "*.service") {
		s := settings(t, unit)
		for name, want := range map[string]string{"User": "labour", "NoNewPrivileges": "yes", "ProtectSystem": "strict",
			"ProtectHome": "yes",
			"PrivateTmp":  "yes", "CapabilityBoundingSet": "", "SystemCallFilter": "@system-service",
			"RestrictSUIDSGID": "yes"} {
			if got := s["Service."+name]; !slices.Equal(got, []string{want}) {
				t.Errorf("%s: %s is %q, want %q", unit, name, got, want)
			}
		}
		words := strings.Fields(s["Service.ExecStart"][0])
		if words[0] != "/usr/local/bin/labour" || s["Service.ReadWritePaths"] != nil {
			t.Errorf("%s: runs %s, writes to %v", unit, words[0], s["Service.ReadWritePaths"])
		}
		wantCommand(t, unit, words[1:])
	}
	serve := settings(t, "labour-serve.service")
	if got := serve["Service.InaccessiblePaths"]; !slices.Equal(got, []string{"-/var/lib/labour/protected"}) {
		t.Errorf("the interface may see the protected zone: %v", got)
	}
	if got := serve["Service.ReadOnlyPaths"]; !slices.Equal(got, []string{"-/var/lib/labour"}) {
		t.Errorf("the interface may write to the data: %v", got)
	}
	if got := serve["Unit.StartLimitIntervalSec"]; !slices.Equal(got, []string{"0"}) {
		t.Errorf("a server without data is given up: %v", got)
	}
	for _, timer := range units(t, "*.timer") {
		if s := settings(t, timer); s["Timer.OnCalendar"] == nil || s["Install.WantedBy"] == nil {
			t.Errorf("%s: %v", timer, s)
		}
		if _, err := os.Stat(filepath.Join(deployDir, strings.Replace(timer, ".timer", ".service", 1))); err != nil {
			t.Error(err)
		}
	}
}

// The stock tool finds no fault with the units, where it is there.
func TestSystemdAcceptsTheUnits(t *testing.T) {
	tool, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, args := t.TempDir(), []string{"verify", "--man=no"}
	for _, unit := range append(units(t, "*.service"), units(t, "*.timer")...) {
		text := strings.ReplaceAll(deployFile(t, unit), "/usr/local/bin/labour", program) // it must be there
		file := filepath.Join(dir, unit)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	out, err := exec.Command(tool, args...).CombinedOutput()
	if err != nil || strings.Contains(string(out), "labour") {
		t.Errorf("%v\n%s", err, out)
	}
}

// The image is built from source, has nothing but the program, and runs it as a user
// without rights.
func TestContainerfile(t *testing.T) {
	text := strings.ReplaceAll(deployFile(t, "Containerfile"), "\\\n", " ")
	var stages [][]string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "FROM ") {
			stages = append(stages, nil)
		}
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && len(stages) > 0 {
			stages[len(stages)-1] = append(stages[len(stages)-1], line)
		}
	}
	if len(stages) != 2 {
		t.Fatalf("%d stages", len(stages))
	}
	build, last := strings.Join(stages[0], "\n"), strings.Join(stages[1], "\n")
	for _, want := range []string{"COPY . .", "CGO_ENABLED=1 go build", "-o /out/labour ./cmd/labour"} {
		if !strings.Contains(build, want) {
			t.Errorf("the first stage lacks %q", want)
		}
	}
	if !regexp.MustCompile(`(?m)^USER [1-9][0-9]*:[1-9][0-9]*$`).MatchString(last) {
		t.Error("the image does not run as a numbered user")
	}
	for _, line := range stages[1] {
		if verb := strings.Fields(line)[0]; verb == "RUN" || verb == "ADD" || verb == "COPY" &&
			!strings.Contains(line, "--from=build") {
			t.Errorf("the image has more than what was built: %s", line)
		}
	}
	if strings.Contains(text, ":latest") || !strings.Contains(last, `ENTRYPOINT ["/usr/local/bin/labour"]`) {
		t.Error("the image is not pinned, or does not run the program")
	}
	var command []string
	line := regexp.MustCompile(`(?m)^CMD (.*)$`).FindStringSubmatch(last)
	if err := yaml.Unmarshal([]byte(line[1]), &command); err != nil {
		t.Fatal(err)
	}
	wantCommand(t, "Containerfile", command)
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	need := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(mod))[1]
	if !strings.HasPrefix(stages[0][0], "FROM docker.io/library/golang:"+need) {
		t.Errorf("built with %s, go.mod needs %s", stages[0][0], need)
	}
}

// The container's file system is read-only, and it has no rights.
func TestCompose(t *testing.T) {
	var file struct {
		Services map[string]struct {
			ReadOnly    bool     `yaml:"read_only"`
			User        string   `yaml:"user"`
			CapDrop     []string `yaml:"cap_drop"`
			SecurityOpt []string `yaml:"security_opt"`
			Volumes     []struct {
				Target   string `yaml:"target"`
				ReadOnly bool   `yaml:"read_only"`
			} `yaml:"volumes"`
			Ports []string `yaml:"ports"`
		} `yaml:"services"`
	}
	if err := yaml.Unmarshal([]byte(deployFile(t, "compose.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	s, ok := file.Services["serve"]
	if !ok || !s.ReadOnly || s.User != "65532:65532" || !slices.Equal(s.CapDrop, []string{"ALL"}) ||
		!slices.Contains(s.SecurityOpt, "no-new-privileges:true") {
		t.Errorf("%+v", s)
	}
	for _, v := range s.Volumes {
		if v.ReadOnly != (v.Target == "/data") {
			t.Errorf("volume %+v", v)
		}
	}
	for _, p := range s.Ports {
		if !strings.HasPrefix(p, "127.0.0.1:") {
			t.Errorf("port %s is open to everybody", p)
		}
	}
}

// Light runs make a snapshot a minute, so something must remove them, and the exports that only they needed.
func TestSnapshotsArePruned(t *testing.T) {
	// The first command removes snapshots even if the second one cannot read the configuration.
	got := settings(t, "labour-prune.service")["Service.ExecStart"]
	if len(got) != 2 || !strings.HasSuffix(got[0], "snapshot prune --data /var/lib/labour") ||
		!strings.HasSuffix(got[1],
			"snapshot prune --data /var/lib/labour --archive --config /etc/labour/labour.yaml") {
		t.Errorf("runs %v", got)
	}
	if got := settings(t, "labour-prune.timer")["Timer.OnCalendar"]; len(got) != 1 {
		t.Errorf("runs at %v", got)
	}
}

// TestTimersKeepTime: a timer without AccuracySec starts anywhere in a minute, so that the whole run
// of a host could meet the light one every night. A failed run is tried again, unless only a
// person can mend the failure. A crash is tried again too, although its status would be 2.
func TestTimersKeepTime(t *testing.T) {
	for _, timer := range []string{"labour-run.timer", "labour-light.timer"} {
		if got := settings(t, timer)["Timer.AccuracySec"]; len(got) != 1 || got[0] != "1s" {
			t.Errorf("%s: AccuracySec %v", timer, got)
		}
	}
	run := settings(t, "labour-run.service")
	for name, want := range map[string]string{"Service.Restart": "on-failure", "Service.RestartSec": "60",
		"Service.RestartPreventExitStatus": "2 4", "Service.Environment": "GOTRACEBACK=crash",
		"Service.LimitCORE": "0", "Unit.StartLimitBurst": "4", "Unit.StartLimitIntervalSec": "1h"} {
		if got := strings.Join(run[name], ","); got != want {
			t.Errorf("labour-run.service: %s is %q, want %q", name, got, want)
		}
	}
}
