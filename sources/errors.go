package sources

import "errors"

// ErrDamaged says that an archived object does not have the SHA-256 under
// which it was filed: it was truncated or changed on disk.
var ErrDamaged = errors.New("archived object is damaged")

// ErrNotFound says that no object is filed under that SHA-256.
var ErrNotFound = errors.New("archived object is missing")
