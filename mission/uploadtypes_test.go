package mission

import "testing"

// A content type has no case, and other names; what can't be a picture or a video is refused.
func TestUploadTypes(t *testing.T) {
	for said, want := range map[string]string{
		"image/jpeg": TypeJPEG, "IMAGE/PNG": TypePNG, "image/jpg": TypeJPEG, "Image/PJPEG": TypeJPEG, "image/x-png": TypePNG,
		"image/heif": TypeHEIC, "image/heic-sequence": TypeHEIC, "image/heif-sequence": TypeHEIC, "video/x-m4v": TypeMP4,
		"video/mp4; codecs=avc1": TypeMP4, " video/quicktime ;a=b": TypeMOV, "application/octet-stream": typeUnknown, "binary/octet-stream": typeUnknown,
		"text/html": "", "image/svg+xml": "", "audio/mp4": "", "image/*": "", "image": "", "": "", "application/pdf": "", "image/png,image/jpeg": "",
	} {
		if err := CheckUploadType("content_type", said); (err == nil) != (want != "") {
			t.Errorf("%q: got %v", said, err)
		}
		if got := UploadType(said); want != "" && got != want {
			t.Errorf("%q is %q, want %q", said, got, want)
		}
		if want != "" && MaxUpload(said) != MaxUpload(want) {
			t.Errorf("%q may have %d bytes, %q %d", said, MaxUpload(said), want, MaxUpload(want))
		}
	}
}
