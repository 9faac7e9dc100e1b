package blobs

import (
	"errors"
	"io/fs"
	"net/http"
	"syscall"

	"github.com/aws/smithy-go"
)

// Cause returns in a few words why a store can't be used, by the error of a Check: without what
// its details would tell the callers of /readyz.
func Cause(err error) string {
	var said smithy.APIError
	switch {
	case errors.Is(err, errNoBucket), errors.Is(err, fs.ErrNotExist):
		return "missing"
	case errors.Is(err, fs.ErrPermission):
		return "access denied"
	case errors.Is(err, syscall.EROFS):
		return "read-only"
	case full(err):
		return "disk full"
	case errors.As(err, &said) && denied[said.ErrorCode()]:
		return "access denied"
	}
	return "unreachable"
}

// full reports whether an error says that a store has no room.
func full(err error) bool {
	var response interface{ HTTPStatusCode() int }
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) ||
		errors.As(err, &response) && response.HTTPStatusCode() == http.StatusInsufficientStorage
}

// denied are the codes of S3 that say that the credentials don't do.
var denied = map[string]bool{
	"AccessDenied": true, "AllAccessDisabled": true, "ExpiredToken": true, "Forbidden": true, "InvalidAccessKeyId": true,
	"InvalidToken": true, "SignatureDoesNotMatch": true,
}
