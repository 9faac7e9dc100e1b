package discordtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"regexp"
	"strconv"
	"unicode/utf8"
)

// Limits of requests and files, in bytes.
const (
	maxRequest = 25 << 20
	maxFile    = 10 << 20
	maxFiles   = 10
	maxAltText = 1024
)

// request is the body of a request that posts.
type request struct {
	Content  string `json:"content"`
	Mentions *struct {
		Parse *[]string `json:"parse"`
	} `json:"allowed_mentions"`
	Nonce       *string `json:"nonce"`
	Enforced    *bool   `json:"enforce_nonce"`
	Attachments []struct {
		ID          string `json:"id"`
		Filename    string `json:"filename"`
		Description string `json:"description"`
	} `json:"attachments"`
}

// file is a file of a message.
type file struct {
	name, contentType, description string
	content                        []byte
}

var fileNames = regexp.MustCompile(`^files\[([0-9])\]$`)

// read reads what is posted, with its files in the order of their numbers; ok is false for a request
// that isn't as documented, which it refuses.
func (s *Stub) read(w http.ResponseWriter, r *http.Request) (body request, files []file, ok bool) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.ContentLength < 0 || r.ContentLength > maxRequest {
		Refuse(w, http.StatusRequestEntityTooLarge, 40005, "Request entity too large")
		return body, nil, false
	}
	var text []byte
	switch {
	case err == nil && kind == "application/json":
		if text, err = io.ReadAll(r.Body); err != nil {
			Refuse(w, http.StatusBadRequest, 50035, "Invalid Form Body")
			return body, nil, false
		}
	case err == nil && kind == "multipart/form-data":
		if text, files, ok = parts(w, multipart.NewReader(r.Body, params["boundary"])); !ok {
			return body, nil, false
		}
	default:
		Refuse(w, http.StatusBadRequest, 50035, "Invalid Form Body")
		return body, nil, false
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&body); err != nil {
		invalid(w, "payload_json", "CONTENT_TYPE_INVALID", err.Error())
		return body, nil, false
	}
	return body, files, s.takes(w, body, files)
}

// parts reads a form: its JSON first, then the files.
func parts(w http.ResponseWriter, form *multipart.Reader) (text []byte, files []file, ok bool) {
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) && text != nil {
			return text, files, true
		}
		if err != nil {
			Refuse(w, http.StatusBadRequest, 50035, "Invalid Form Body")
			return nil, nil, false
		}
		content, err := io.ReadAll(io.LimitReader(part, maxFile+1))
		number := fileNames.FindStringSubmatch(part.FormName())
		switch {
		case err != nil:
			Refuse(w, http.StatusBadRequest, 50035, "Invalid Form Body")
			return nil, nil, false
		case part.FormName() == "payload_json" && part.FileName() == "" && text == nil:
			text = content
		case number == nil || number[1] != strconv.Itoa(len(files)) || part.FileName() == "" || text == nil:
			invalid(w, part.FormName(), "UNKNOWN", "The stub takes no such part.")
			return nil, nil, false
		case len(content) > maxFile:
			Refuse(w, http.StatusRequestEntityTooLarge, 40005, "Request entity too large")
			return nil, nil, false
		default:
			files = append(files, file{name: part.FileName(), contentType: part.Header.Get("Content-Type"), content: content})
		}
	}
}

// takes reports whether what is posted is valid, and refuses it if not. It describes the files.
func (s *Stub) takes(w http.ResponseWriter, body request, files []file) bool {
	switch {
	case body.Mentions == nil || body.Mentions.Parse == nil || len(*body.Mentions.Parse) > 0:
		// Discord lets a message mention everybody then; nobody wants that here.
		invalid(w, "allowed_mentions.parse", "BASE_TYPE_REQUIRED", "This field is required")
	case utf8.RuneCountInString(body.Content) > maxContent:
		invalid(w, "content", "BASE_TYPE_MAX_LENGTH", "Must be 2000 or fewer in length.")
	case body.Content == "" && len(files) == 0:
		Refuse(w, http.StatusBadRequest, 50006, "Cannot send an empty message")
	case len(files) > maxFiles || len(body.Attachments) != len(files):
		invalid(w, "attachments", "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length, one for each file.")
	default:
		for i, a := range body.Attachments {
			if a.ID != strconv.Itoa(i) || a.Filename == "" || utf8.RuneCountInString(a.Description) > maxAltText {
				invalid(w, fmt.Sprintf("attachments.%d.description", i), "BASE_TYPE_MAX_LENGTH", "Must be 1024 or fewer in length.")
				return false
			}
			files[i].description = a.Description
		}
		return true
	}
	return false
}

// peek returns the JSON of a request's body, which can still be read.
func peek(r *http.Request) []byte {
	all, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(all), failing{err}))
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "multipart/form-data" {
		return all
	}
	part, err := multipart.NewReader(bytes.NewReader(all), params["boundary"]).NextPart()
	if err != nil || part.FormName() != "payload_json" {
		return nil
	}
	text, _ := io.ReadAll(part)
	return text
}

// failing fails as a body did, or ends.
type failing struct{ err error }

// Read implements [io.Reader].
func (f failing) Read([]byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return 0, io.EOF
}

// recorder records a response.
type recorder struct {
	http.ResponseWriter

	status int
	body   []byte
}

// WriteHeader implements [http.ResponseWriter].
func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (r *recorder) Write(b []byte) (int, error) {
	r.body = append(r.body, b...)
	return r.ResponseWriter.Write(b)
}
