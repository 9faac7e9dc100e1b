package telegramtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"missiond/internal/publisher/publishertest"
)

// Limits of messages, in characters, and of files, in bytes.
const (
	maxText    = 4096
	maxCaption = 1024
	maxPhoto   = 10_000_000
	maxFile    = 50_000_000
	leastAlbum = 2
	mostAlbum  = 10
)

// parameter is what a parameter must be in JSON.
type parameter func(value any) bool

func text(value any) bool  { _, ok := value.(string); return ok }
func whole(value any) bool { n, ok := value.(json.Number); return ok && isWhole(n) }
func chatID(value any) bool {
	name, ok := value.(string)
	return whole(value) || ok && (strings.HasPrefix(name, "@") || strings.HasPrefix(name, "-100"))
}

func isWhole(n json.Number) bool { _, err := n.Int64(); return err == nil }

// reply reports whether a value is the ReplyParameters of a message of the same chat.
func reply(value any) bool {
	of, ok := value.(map[string]any)
	return ok && len(of) == 1 && whole(of["message_id"])
}

// items reports whether a value are the pictures and videos of an album.
func items(value any) bool {
	list, ok := value.([]any)
	if !ok || len(list) < leastAlbum || len(list) > mostAlbum {
		return false
	}
	return !slices.ContainsFunc(list, func(item any) bool {
		of, ok := item.(map[string]any)
		known := map[string]parameter{"type": text, "media": text, "caption": text}
		if of["type"] == "video" {
			known["width"], known["height"], known["duration"] = whole, whole, whole
		}
		for name, value := range of {
			if known[name] == nil || !known[name](value) {
				return true
			}
		}
		return !ok || of["type"] != "photo" && of["type"] != "video"
	})
}

// method is what a method takes; file is the field of its file, required are what must be there.
type method struct {
	parameters map[string]parameter
	required   []string
	file       string
}

// of returns parameters with those of each message.
func of(parameters map[string]parameter) map[string]parameter {
	parameters["chat_id"], parameters["reply_parameters"] = chatID, reply
	return parameters
}

// methods are those that the adapter has a reason to call, with what it has a reason to send.
var methods = map[string]method{
	"getMe":              {},
	"getChat":            {map[string]parameter{"chat_id": chatID}, []string{"chat_id"}, ""},
	"getChatMember":      {map[string]parameter{"chat_id": chatID, "user_id": whole}, []string{"chat_id", "user_id"}, ""},
	"getChatMemberCount": {map[string]parameter{"chat_id": chatID}, []string{"chat_id"}, ""},
	"sendMessage":        {of(map[string]parameter{"text": text}), []string{"chat_id", "text"}, ""},
	"sendPhoto":          {of(map[string]parameter{"caption": text}), []string{"chat_id"}, "photo"},
	"sendAnimation":      {of(map[string]parameter{"caption": text}), []string{"chat_id"}, "animation"},
	"sendVideo": {
		of(map[string]parameter{"caption": text, "width": whole, "height": whole, "duration": whole}), []string{"chat_id"}, "video",
	},
	"sendMediaGroup": {of(map[string]parameter{"media": items}), []string{"chat_id", "media"}, "attached"},
}

// input is what a call has.
type input struct {
	parameters map[string]any
	files      map[string]publishertest.File
}

// parse reads a call's parameters; wrong is what is wrong with them, or "".
func parse(r *http.Request, m method) (in input, wrong string) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err != nil:
		return in, "the type of the body is missing"
	case kind == "application/json" && m.file == "":
		d := json.NewDecoder(r.Body)
		d.UseNumber()
		if d.Decode(&in.parameters) != nil || in.parameters == nil || d.More() {
			return in, "can't parse the JSON"
		}
	case kind == "multipart/form-data" && m.file != "" && params["boundary"] != "" && r.ContentLength > 0:
		if in, wrong = form(r, m); wrong != "" {
			return in, wrong
		}
	default:
		return in, "the body is " + kind
	}
	for name, value := range in.parameters {
		if check := m.parameters[name]; check == nil || !check(value) {
			return in, "the parameter " + name + " is wrong"
		}
	}
	for _, name := range m.required {
		if _, ok := in.parameters[name]; !ok {
			return in, "the parameter " + name + " is missing"
		}
	}
	return in, ""
}

