package signature_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"labour/snapshots/filestest"
	"labour/snapshots/signature"
)

// failing is a source of chance that has none.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestErrorsOfKeysNameTheFile, and what is wrong with it.
func TestErrorsOfKeysNameTheFile(t *testing.T) {
	_, _, file := pair(t)
	dir := t.TempDir()
	bad, locked := dir+"/bad", dir+"/locked"
	if err := errors.Join(os.WriteFile(bad, []byte("no key"), 0o600), os.WriteFile(locked, []byte(encrypted),
		0o600)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{bad: "secret key " + bad + ": ", dir + "/none": "secret key: open ",
		locked: "secret key " + locked + ": it is encrypted and no password was given"} {
		if s, err := signature.ReadSigner(path, ""); s != nil || err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for path, want := range map[string]string{bad: "public key " + bad + ": ", dir + "/none": "public key: open "} {
		if v, err := signature.ReadVerifier(path); v != nil || err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := signature.ReadSigner(file, "not needed"); err != nil {
		t.Errorf("a password of a key that has none: %v", err)
	}
	chance := errors.New("no chance")
	if s, p, err := signature.GenerateKeyPair(failing{chance}, ""); s != nil || p != nil || !errors.Is(err, chance) {
		t.Errorf("a key without chance: %v", err)
	}
}

// TestSignatureNamesItsSnapshot, and what is refused says why.
func TestSignatureNamesItsSnapshot(t *testing.T) {
	signer, verifier, _ := pair(t)
	_, stranger, _ := pair(t)
	signed, err := signer.Sign(id, []byte("sums"))
	if err != nil || !strings.Contains(string(signed), "trusted comment: snapshot:2026-11-20.1 as_of:2026-11-20\n") {
		t.Fatalf("%s, %v", signed, err)
	}
	if again, err := signer.Sign(id, []byte("sums")); err != nil || string(again) != string(signed) {
		t.Errorf("signed again it is %s, %v", again, err)
	}
	for want, err := range map[string]error{
		"it is of key ":                         stranger.Verify(id, []byte("sums"), signed),
		"SHA256SUMS or the comment is not what": verifier.Verify(id, []byte("other"), signed),
		`it was made for "snapshot:2026-11-20.1 as_of:2026-11-20", not for "snapshot:2026-11-20.2`: verifier.Verify(
			"2026-11-20.2", []byte("sums"), signed),
	} {
		if !errors.Is(err, signature.ErrInvalidSignature) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestKeyFilesAreClosed, and no more of a file is read than a key can have.
func TestKeyFilesAreClosed(t *testing.T) {
	_, _, file := pair(t)
	filestest.CheckFilesClosed(t, map[string]func() error{
		"read": func() error { _, err := signature.ReadSigner(file, ""); return err }})
}
