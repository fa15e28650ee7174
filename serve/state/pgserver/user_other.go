//go:build !unix

package pgserver

import "syscall"

// unprivileged: without Unix there is no root whom the server would refuse.
func unprivileged(string) (*syscall.SysProcAttr, error) { return nil, nil }
