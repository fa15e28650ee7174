package cmd_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// forPartners is the folder of the packages that only partners' programs use. They are not for tests.
const forPartners = "labour/serve/clients/go"

// TestTestSupportIsNamedAndNotShipped: a package that no program needs is for tests, and
// its name ends in test; no program needs one of that name.
func TestTestSupportIsNamedAndNotShipped(t *testing.T) {
	imports, mains := map[string][]string{}, []string{}
	for _, f := range goFiles(t) {
		if f.test {
			continue
		}
		imports[f.pkg] = append(imports[f.pkg], f.imports...)
		if slices.ContainsFunc(f.functions, func(fn function) bool { return fn.name == "main" }) {
			mains = append(mains, f.pkg)
		}
	}
	shipped := map[string]bool{}
	var ship func(pkg string)
	ship = func(pkg string) {
		if !shipped[pkg] {
			shipped[pkg] = true
			for _, i := range imports[pkg] {
				ship(i)
			}
		}
	}
	for _, pkg := range mains {
		ship(pkg)
	}
	if len(mains) == 0 {
		t.Fatal("there is no program")
	}
	for pkg := range imports {
		if under(pkg, forPartners) {
			continue
		}
		if forTests := strings.HasSuffix(pkg, "test"); forTests == shipped[pkg] {
			t.Errorf("package %s: shipped %t; a package that only tests use ends in test, and no other does",
				pkg, shipped[pkg])
		}
	}
}

// TestLabourLinksNothingToMeasureOrTest: the program that is deployed links no launcher
// of PostgreSQL, nothing of labour-bench and no package for tests.
func TestLabourLinksNothingToMeasureOrTest(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "./labour").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, "labour/serve") {
		t.Fatalf("%d packages, and not the server", len(deps))
	}
	for _, pkg := range deps {
		if strings.Contains(pkg, "/huma/") {
			t.Errorf("labour links %s: only the test that makes the OpenAPI document needs it", pkg)
		}
		if strings.HasPrefix(pkg, "labour/") &&
			(strings.HasSuffix(pkg, "test") || strings.HasSuffix(pkg, "/pgserver") ||
				strings.HasSuffix(pkg, "/bench") || strings.Contains(pkg, "labour-bench")) {
			t.Errorf("labour links %s", pkg)
		}
	}
}