// form reads a form with files.
func form(r *http.Request, m method) (in input, wrong string) {
	in = input{map[string]any{}, map[string]publishertest.File{}}
	body, err := r.MultipartReader()
	if err != nil {
		return in, "the body is no form"
	}
	for {
		part, err := body.NextPart()
		if errors.Is(err, io.EOF) {
			return in, ""
		}
		if err != nil {
			return in, "the form is cut"
		}
		content, err := io.ReadAll(io.LimitReader(part, maxFile+1))
		name := part.FormName()
		_, again := in.parameters[name]
		_, fileAgain := in.files[name]
		switch {
		case err != nil:
			return in, "the form is cut"
		case again || fileAgain || name == "":
			return in, "a field is there twice, or has no name"
		case part.FileName() != "":
			in.files[name] = publishertest.File{Type: part.Header.Get("Content-Type"), Size: int64(len(content)), Pieces: map[int][]byte{0: content}}
		default:
			in.parameters[name] = value(m.parameters[name], content)
		}
	}
}

// value returns a form's field as JSON would have it: texts are as they are, all else is encoded.
func value(check parameter, content []byte) any {
	if check != nil && check(string(content)) {
		return string(content)
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(content))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// post takes a message. The caller holds the lock.
func (s *Stub) post(w http.ResponseWriter, of string, in input) {
	if s.Status != "administrator" || !s.MayPost {
		if s.Status == "left" || s.Status == "kicked" {
			Refuse(w, http.StatusForbidden, "Forbidden: bot is not a member of the channel chat")
			return
		}
		bad(w, "need administrator rights in the channel chat")
		return
	}
	files, said, wrong := in.media(of)
	switch {
	case wrong != "":
		bad(w, wrong)
		return
	case of == "sendMessage" && strings.TrimSpace(said) == "":
		bad(w, "message text is empty")
		return
	case of == "sendMessage" && utf8.RuneCountInString(said) > maxText:
		bad(w, "message is too long")
		return
	case of != "sendMessage" && utf8.RuneCountInString(said) > maxCaption:
		bad(w, "message caption is too long")
		return
	}
	p := publishertest.Post{Text: said}
	if to, ok := in.parameters["reply_parameters"].(map[string]any); ok {
		p.Parent = fmt.Sprint(to["message_id"])
		if !slices.ContainsFunc(s.posts, func(o publishertest.Post) bool { return o.ID == p.Parent }) {
			bad(w, "message to be replied not found")
			return
		}
	}
	messages := make([]any, max(len(files), 1))
	for i := range messages {
		s.n++
		messages[i] = map[string]any{"message_id": s.n, "date": s.Now().Unix(), "chat": s.chat(), "sender_chat": s.chat()}
		if i == 0 {
			p.ID = strconv.FormatInt(s.n, 10)
		}
	}
	s.posts = append(s.posts, p)
	for i, f := range files {
		s.Put(p.ID+"/"+strconv.Itoa(i), f)
	}
	s.Attach(p.ID, files...)
	if of == "sendMediaGroup" {
		done(w, messages)
		return
	}
	done(w, messages[0])
}

// media returns a call's files, in order, and its text.
func (in input) media(of string) (files []publishertest.File, said, wrong string) {
	names := []string{methods[of].file}
	said, _ = in.parameters["caption"].(string)
	kinds := names
	switch of {
	case "sendMessage":
		said, _ = in.parameters["text"].(string)
		return nil, said, ""
	case "sendMediaGroup":
		names, kinds = nil, nil
		for i, item := range in.parameters["media"].([]any) {
			about := item.(map[string]any)
			name, attached := strings.CutPrefix(about["media"].(string), "attach://")
			if caption, ok := about["caption"].(string); ok && i == 0 {
				said = caption
			} else if ok || !attached {
				return nil, "", "an album has one caption, and files of its own"
			}
			names, kinds = append(names, name), append(kinds, about["type"].(string))
		}
	}
	for i, name := range names {
		f, ok := in.files[name]
		if !ok || len(in.files) != len(names) {
			return nil, "", "there is no " + kinds[i] + " in the request"
		}
		types := map[string][]string{"photo": {"image/jpeg", "image/png"}, "video": {"video/mp4"}, "animation": {"image/gif", "video/mp4"}}[kinds[i]]
		switch {
		case !slices.Contains(types, f.Type) || f.Size == 0:
			return nil, "", "wrong type of the file"
		case kinds[i] == "photo" && f.Size > maxPhoto, f.Size > maxFile:
			return nil, "", "file is too big"
		}
		files = append(files, f)
	}
	return files, said, ""
}
