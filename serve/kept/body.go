package kept

// maxBody is the largest answer that is kept as it is sent, in bytes.
const maxBody = 128 << 10

// body is an answer as it is sent, without the moment in it.
type body struct{ before, after []byte }

// Body is the kept answer of an entity tag, which is made of all that the answer
// depends on but the moment when it was built; generated is that moment, as it is
// written. The second result is false when none is kept.
func (a *Answers) Body(tag string, generated []byte) ([]byte, bool) {
	known, ok := a.cache.Get("body " + tag)
	if !ok {
		return nil, false
	}
	b := known.(body)
	whole := make([]byte, 0, len(b.before)+len(generated)+len(b.after))
	return append(append(append(whole, b.before...), generated...), b.after...), true
}

// KeepBody keeps an answer; at and end are where the moment stands in it.
func (a *Answers) KeepBody(tag string, whole []byte, at, end int) {
	if len(whole) <= maxBody {
		a.cache.Add("body "+tag, body{append([]byte(nil), whole[:at]...), append([]byte(nil), whole[end:]...)})
	}
}
