package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"sync"
	"testing"

	"missiond/internal/mediafile/mediatest"
	"missiond/mission"
	"missiond/store"
)

// upload is a request that uploads a file.
type upload struct {
	form     bool
	boundary string
	// after reports that the texts come after the file.
	after       bool
	name        string
	contentType string
	data        []byte
	alt, about  string
	query       string
}

// sent returns the request's Content-Type and body.
func (u upload) sent(t testing.TB) (contentType string, body []byte) {
	t.Helper()
	if !u.form {
		return u.contentType, u.data
	}
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if u.boundary != "" {
		must(form.SetBoundary(u.boundary))
	}
	texts := func() {
		if u.alt != "" {
			must(form.WriteField("alt_text", u.alt))
		}
		if u.about != "" {
			must(form.WriteField("description", u.about))
		}
	}
	if !u.after {
		texts()
	}
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {fmt.Sprintf(`form-data; name="file"; filename=%q`, u.name)}, "Content-Type": {u.contentType},
	})
	must(err)
	_, err = part.Write(u.data)
	must(err)
	if u.after {
		texts()
	}
	must(form.Close())
	return form.FormDataContentType(), b.Bytes()
}

// uploaded sends an upload with a key.
func (s *harness) uploaded(key string, u upload) (status int, text string, replayed bool) {
	s.t.Helper()
	contentType, body := u.sent(s.t)
	return s.keyedAs(contentType, key, http.MethodPost, "/v1/media"+u.query, body)
}

// whole and begun are the statuses of files that have arrived, and of those that haven't.
var (
	whole = mission.ShownMediaStatuses()
	begun = append(mission.ShownMediaStatuses(), mission.MediaUploading)
)

// storedFiles returns how many files the caller's tenant has in one of the statuses, and the bytes that count.
func (s *harness) storedFiles(in []mission.MediaStatus) (files int, used int64) {
	s.t.Helper()
	tenant := s.principal().TenantID
	for _, status := range in {
		page, err := s.DB.ListMedia(s.t.Context(), tenant, store.MediaFilter{Status: status}, store.Page{Limit: 100})
		s.must(err)
		files += len(page.List)
	}
	used, err := s.DB.MediaBytes(s.t.Context(), tenant)
	s.must(err)
	return files, used
}

