package mediafile

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"io"
)

// pngPicture is what the picture of a PNG needs, without what a decoder may ignore: Go's refuses a file for that.
type pngPicture struct {
	head [][]byte // chunks: the header, and those of a palette and of opacity
	data [][]byte // what the chunks of data have
}

// clear reports whether a payload of tRNS fits the picture, and is the first one.
func (p *pngPicture) clear(payload []byte) bool {
	const kind, grey, rgb, palette, most = 8 + 9, 0, 2, 3, 256
	switch p.head[0][kind] {
	case grey:
		return len(p.head) == 1 && len(payload) == 2
	case rgb:
		return len(payload) == 6
	case palette:
		return len(p.head) == 2 && len(payload) <= most
	}
	return false
}

// size returns how many bytes the rows of the picture are, each with its filter, and those of all its passes.
func (p *pngPicture) size() (n int64) {
	header := p.head[0][8:]
	const adam7 = 1
	bits := int64(header[8]) * [...]int64{1, 0, 3, 1, 2, 0, 4, 0}[header[9]&7]
	passes := [][4]int64{{0, 0, 1, 1}} // where columns and rows begin, and their distances
	if header[12] == adam7 {
		passes = [][4]int64{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}
	}
	for _, pass := range passes {
		width := (int64(binary.BigEndian.Uint32(header)) - pass[0] + pass[2] - 1) / pass[2]
		height := (int64(binary.BigEndian.Uint32(header[4:])) - pass[1] + pass[3] - 1) / pass[3]
		if width > 0 {
			n += height * (1 + (width*bits+7)/8)
		}
	}
	return n
}

// decode decodes the picture. What follows its last row is ignored, and so are checksums of the data.
func (p *pngPicture) decode() (image.Image, error) {
	r, w := io.Pipe()
	defer func() { _ = r.Close() }() // which ends write; never fails
	go func() { w.CloseWithError(p.write(w)) }()
	return png.Decode(r)
}

// write writes a PNG of what is needed, whose data isn't compressed.
func (p *pngPicture) write(w io.Writer) error {
	const zlibHead, most = 2, 1 << 16
	if _, err := w.Write(append([]byte(pngSignature), bytes.Join(p.head, nil)...)); err != nil {
		return err
	}
	data := bytes.NewReader(bytes.Join(p.data, nil))
	_, _ = data.Seek(zlibHead, io.SeekStart)
	chunks := bufio.NewWriterSize(pngData{w}, most)
	plain, err := zlib.NewWriterLevel(chunks, zlib.NoCompression)
	if err != nil {
		return err
	}
	if _, err := io.CopyN(plain, flate.NewReader(data), p.size()); err != nil {
		return err
	}
	if err := plain.Close(); err != nil {
		return err
	}
	if err := chunks.Flush(); err != nil {
		return err
	}
	_, err = w.Write(pngChunkOf("IEND", nil))
	return err
}

// pngData writes chunks of data.
type pngData struct{ w io.Writer }

func (d pngData) Write(data []byte) (int, error) {
	if _, err := d.w.Write(pngChunkOf("IDAT", data)); err != nil {
		return 0, err
	}
	return len(data), nil
}

// pngChunkOf returns a chunk.
func pngChunkOf(kind string, payload []byte) []byte {
	chunk := append(binary.BigEndian.AppendUint32(nil, uint32(len(payload))), kind...)
	chunk = append(chunk, payload...)
	return binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
}
