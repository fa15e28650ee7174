package main

import (
	"errors"
	"os"
	"strings"
	"testing"

	"labour/cmd/internal/cli"
)

// printingCalls are calls that end with status 0 where they can print.
var printingCalls = []string{
	"fetch --as-of 2026-11-21", "build", "run --as-of 2026-11-21", "run --json --as-of 2026-11-21",
	"check 2026-11-20.1", "promote 2026-11-20.1", "build --from-archive 2026-11-20.1",
	"report", "report --json", "snapshot list", "snapshot show 2026-11-20.1", "snapshot report",
	"snapshot diff 2026-11-20.1 bucket/2026-11-20.1", "snapshot diff 2026-11-20.1 bucket/2026-11-20.1 --json",
	"snapshot trace 2026-11-20.1 --table people", "snapshot keygen --key new.key", "snapshot prune --dry-run",
	"snapshot publish --to file://DIR/bucket", "snapshot pull --from file://DIR/bucket",
	"source list", "source check", "dataset list", "dataset open reach --evidence https://council.example/7 --by a",
	"dataset close reach --by a", "people withdraw --by a --reason b", "coding report", "coding try Nurse",
	"key create --partner Example", "key list", "partner list", "partner create Third", "partner invite Fourth",
	"state backup new.db", "state copy --to new2.db", "init site", "feed check feed",
}

// fullDisk is an output that takes nothing.
type fullDisk struct{}

var errFull = errors.New("no space left on device")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

// TestOutputThatCannotBeWrittenIsAFailure calls the commands that print with an output that takes
// nothing, as a full disk does. A script must not take what is missing for an empty answer.
func TestOutputThatCannotBeWrittenIsAFailure(t *testing.T) {
	t.Chdir(wholeSite(t))
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range printingCalls {
		var said shared
		status := here(fullDisk{}, &said, func(string) (string, bool) { return "", false },
			strings.Fields(strings.ReplaceAll(call, "DIR", dir)))
		text := said.String()
		if status != cli.ExitFailed || !strings.Contains(text, errFull.Error()) ||
			!strings.Contains(text, "free some space") {
			t.Errorf("labour %s ended with status %d: %s", call, status, text)
		}
	}
}

// fullAtTheEnd is an output that takes everything but the last paragraph of a light run.
type fullAtTheEnd struct{}

func (fullAtTheEnd) Write(b []byte) (int, error) {
	if strings.Contains(string(b), "This was a light run.") {
		return 0, errFull
	}
	return len(b), nil
}

// TestLastParagraphThatCannotBeWrittenIsAFailure: a report that is cut off is one.
func TestLastParagraphThatCannotBeWrittenIsAFailure(t *testing.T) {
	t.Chdir(wholeSite(t))
	var said shared
	status := here(fullAtTheEnd{}, &said, func(string) (string, bool) { return "", false },
		[]string{"run", "--only", "platform"})
	if text := said.String(); status != cli.ExitFailed || !strings.Contains(text, errFull.Error()) {
		t.Errorf("the light run ended with status %d: %s", status, text)
	}
}
