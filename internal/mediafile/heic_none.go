//go:build !nodynamic

package mediafile

import "image"

func decodeHEIC([]byte) (image.Image, error) {
	return nil, refuse(CodeNoHEIC, "This installation can't read HEIC: send a JPEG. (It was built without the tag nodynamic.)")
}
