package telegram

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

// message is the API's Message.
type message struct {
	ID   int64 `json:"message_id"`
	Date int64 `json:"date"`
	Chat chat  `json:"chat"`
}

// publication returns a message as a publication. One of a private channel is shown to its members only.
func (m message) publication(id string) mission.Publication {
	p := mission.Publication{PostID: strconv.FormatInt(m.ID, 10), PublishedAt: time.Unix(m.Date, 0).UTC()}
	name := m.Chat.Username
	if private, ok := strings.CutPrefix(id, "-100"); ok && name == "" {
		name = "c/" + private
	}
	p.URL = "https://t.me/" + name + "/" + p.PostID
	return p
}

// Publish sends a part as a message of plain text, in which Telegram itself makes links and tags, or as the
// caption of its files. The part of a thread replies to the one before.
func (a *Adapter) Publish(ctx context.Context, c mission.Credentials, p mission.Part) (mission.Publication, error) {
	parameters := map[string]any{"chat_id": chatID(c)}
	if p.Parent != nil {
		to, err := strconv.ParseInt(p.Parent.PostID, 10, 64)
		if err != nil {
			return mission.Publication{}, publisher.Response{}.Refused(publisher.CodeRefused, "The message to reply to is unknown", "")
		}
		parameters["reply_parameters"] = map[string]any{"message_id": to}
	}
	var sent message
	var err error
	switch len(p.Media) {
	case 0:
		parameters["text"] = p.Text
		err = a.ask(ctx, c, "sendMessage", parameters, &sent)
	case 1:
		method, name, file := described(p.Media[0])
		parameters["caption"] = p.Text
		for field, value := range file {
			parameters[field] = value
		}
		err = a.carry(ctx, c, method, parameters, []string{name}, p.Media, &sent)
	default:
		var sentAll []message
		names := album(p, parameters)
		err = a.carry(ctx, c, "sendMediaGroup", parameters, names, p.Media, &sentAll)
		if len(sentAll) > 0 {
			sent = sentAll[0]
		}
	}
	switch {
	case err != nil:
		return mission.Publication{}, err
	case sent.ID == 0 || sent.Date == 0:
		return mission.Publication{}, publisher.Response{Status: http.StatusOK}.Malformed()
	}
	return sent.publication(c.AccountID), nil
}

// described returns the method that sends a file alone, the field of the file, and what is said of it.
func described(f mission.PartFile) (method, name string, about map[string]any) {
	about = map[string]any{}
	switch f.Kind {
	case mission.MediaVideo:
		about["width"], about["height"], about["duration"] = f.Width, f.Height, int(f.Duration.Seconds())
		return "sendVideo", "video", about
	case mission.MediaAnimation:
		return "sendAnimation", "animation", about
	default:
		return "sendPhoto", "photo", about
	}
}

// album adds the files of an album to the parameters, the first with the text, and returns their names.
func album(p mission.Part, parameters map[string]any) (names []string) {
	items := make([]map[string]any, len(p.Media))
	for i, f := range p.Media {
		name := fmt.Sprintf("file%d", i)
		_, kind, item := described(f)
		item["type"], item["media"] = kind, "attach://"+name
		if i == 0 {
			item["caption"] = p.Text
		}
		names, items[i] = append(names, name), item
	}
	parameters["media"] = items
	return names
}

// Upload implements [publisher.Uploader]: the file is sent with its message.
func (*Adapter) Upload(_ context.Context, _ mission.Credentials, f mission.File, u mission.Upload) (mission.Upload, error) {
	return publisher.Carried(f, u), nil
}

// carry calls a method with files, by their fields' names.
func (a *Adapter) carry(
	ctx context.Context, c mission.Credentials, method string, parameters map[string]any, names []string, files []mission.PartFile, result any,
) error {
	fields := url.Values{}
	for name, value := range parameters {
		text, ok := value.(string)
		if !ok {
			encoded, err := json.Marshal(value)
			if err != nil {
				return publisher.Response{}.Refused(publisher.CodeRefused, "The post can't be sent", "")
			}
			text = string(encoded)
		}
		fields.Set(name, text)
	}
	form, err := publisher.NewPostForm(ctx, fields, names, files)
	if err != nil {
		return publisher.Response{}.Refused(publisher.CodeRefused, "The post can't be sent", "")
	}
	req, err := a.request(ctx, c, method, form)
	if err != nil {
		return err
	}
	req.ContentLength = form.Length
	req.Header.Set("Content-Type", form.ContentType)
	response, err := a.client.Upload(req, publisher.PostTime(files), c.AccessToken)
	if err == nil {
		err = read(response, result)
	}
	return form.Cut(err)
}

// request returns a request that calls a method. Its errors don't have its address, which has the token.
func (a *Adapter) request(ctx context.Context, c mission.Credentials, method string, body io.Reader) (*http.Request, error) {
	if !tokenForm.MatchString(c.AccessToken) {
		return nil, publisher.Response{}.Unauthorized("a bot's token has the form 123456:ABC-DEF")
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.base+"/bot"+c.AccessToken+"/"+method, body)
	if err != nil {
		return nil, publisher.Response{}.Refused(publisher.CodeRefused, "Telegram's address can't be called", "")
	}
	req.Header.Set("Accept", "application/json")
	return req, nil
}
