package telegram

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"missiond/internal/publisher"
	"missiond/mission"
)

// envelope is what each response is in.
type envelope struct {
	OK          bool            `json:"ok"`
	Result      json.RawMessage `json:"result"`
	Description string          `json:"description"`
	Parameters  struct {
		RetryAfter int64 `json:"retry_after"` // in seconds
		MovedTo    int64 `json:"migrate_to_chat_id"`
	} `json:"parameters"`
}

// read decodes a response's result into result.
func read(a publisher.Response, result any) error {
	var e envelope
	err := json.Unmarshal(a.Body, &e)
	switch {
	case !a.OK():
		return failure(a, e)
	case err != nil || !e.OK || json.Unmarshal(e.Result, result) != nil:
		return a.Malformed()
	}
	return nil
}

// noAccess are the descriptions of a 400 that is about the bot's place in the channel rather than the post, in
// lower case. They aren't documented.
var noAccess = []string{
	"chat not found", "administrator rights", "not enough rights", "chat_write_forbidden", "chat_admin_required", "channel_private",
	"not a member",
}

// failure returns the error for a response that isn't OK. A token that isn't one is not found (404).
func failure(a publisher.Response, e envelope) error {
	words := e.Description
	if e.Parameters.MovedTo != 0 {
		return a.Unauthorized(fmt.Sprintf("%s: the chat is %d now", words, e.Parameters.MovedTo))
	}
	switch a.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound:
		return a.Unauthorized(words)
	case http.StatusBadRequest:
		for _, sign := range noAccess {
			if strings.Contains(strings.ToLower(words), sign) {
				return a.Unauthorized(words)
			}
		}
	}
	return a.Fail(words, time.Duration(e.Parameters.RetryAfter)*time.Second)
}

// wrongChannel returns the error for a channel that can't be connected, or any longer.
func wrongChannel(why string) error {
	return &mission.PublishError{
		Outcome: mission.OutcomeNotAccepted, Unauthorized: true, Param: "account",
		Failure: mission.Failure{Code: publisher.CodeUnauthorized, Message: why + "."},
	}
}

// aboutChannel returns the error of a call about a channel with a token that is good: it names the channel,
// unless Telegram doesn't respond.
func aboutChannel(err error) error {
	var pe *mission.PublishError
	if errors.As(err, &pe) && (pe.Unauthorized || pe.Outcome == mission.OutcomeRefused) {
		return wrongChannel("The bot has no access to the channel: add it there as an administrator who may post messages, and look at the channel's name")
	}
	return err
}
