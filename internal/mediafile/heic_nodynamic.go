//go:build nodynamic

package mediafile

import (
	"bytes"
	"image"

	"github.com/gen2brain/heic"
)

// decodeHEIC decodes a HEIC and applies its turn. The decoder is compiled to WebAssembly. Without
// the build tag it would load the system's, native, library into the process instead.
func decodeHEIC(file []byte) (image.Image, error) { return heic.Decode(bytes.NewReader(file)) }