// A key is bound to the file and to what is said of it, however they are sent.
func TestKeysOfUploads(t *testing.T) {
	t.Parallel()
	red, blue := mediatest.PNG(20, 20), mediatest.PNG(30, 10)
	raw := upload{contentType: mission.TypePNG, data: red}
	form := upload{form: true, name: "a.png", contentType: mission.TypePNG, data: red, alt: "A red door", about: "Red"}
	with := func(u upload, change func(u *upload)) upload { change(&u); return u }
	cases := []struct {
		name          string
		first, second upload
		same          bool
	}{
		{"the same bytes", raw, raw, true},
		{"another picture", raw, with(raw, func(u *upload) { u.data = blue }), false},
		{"another type", raw, with(raw, func(u *upload) { u.contentType = mission.TypeJPEG }), false},
		{"half of it", raw, with(raw, func(u *upload) { u.data = red[:len(red)/2] }), false},
		{"nothing", raw, with(raw, func(u *upload) { u.data = nil }), false},
		{"more than may be", raw, with(raw, func(u *upload) { u.data = make([]byte, mission.MaxPictureBytes+2) }), false},
		{"a form of the same", raw, with(form, func(u *upload) { u.alt, u.about = "", "" }), true},
		{"a form with a text", raw, form, false},
		{"the same form", form, form, true},
		{"another boundary", form, with(form, func(u *upload) { u.boundary = "another" }), true},
		{"the texts behind", form, with(form, func(u *upload) { u.after = true }), true},
		{"another name", form, with(form, func(u *upload) { u.name = "b.png" }), true},
		{"another picture in a form", form, with(form, func(u *upload) { u.data = blue }), false},
		{"another type in a form", form, with(form, func(u *upload) { u.contentType = "text/html" }), false},
		{"another text", form, with(form, func(u *upload) { u.alt = "A blue door" }), false},
		{"another text behind", form, with(form, func(u *upload) { u.after, u.alt = true, "A blue door" }), false},
		{"no text", form, with(form, func(u *upload) { u.alt = "" }), false},
		{"texts that change places", form, with(form, func(u *upload) { u.alt, u.about = u.about, u.alt }), false},
	}
	eachStage(t, func(t *testing.T, s *harness) {
		s.key = s.keys["ours"]
		for i, c := range cases {
			key := fmt.Sprint("upload-", i)
			status, first, replayed := s.uploaded(key, c.first)
			if status != http.StatusCreated || replayed {
				t.Fatalf("%s: got %d %s", c.name, status, first)
			}
			files, used := s.storedFiles(begun)
			again, second, replayed := s.uploaded(key, c.second)
			switch {
			case c.same && (again != status || second != first || !replayed):
				t.Errorf("%s: got %d %s, want %s again", c.name, again, second, first)
			case !c.same && (again != http.StatusConflict || !strings.Contains(second, `"param":"Idempotency-Key"`) || replayed):
				t.Errorf("%s: got %d %s", c.name, again, second)
			}
			if n, bytes := s.storedFiles(begun); n != files || bytes != used {
				t.Errorf("%s: %d files of %d bytes, before %d of %d", c.name, n, bytes, files, used)
			}
			if again, third, replayed := s.uploaded(key, c.first); again != status || third != first || !replayed {
				t.Errorf("%s: the first once more is %d %s", c.name, again, third)
			}
			s.key = s.keys["theirs"]
			if status, theirs, replayed := s.uploaded(key, c.first); status != http.StatusCreated || replayed || theirs == first {
				t.Errorf("%s: another tenant got %d %s", c.name, status, theirs)
			}
			s.key = s.keys["ours"]
		}
	})
}

// What is refused before all of a file has arrived binds nothing: the key is free.
func TestRefusedUploadsBindNoKey(t *testing.T) {
	t.Parallel()
	eachStage(t, func(t *testing.T, s *harness) {
		s.key = s.keys["ours"]
		data := mediatest.PNG(20, 20)
		for i, bad := range []upload{
			{contentType: mission.TypePNG},
			{contentType: mission.TypePNG, data: make([]byte, mission.MaxPictureBytes+1)},
			{form: true, contentType: "text/html", data: data},
			{form: true, contentType: mission.TypePNG, data: data, alt: strings.Repeat("a", mission.MaxAltText+1)},
		} {
			key := fmt.Sprint("refused-", i)
			if status, text, _ := s.uploaded(key, bad); status < 400 || status >= 500 {
				t.Fatalf("%d: got %d %s", i, status, text)
			}
			if status, text, replayed := s.uploaded(key, upload{contentType: mission.TypePNG, data: data}); status != http.StatusCreated || replayed {
				t.Errorf("%d: the right one is %d %s", i, status, text)
			}
		}
		// One that is refused when all has arrived is repeated, and to the same alone.
		late := upload{form: true, after: true, contentType: mission.TypePNG, data: data, alt: strings.Repeat("a", mission.MaxAltText+1)}
		status, text, _ := s.uploaded("late", late)
		if again, second, replayed := s.uploaded("late", late); status != http.StatusBadRequest || again != status || second != text || !replayed {
			t.Errorf("got %d %s, then %d %s", status, text, again, second)
		}
		late.alt = "short"
		if status, text, _ := s.uploaded("late", late); status != http.StatusConflict {
			t.Errorf("another text is %d %s", status, text)
		}
		if n, _ := s.storedFiles(begun); n != 4 {
			t.Errorf("%d files are there", n)
		}
	})
}

