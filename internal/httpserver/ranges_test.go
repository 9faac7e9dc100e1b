package httpserver

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

const fileTag = `"a1"`

func asking(method string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, "/", nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return r
}

func TestPartOf(t *testing.T) {
	const size = 100
	whole, none := Part{Length: size}, Part{}
	part := func(from, length int64) Part { return Part{from, length, true} }
	for header, want := range map[string]Part{
		"bytes=0-0": part(0, 1), "bytes=10-19": part(10, 10), "bytes=90-": part(90, 10), "bytes=99-500": part(99, 1), "bytes=-5": part(95, 5),
		"bytes=-500": part(0, 100), "BYTES=0-0": part(0, 1), "bytes= 0-0": part(0, 1), "bytes=,0-0,": part(0, 1), "bytes=007-8": part(7, 2),
		"bytes=0-" + strings.Repeat("9", 40): part(0, 100), "bytes=-" + strings.Repeat("9", 40): part(0, 100),

		"": whole, "items=0-1": whole, "bytes": whole, "bytes=": whole, "seconds=1-2,bytes=0-1": whole,
		"bytes=0-0,2-2": whole, "bytes=0-0,100-": whole, "bytes=" + strings.Repeat(" ", 300) + "0-0": whole,

		"bytes=-0": none, "bytes=100-": none, "bytes=100-200": none, "bytes=" + strings.Repeat("9", 40) + "-": none,
		"bytes=5-4": none, "bytes=-": none, "bytes=5": none, "bytes=a-5": none, "bytes=+5-6": none, "bytes=5-+6": none, "bytes=--5": none, "bytes=0-1-2": none,
	} {
		if got, ok := PartOf(asking("GET", "Range", header), fileTag, size); ok != (want != none) || ok && got != want {
			t.Errorf("%q: got %+v %v, want %+v", header, got, ok, want)
		}
	}
	for name, r := range map[string]*http.Request{
		"HEAD":              asking("HEAD", "Range", "bytes=0-0"),
		"two headers":       asking("GET", "Range", "bytes=0-0", "Range", "bytes=2-2"),
		"another state":     asking("GET", "Range", "bytes=0-0", "If-Range", `"b2"`),
		"a weak tag":        asking("GET", "Range", "bytes=0-0", "If-Range", "W/"+fileTag),
		"a time":            asking("GET", "Range", "bytes=0-0", "If-Range", "Sat, 28 Nov 2026 21:00:00 GMT"),
		"no range, any tag": asking("GET", "If-Range", fileTag),
	} {
		if got, ok := PartOf(r, fileTag, size); !ok || got != whole {
			t.Errorf("%s: got %+v %v", name, got, ok)
		}
	}
	if got, ok := PartOf(asking("GET", "Range", "bytes=3-", "If-Range", fileTag), fileTag, size); !ok || got != part(3, 97) {
		t.Errorf("the same state: got %+v %v", got, ok)
	}
}

// What is shown is within the file, and of one plain range what net/http shows.
func FuzzPartOf(f *testing.F) {
	for _, header := range []string{"bytes=0-0", "bytes=-5", "bytes=5-", "bytes=7-3", "bytes=0-0,2-2", "items=0-1", "bytes=-0", "bytes=99999999999999999999-"} {
		f.Add(header, uint8(20))
	}
	plain := regexp.MustCompile(`^bytes=(\d{1,18}-\d{0,18}|-[1-9]\d{0,17})$`)
	f.Fuzz(func(t *testing.T, header string, bytesOf uint8) {
		size := int64(bytesOf)
		r := asking("GET", "Range", header)
		p, ok := PartOf(r, fileTag, size)
		if ok && (p.Offset < 0 || p.Length < 0 || p.Offset+p.Length > size || p.Ranged && p.Length == 0) {
			t.Errorf("%q of %d bytes: got %+v", header, size, p)
		}
		if !plain.MatchString(header) || size == 0 {
			return
		}
		w := httptest.NewRecorder()
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(make([]byte, size)))
		if ok != (w.Code == http.StatusPartialContent) || ok && w.Header().Get("Content-Length") != strconv.FormatInt(p.Length, 10) {
			t.Errorf("%q of %d bytes: got %+v %v, net/http has a %d with %v", header, size, p, ok, w.Code, w.Header())
		}
	})
}
