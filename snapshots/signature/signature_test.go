package signature_test

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"labour/snapshots"
	"labour/snapshots/signature"
)

const id snapshots.ID = "2026-11-20.1"

// pair writes a new key pair and reads it again.
func pair(t *testing.T) (*signature.Signer, *signature.Verifier, string) {
	t.Helper()
	secret, public, err := signature.GenerateKeyPair(rand.Reader, "")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "key")
	for name, text := range map[string][]byte{file: secret, file + ".pub": public} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	signer, err := signature.ReadSigner(file, "")
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := signature.ReadVerifier(file + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	return signer, verifier, file
}

func TestOnlyWhatWasSignedHolds(t *testing.T) {
	signer, verifier, _ := pair(t)
	_, stranger, _ := pair(t)
	rapid.Check(t, func(t *rapid.T) {
		sums := rapid.SliceOfN(rapid.Byte(), 1, 300).Draw(t, "sums")
		signed, err := signer.Sign(id, sums)
		if err != nil {
			t.Fatal(err)
		}
		if err := verifier.Verify(id, sums, signed); err != nil {
			t.Fatal(err)
		}
		changed := append([]byte(nil), sums...)
		changed[rapid.IntRange(0, len(sums)-1).Draw(t, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		for what, err := range map[string]error{
			"other content":  verifier.Verify(id, changed, signed),
			"other snapshot": verifier.Verify("2026-11-20.2", sums, signed),
			"other key":      stranger.Verify(id, sums, signed),
			"other comment": verifier.Verify("2026-11-21.1", sums,
				[]byte(strings.ReplaceAll(string(signed), "2026-11-20", "2026-11-21"))),
			"no signature":    verifier.Verify(id, sums, nil),
			"cut signature":   verifier.Verify(id, sums, signed[:len(signed)/2]),
			"strange content": verifier.Verify(id, sums, sums),
		} {
			if !errors.Is(err, signature.ErrInvalidSignature) {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}

// encrypted is a key for tests alone, under the password "correct horse". It was
// encrypted at the least cost, which is in the file; Generate takes the full one.
const encrypted = `untrusted comment: minisign encrypted secret key
RWRTY0IyBaY3928SwN4ga7YEC4ExSUmcgGnIRUb8LtzrUhdrCwwAgAAAAAAAAAAAAAEAAAAApbq71kWE1K+eOnLdPqIxI4dZEZ79fctICvaWPwhnX+SZlQwhE9grBjmqb7IB6saRMYxT26+nYvs7+pNelltwzCHcF/DVJib3fKeNzSRAGajXAr3NDX73HVGQ2jyGk39Qlo2O/Po8GkU=
`

const encryptedPublic = `untrusted comment: minisign public key: 747C68345A647E19
RWQZfmRaNGh8dCXEaTe8wYjaRPtYtbkKt5smkw7zMyWV++TiIn3WcicO
`

func TestEncryptedKeyNeedsItsPassword(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	for name, text := range map[string]string{file: encrypted, file + ".pub": encryptedPublic} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, wrong := range []string{"", "battery staple"} {
		if _, err := signature.ReadSigner(file, wrong); err == nil {
			t.Errorf("password %q opened the key", wrong)
		}
	}
	signer, err := signature.ReadSigner(file, "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := signature.ReadVerifier(file + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	signed, err := signer.Sign(id, []byte("sums"))
	if err != nil {
		t.Fatal(err)
	}
	if err := verifier.Verify(id, []byte("sums"), signed); err != nil {
		t.Error(err)
	}
}

func TestStrangeFilesAreNoKeys(t *testing.T) {
	_, _, file := pair(t)
	strange := filepath.Join(t.TempDir(), "strange")
	if err := os.WriteFile(strange, []byte("not a key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{strange, file + ".pub", strange + ".missing"} {
		if _, err := signature.ReadSigner(name, ""); err == nil {
			t.Errorf("%s was read as a secret key", name)
		}
	}
	for _, name := range []string{strange, file, strange + ".missing"} {
		if _, err := signature.ReadVerifier(name); err == nil {
			t.Errorf("%s was read as a public key", name)
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte("untrusted comment: x\nRUQ=\ntrusted comment: y\nRUQ=\n"))
	f.Fuzz(func(t *testing.T, signed []byte) {
		_, public, err := signature.GenerateKeyPair(rand.Reader, "")
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "key.pub")
		if err := os.WriteFile(file, public, 0o600); err != nil {
			t.Fatal(err)
		}
		v, err := signature.ReadVerifier(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Verify(id, []byte("sums"), signed); !errors.Is(err, signature.ErrInvalidSignature) {
			t.Errorf("%q holds: %v", signed, err)
		}
	})
}
