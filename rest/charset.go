package rest

import (
	"maps"
	"mime"
	"slices"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"missiond/mission"
)

// utf16 is the character set that begins with a byte order mark, by which it is known if it
// isn't named.
const utf16 = "utf-16"

// importCharsets are the character sets of an import's body: UTF-8 if none is named. As in
// browsers (the Encoding Standard, section 4.2), Latin-1 is read as Windows-1252, whose
// letters include its own.
var importCharsets = map[string]encoding.Encoding{
	"":             encoding.Nop,
	"utf-8":        encoding.Nop,
	utf16:          unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM),
	"windows-1252": charmap.Windows1252,
	"iso-8859-1":   charmap.Windows1252,
}

// importType returns the media type and the character set of an import's body. Errors:
// unsupported_media_type.
func importType(contentType string) (mediaType, charset string, err error) {
	mediaType, params, err := mime.ParseMediaType(contentType)
	if _, known := importTypes[mediaType]; err != nil || !known {
		return "", "", unsupported("body", slices.Sorted(maps.Keys(importTypes)))
	}
	charset = strings.ToLower(params["charset"])
	if _, known := importCharsets[charset]; !known {
		return "", "", unsupported("charset", slices.Sorted(maps.Keys(importCharsets))[1:])
	}
	return mediaType, charset, nil
}

// decoded returns the text of an import's body. Errors: invalid_request if it isn't the
// UTF-16 that it seems to be; whether it is UTF-8 is for the import to check.
func decoded(body []byte, charset string) (string, error) {
	text := string(body)
	if charset == "" && (strings.HasPrefix(text, "\xFF\xFE") || strings.HasPrefix(text, "\xFE\xFF")) {
		charset = utf16
	}
	text, err := importCharsets[charset].NewDecoder().String(text)
	if err != nil || charset == utf16 && strings.ContainsRune(text, unreadable) {
		return "", mission.Invalid("data", "The text is not valid UTF-16 with a byte order mark.")
	}
	return text, nil
}

// unreadable is what a decoder writes for what it can't read.
const unreadable = '\uFFFD'
