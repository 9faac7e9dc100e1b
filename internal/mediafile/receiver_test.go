package mediafile_test

import (
	"slices"
	"strings"
	"testing"

	"missiond/internal/mediafile"
)

// A child that was taken over can say what it likes.
func TestChildIsNotBelieved(t *testing.T) {
	frame := mediafile.Frame
	const result = `{"Kind":"image","ContentType":"image/jpeg","Width":1,"Height":1,"Made":[{"Names":["plain"],"ContentType":"image/jpeg","Width":1,"Height":1}]}`
	begin, data := frame('b', "plain"), frame('d', "x")
	for name, c := range map[string]struct {
		said [][]byte
		want string // "" is what is accepted
	}{
		"what is right":          {[][]byte{begin, data, frame('r', result)}, ""},
		"a refusal":              {[][]byte{frame('x', `{"Code":"damaged","Message":"so"}`)}, "so"},
		"nothing":                {nil, "EOF"},
		"half a frame":           {[][]byte{begin[:3]}, "EOF"},
		"a frame of 4 GB":        {[][]byte{[]byte("d\xff\xff\xff\xff")}, "4294967295 bytes"},
		"an unknown kind":        {[][]byte{frame('?', "")}, "kind 63"},
		"data of nothing":        {[][]byte{data}, "no output"},
		"another name":           {[][]byte{frame('b', "../../etc/passwd")}, "wasn't asked for"},
		"a name twice":           {[][]byte{begin, data, begin}, "wasn't asked for"},
		"data without an end":    {[][]byte{begin, slices.Concat(slices.Repeat([][]byte{frame('d', strings.Repeat("x", 60_000))}, 3)...)}, "more than"},
		"no JSON":                {[][]byte{frame('r', "{")}, "frame that isn't allowed"},
		"a result of 100 KB":     {[][]byte{frame('r', `{"Hash":"`+strings.Repeat("x", 100_000)+`"}`)}, "a last one"},
		"another type":           {[][]byte{begin, data, frame('r', strings.ReplaceAll(result, "image/jpeg", "text/html"))}, "text/html"},
		"no size":                {[][]byte{begin, data, frame('r', strings.Replace(result, `"Width":1`, `"Width":-1`, 1))}, "-1"},
		"more than was written":  {[][]byte{frame('r', result)}, "1 files made, 0 written"},
		"fewer than were wanted": {[][]byte{frame('r', `{"Kind":"image","ContentType":"image/jpeg","Width":1,"Height":1}`)}, "0 names, want 1"},
		"the file once more":     {[][]byte{frame('a', ""), begin, data, frame('r', result)}, ""},
		"the file twice more":    {[][]byte{frame('a', ""), frame('a', "")}, "once more"},
		"the file too late":      {[][]byte{begin, frame('a', "")}, "once more"},
		"a picture as a video":   {[][]byte{begin, data, frame('r', strings.Replace(result, `"image"`, `"video"`, 1))}, "isn't allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			err := mediafile.Receive(slices.Concat(c.said...), files{}.sink, plain)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
