package platform

import (
	"math/bits"
	"strings"

	"github.com/go-faster/jx"
)

// scanner walks over one line. What nearly every line is made of (names in order,
// strings with short escapes at most, small numbers) it reads itself; everything else
// it hands to a decoder of JSON. A fuzz test holds both to what JSON is.
type scanner struct {
	line string
	at   int
	// own says that a string that is kept must not keep the line in memory.
	own    bool
	copied bool   // the string that was read last is no part of the line
	plain  []byte // of the last string with escapes
	raw    []byte // what the decoder was handed last
	d      jx.Decoder
}

// kind is the kind of a JSON value.
type kind uint8

const (
	isNothing kind = iota // no value begins so
	isString
	isNumber
	isBool
	isNull
	isList
	isObject
)

// kinds has the kind of the value that begins with a byte.
var kinds = [256]kind{'"': isString, '{': isObject, '[': isList, 't': isBool, 'f': isBool, 'n': isNull,
	'-': isNumber, '0': isNumber, '1': isNumber, '2': isNumber, '3': isNumber, '4': isNumber,
	'5': isNumber, '6': isNumber, '7': isNumber, '8': isNumber, '9': isNumber}

// reset begins a line.
func (s *scanner) reset(line string) { s.line, s.at = line, 0 }

// peek passes white space over and gives the first byte behind it; 0 at the end.
func (s *scanner) peek() byte {
	for s.at < len(s.line) {
		c := s.line[s.at]
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c
		}
		s.at++
	}
	return 0
}

// atEnd says that nothing but white space is left of the line.
func (s *scanner) atEnd() bool { return s.peek() == 0 && s.at == len(s.line) }

// takes passes over what is expected next, if it is there to the byte.
func (s *scanner) takes(expected string) bool {
	if !strings.HasPrefix(s.line[s.at:], expected) {
		return false
	}
	s.at += len(expected)
	return true
}

// more says whether another element of a list or an object follows, and passes over
// the lead before it, which is the opening bracket or a comma, or over the end.
func (s *scanner) more(lead, end byte) (bool, error) {
	c := s.peek()
	if c == lead {
		s.at++
		if c = s.peek(); c != end || lead == ',' {
			return true, nil
		}
	}
	if c != end {
		return false, errSyntax
	}
	s.at++
	return false, nil
}

// name reads the name of a property and the colon.
func (s *scanner) name() (string, error) {
	if s.peek() != '"' {
		return "", errSyntax
	}
	name, err := s.quoted()
	if err != nil || s.peek() != ':' {
		return "", errSyntax
	}
	s.at++
	return name, nil
}

// shaped reads a string without white space before it and without escapes, of which
// end tells where what begins at a place ends. Where something else stands it reads
// nothing.
func (s *scanner) shaped(end func(text string, from int) int) (string, bool) {
	if s.at == len(s.line) || s.line[s.at] != '"' {
		return "", false
	}
	from := s.at + 1
	to := end(s.line, from)
	if to == len(s.line) || s.line[to] != '"' {
		return "", false
	}
	s.at, s.copied = to+1, false
	return s.line[from:to], true
}

// quoted reads a string. Use keep for one that outlives the line.
func (s *scanner) quoted() (string, error) {
	from := s.at + 1
	to := plainEnd(s.line, from)
	if to < len(s.line) && s.line[to] == '"' {
		s.at, s.copied = to+1, false
		return s.line[from:to], nil
	}
	return s.escaped(from, to)
}

// escaped reads a string with escapes that begins at from; to is the first byte that
// does not stand for itself.
func (s *scanner) escaped(from, to int) (string, error) {
	begin, known := from, true
	s.plain = s.plain[:0]
	for to+1 < len(s.line) && s.line[to] == '\\' {
		short := shortEscapes[s.line[to+1]]
		known = known && short != 0
		s.plain = append(append(s.plain, s.line[from:to]...), short)
		from = to + 2
		to = plainEnd(s.line, from)
	}
	if to >= len(s.line) || s.line[to] != '"' {
		return "", errSyntax
	}
	s.plain = append(s.plain, s.line[from:to]...)
	s.at, s.copied = to+1, true
	if known {
		return string(s.plain), nil
	}
	s.raw = append(s.raw[:0], s.line[begin-1:to+1]...)
	s.d.ResetBytes(s.raw)
	b, err := s.d.StrAppend(s.plain[:0])
	s.plain = b
	return string(b), err
}

// shortEscapes has what the byte behind a backslash stands for; 0 = more follows, or it
// is no escape.
var shortEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// plainEnd is where the bytes of a string that stand for themselves end. It looks at
// eight at once: in special the highest bit of the first byte that does not stand for
// itself is set, and none before it.
func plainEnd(text string, from int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; from+8 <= len(text); from += 8 {
		t := text[from : from+8]
		eight := uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
			uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
		quote, escape := eight^'"'*ones, eight^'\\'*ones
		special := ((eight-' '*ones)&^eight | (quote-ones)&^quote | (escape-ones)&^escape) & tops
		if special != 0 {
			return from + bits.TrailingZeros64(special)/8
		}
	}
	for from < len(text) && text[from] >= ' ' && text[from] != '"' && text[from] != '\\' {
		from++
	}
	return from
}

// keep makes the string that was read last one that may outlive the line.
func (s *scanner) keep(text string) string {
	if s.own && !s.copied {
		return strings.Clone(text)
	}
	return text
}

// digits reads a whole number that is written plainly with up to nine digits.
func (s *scanner) digits() (n int64, ok bool) {
	s.peek()
	i := s.at
	for ; i < len(s.line) && s.line[i] >= '0' && s.line[i] <= '9'; i++ {
		if i == s.at+9 {
			return 0, false
		}
		n = 10*n + int64(s.line[i]-'0')
	}
	if i == s.at || i == len(s.line) || s.line[s.at] == '0' && i > s.at+1 {
		return 0, false
	}
	switch s.line[i] {
	case ',', '}', ']', ' ':
		s.at = i
		return n, true
	}
	return 0, false
}

// skip passes over one value of any kind, and gives its bytes.
func (s *scanner) skip() ([]byte, error) {
	s.peek()
	s.raw = append(s.raw[:0], s.line[s.at:]...)
	s.d.ResetBytes(s.raw)
	raw, err := s.d.Raw()
	if err != nil {
		return nil, err
	}
	s.at += len(raw)
	return raw, nil
}
