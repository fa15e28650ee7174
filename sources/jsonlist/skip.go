package jsonlist

import (
	"encoding/binary"
	"math/bits"
)

// deepest is how many lists and objects may stand in each other.
const deepest = 10_000

// skip is the end of the JSON value that begins at i of b, behind white space, within
// so many lists and objects; -1 when none does, or when it breaks off. It takes what a
// decoder of JSON takes, and no more; a fuzz test compares them.
func skip(b []byte, i, depth int) int {
	if i = space(b, i); i >= len(b) {
		return -1
	}
	switch c := b[i]; {
	case c == '"':
		return skipString(b, i)
	case (c == '{' || c == '[') && depth < deepest:
		return skipAll(b, i, depth+1)
	case c == '-' || c >= '0' && c <= '9':
		return skipNumber(b, i)
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if len(b)-i >= len(word) && string(b[i:i+len(word)]) == word {
			return i + len(word)
		}
	}
	return -1
}

// skipAll is the end of the list or object that begins at i, the depth-th of them.
func skipAll(b []byte, i, depth int) int {
	object, end := b[i] == '{', b[i]+2 // ] and } are two behind [ and {
	if i = space(b, i+1); i < len(b) && b[i] == end {
		return i + 1
	}
	for {
		if object {
			if i = name(b, i); i < 0 {
				return -1
			}
		}
		if i = skip(b, i, depth); i < 0 {
			return -1
		}
		if i = space(b, i); i >= len(b) || b[i] != ',' && b[i] != end {
			return -1
		}
		if i++; b[i-1] == end {
			return i
		}
	}
}

// name is where the colon behind the member name ends that begins at i; -1 for none.
func name(b []byte, i int) int {
	if i = space(b, i); i >= len(b) || b[i] != '"' {
		return -1
	}
	if i = skipString(b, i); i < 0 {
		return -1
	}
	if i = space(b, i); i >= len(b) || b[i] != ':' {
		return -1
	}
	return i + 1
}

func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// skipString is the end of the string whose first quotation mark is at i.
func skipString(b []byte, i int) int {
	for i++; ; {
		if i = plain(b, i); i >= len(b) || b[i] < ' ' {
			return -1
		}
		if b[i] == '"' {
			return i + 1
		}
		if i+1 == len(b) { // a backslash
			return -1
		}
		switch b[i+1] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			i += 2
		case 'u':
			if i+6 > len(b) || !hex(b[i+2]) || !hex(b[i+3]) || !hex(b[i+4]) || !hex(b[i+5]) {
				return -1
			}
			i += 6
		default:
			return -1
		}
	}
}

// plain is the next place from i on of a quotation mark, a backslash or a control
// character. It looks at eight bytes at a time: a byte is one of them when, after it
// was made 0 for what is looked for, subtracting borrows from its highest bit. The
// lowest that is marked is right; higher ones may be marked by its borrow.
func plain(b []byte, i int) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		quote, back := x^(ones*'"'), x^(ones*'\\')
		if found := ((quote-ones)&^quote | (back-ones)&^back | (x-ones*' ')&^x) & high; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= ' ' {
		i++
	}
	return i
}

func hex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

// skipNumber is the end of the number that begins at i.
func skipNumber(b []byte, i int) int {
	if b[i] == '-' {
		i++
	}
	end := digits(b, i)
	if end == i {
		return -1
	}
	if b[i] == '0' { // no digit comes behind it
		end = i + 1
	}
	if i = end; i < len(b) && b[i] == '.' {
		if end = digits(b, i+1); end == i+1 {
			return -1
		}
		i = end
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if end = digits(b, i); end == i {
			return -1
		}
		i = end
	}
	return i
}

func digits(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}
