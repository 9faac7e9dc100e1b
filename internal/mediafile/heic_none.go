//go:build !nodynamic

package mediafile

import "image"

// heicDecoder decodes nothing.
type heicDecoder struct{}

func newHEICDecoder() (*heicDecoder, error) {
	return nil, refuse(CodeNoHEIC, "This installation can't read HEIC: send a JPEG. (It was built without the tag nodynamic.)")
}

func (*heicDecoder) close() {}

func (*heicDecoder) primary([]byte) (image.Image, error) { return nil, errHEIC }
