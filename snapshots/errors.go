package snapshots

import "fmt"

// WrapError adds a description of an operation to the error *err, unless *err is nil. format and
// args give the description, as in fmt.Sprintf. Use it with defer. The server's state database has a
// function of its own, because it knows nothing of snapshots.
func WrapError(err *error, format string, args ...any) {
	if *err != nil {
		*err = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), *err)
	}
}
