// Package signature signs snapshots and verifies their signatures. It signs the file SHA256SUMS,
// which has the hash of every other file. Signatures are Ed25519 in the format of minisign, so that
// an auditor can check them with `minisign -Vm SHA256SUMS -p KEY`.
package signature

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"aead.dev/minisign"

	"labour/snapshots"
)

// ErrInvalidSignature is the error if a signature does not match the snapshot and the public key.
var ErrInvalidSignature = errors.New("the signature does not hold")

// maxFile is the largest permitted size, in bytes, of a key file or a signature file. Real files
// have a few hundred bytes.
const maxFile = 1 << 16

// GenerateKeyPair returns a new key pair, as the contents of its two files. random is the source of
// random bytes. If there is a password, the secret key is encrypted with scrypt; each use then
// needs about 1 GB of memory and some seconds. If password is empty, the secret key is in plain
// text.
func GenerateKeyPair(random io.Reader, password string) (secret, public []byte, err error) {
	publicKey, privateKey, err := minisign.GenerateKey(random)
	if err != nil {
		return nil, nil, fmt.Errorf("generate key: %w", err)
	}
	if password == "" {
		secret, err = privateKey.MarshalText()
	} else {
		secret, err = minisign.EncryptKey(password, privateKey)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("write secret key: %w", err)
	}
	if public, err = publicKey.MarshalText(); err != nil {
		return nil, nil, fmt.Errorf("write public key: %w", err)
	}
	return append(secret, '\n'), append(public, '\n'), nil
}

// Signer signs snapshots with a secret key.
type Signer struct{ key minisign.PrivateKey }

// ReadSigner reads a secret key from a file and returns a Signer that uses it. The password is
// ignored if the key is not encrypted.
func ReadSigner(file, password string) (*Signer, error) {
	text, err := readSmall(file)
	if err != nil {
		return nil, fmt.Errorf("secret key: %w", err)
	}
	var s Signer
	switch {
	case !minisign.IsEncrypted(text):
		err = s.key.UnmarshalText(text)
	case password == "":
		err = errors.New("it is encrypted and no password was given")
	default:
		s.key, err = minisign.DecryptKey(password, text)
	}
	if err != nil {
		return nil, fmt.Errorf("secret key %s: %w", file, err)
	}
	return &s, nil
}

// Sign signs sums, which is the content of SHA256SUMS. It returns the content of the signature
// file. Equal inputs give equal results.
func (s *Signer) Sign(id snapshots.ID, sums []byte) ([]byte, error) {
	r := minisign.NewReader(bytes.NewReader(sums))
	if _, err := io.Copy(io.Discard, r); err != nil {
		return nil, fmt.Errorf("sign %s: %w", id, err)
	}
	return r.SignWithComments(s.key, comment(id), "signature of a labour snapshot"), nil
}

// comment returns the trusted comment of a signature. It names the snapshot. Since the comment is
// signed too, the signature cannot be used for another snapshot.
func comment(id snapshots.ID) string {
	return fmt.Sprintf("snapshot:%s as_of:%s", id, snapshots.DateOf(id.Date()))
}

// Verifier verifies signatures of snapshots with a public key.
type Verifier struct{ key minisign.PublicKey }

// ReadVerifier reads a public key from a file and returns a Verifier that uses it.
func ReadVerifier(file string) (*Verifier, error) {
	text, err := readSmall(file)
	if err != nil {
		return nil, fmt.Errorf("public key: %w", err)
	}
	var v Verifier
	if err := v.key.UnmarshalText(text); err != nil {
		return nil, fmt.Errorf("public key %s: %w", file, err)
	}
	return &v, nil
}

// Verify returns nil if signature is a valid signature of sums for the snapshot id and the public
// key. sums is the content of SHA256SUMS. If the signature is not valid, the error wraps
// ErrInvalidSignature.
func (v *Verifier) Verify(id snapshots.ID, sums, signature []byte) error {
	var s minisign.Signature
	if err := s.UnmarshalText(signature); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalidSignature, err)
	}
	if s.KeyID != v.key.ID() {
		return fmt.Errorf("%w: it is of key %X, not of key %X", ErrInvalidSignature, s.KeyID, v.key.ID())
	}
	if !minisign.Verify(v.key, sums, signature) {
		return fmt.Errorf("%w: %s or the comment is not what key %X signed", ErrInvalidSignature, snapshots.SumsFileName,
			s.KeyID)
	}
	if s.TrustedComment != comment(id) {
		return fmt.Errorf("%w: it was made for %q, not for %q", ErrInvalidSignature, s.TrustedComment, comment(id))
	}
	return nil
}

func readSmall(file string) (b []byte, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(io.LimitReader(f, maxFile))
}
