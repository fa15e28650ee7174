package api

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"labour/snapshots/periods"
)

// TestWindowsOfQueries: the tags of the parameter window have the windows for which adverts are counted.
func TestWindowsOfQueries(t *testing.T) {
	field, _ := reflect.TypeFor[SkillsUnmetQuery]().FieldByName("Window")
	var windows []string
	for _, months := range periods.Windows() {
		windows = append(windows, strconv.Itoa(months))
	}
	if got, want := field.Tag.Get("enum"), strings.Join(windows, ","); got != want {
		t.Errorf("a query can have the windows %s, want %s", got, want)
	}
	if got := field.Tag.Get("default"); got != strconv.Itoa(DefaultWindow) {
		t.Errorf("the default is %s, want %d", got, DefaultWindow)
	}
}