// Of uploads of two pictures with one key at once one picture is stored; who sent it gets it, the others a conflict.
func TestUploadsAtOnceWithOneKey(t *testing.T) {
	t.Parallel()
	pictures := [][]byte{mediatest.PNG(20, 20), mediatest.PNG(30, 10)}
	eachStage(t, func(t *testing.T, s *harness) {
		s.key = s.keys["ours"]
		for round := range 3 {
			var all sync.WaitGroup
			statuses, texts := make([]int, 4), make([]string, 4)
			for i := range statuses {
				all.Go(func() {
					statuses[i], texts[i], _ = s.uploaded(fmt.Sprint("once-", round), upload{contentType: mission.TypePNG, data: pictures[i%2]})
				})
			}
			all.Wait()
			won := 0
			if statuses[1] == http.StatusCreated {
				won = 1
			}
			for i, status := range statuses {
				if want := map[bool]int{true: http.StatusCreated, false: http.StatusConflict}[i%2 == won]; status != want || i%2 == won && texts[i] != texts[won] {
					t.Errorf("picture %d of %d: got %d %s", i%2, won, status, texts[i])
				}
			}
			if n, _ := s.storedFiles(begun); n != round+1 {
				t.Errorf("%d files are there after round %d", n, round)
			}
		}
	})
}

// After a crash before any statement of an upload, the same upload stores one file, and another picture is a
// conflict once the first is stored.
func TestUploadsThatCrash(t *testing.T) {
	t.Parallel()
	eachStage(t, func(t *testing.T, s *harness) {
		s.key = s.keys["ours"]
		one := upload{form: true, contentType: mission.TypePNG, data: mediatest.PNG(20, 20), alt: "A red door"}
		other := upload{contentType: mission.TypePNG, data: mediatest.PNG(30, 10)}
		send := func(s *harness, key string) (int, string, bool) { return s.uploaded(key, one) }
		conflicts := 0
		for n := int64(1); ; n++ {
			key := fmt.Sprint("crash-", n)
			files, _ := s.storedFiles(whole)
			crashed := s.crash(n, key, send)
			if made, _ := s.storedFiles(whole); made == files+1 {
				if status, text, _ := s.uploaded(key, other); status != http.StatusConflict {
					t.Errorf("statement %d: another picture is %d %s", n, status, text)
				}
				conflicts++
			}
			status, text, _ := s.uploaded(key, one)
			var m struct{ ID string }
			if err := json.Unmarshal([]byte(text), &m); status != http.StatusCreated || err != nil || m.ID == "" {
				t.Fatalf("statement %d: the retry is %d %s", n, status, text)
			}
			if made, _ := s.storedFiles(whole); made != files+1 {
				t.Errorf("statement %d: %d files instead of %d", n, made, files+1)
			}
			if again, second, replayed := s.uploaded(key, one); again != status || second != text || !replayed {
				t.Errorf("statement %d: the retries are %s, then %d %s", n, text, again, second)
			}
			if !crashed {
				break
			}
		}
		if conflicts < 2 {
			t.Errorf("another picture was tried %d times", conflicts)
		}
	})
}

// The same bytes of an import are another request in another character set.
func TestKeysOfImports(t *testing.T) {
	t.Parallel()
	eachStage(t, func(t *testing.T, s *harness) {
		s.key = s.keys["ours"]
		id := s.make(restAPI{s}, map[string]any{"start_immediately": true, "platforms": []any{"linkedin"}, "duration_days": 100})
		rows := []byte("platform,text\nlinkedin,Grün\n")
		path := "/v1/content/import?mission_id=" + id
		status, first, _ := s.keyedAs("text/csv; charset=iso-8859-1", "import", http.MethodPost, path, rows)
		if status != http.StatusOK && status != http.StatusCreated {
			t.Fatalf("got %d %s", status, first)
		}
		if again, second, replayed := s.keyedAs("text/csv;charset=ISO-8859-1", "import", http.MethodPost, path, rows); again != status || second != first || !replayed {
			t.Errorf("again it is %d %s", again, second)
		}
		for _, other := range []string{"text/csv", "text/csv; charset=utf-8", "text/tab-separated-values; charset=iso-8859-1"} {
			if status, text, _ := s.keyedAs(other, "import", http.MethodPost, path, rows); status != http.StatusConflict || !strings.Contains(text, "Idempotency-Key") {
				t.Errorf("%s: got %d %s", other, status, text)
			}
		}
	})
}
