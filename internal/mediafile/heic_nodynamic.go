//go:build nodynamic

package mediafile

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	_ "unsafe" // for go:linkname

	_ "github.com/gen2brain/heic" // has the decoder
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// heicWASM is libheif with libde265, compiled to WebAssembly and then by gzip. The package's own Decode reserves less for the rows of
// small pictures than libheif writes, so that the decoder is run here. Without the build tag the package would load the system's, native,
// library into the process.
//
//go:linkname heicWASM github.com/gen2brain/heic.heifWasm
var heicWASM []byte

// What the decoder's wrapper of libheif says of a picture: its colorspace and its chroma.
const (
	heicRGB, heicGrey         = 1, 2
	heic420, heic422, heic444 = 1, 2, 3
)

// heicMemory bounds the decoder's memory, in pages of 64 KiB: 576 MiB. 48 megapixels need 329 MiB, in 4:4:4 499.
const heicMemory = 576 << 20 >> 16

// heicDecoder decodes items of a HEIC, one after another.
type heicDecoder struct {
	runtime wazero.Runtime
	code    wazero.CompiledModule
	memory  heicBuffer
}

// heicBuffer is a decoder's memory, which one item has after another: a child has room for one, and when the collector gives
// back another's is its own affair.
type heicBuffer struct {
	all  []byte
	used uint64
}

// Allocate returns the memory of the next item, which may grow to most bytes.
func (b *heicBuffer) Allocate(_, most uint64) experimental.LinearMemory {
	if b.all == nil {
		b.all = make([]byte, most)
	}
	clear(b.all[:b.used])
	return b
}

// Reallocate returns the memory in another size; nil if there is less.
func (b *heicBuffer) Reallocate(size uint64) []byte {
	if size > uint64(len(b.all)) {
		return nil
	}
	b.used = max(b.used, size)
	return b.all[:size]
}

// Free does nothing: the next item clears the memory.
func (b *heicBuffer) Free() {}

// newHEICDecoder compiles the decoder.
func newHEICDecoder() (*heicDecoder, error) {
	packed, err := gzip.NewReader(bytes.NewReader(heicWASM))
	if err != nil {
		return nil, err
	}
	code, err := io.ReadAll(packed)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	d := &heicDecoder{runtime: wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithMemoryLimitPages(heicMemory))}
	if _, err = wasi_snapshot_preview1.Instantiate(ctx, d.runtime); err == nil {
		d.code, err = d.runtime.CompileModule(ctx, code)
	}
	if err != nil {
		d.close()
	}
	return d, err
}

func (d *heicDecoder) close() { _ = d.runtime.Close(context.Background()) } // there is nothing but memory

// primary decodes the primary item, without its opacity unless it is in red, green and blue, and applies its turn.
func (d *heicDecoder) primary(file []byte) (image.Image, error) {
	ctx := experimental.WithMemoryAllocator(context.Background(), &d.memory)
	module, err := d.runtime.InstantiateModule(ctx, d.code, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, err
	}
	defer func() { _ = module.Close(ctx) }()
	r := heicRun{module: module}
	in := r.call(ctx, "malloc", uint64(len(file)))
	const facts = 5 // width, height, colorspace, chroma, and whether colors are multiplied by opacity
	at := r.call(ctx, "malloc", 4*facts)
	r.write(in, file)
	decode := func(onlyFacts, out uint64) {
		if ok := r.call(ctx, "decode", in, uint64(len(file)), onlyFacts, at, at+4, at+8, at+12, at+16, out); ok == 0 {
			r.fail(nil)
		}
	}
	decode(1, 0)
	var f [facts]int
	for i := range f {
		f[i] = r.number(at + 4*uint64(i))
	}
	if r.err != nil {
		return nil, r.err
	}
	img, planes, err := heicImage(f[0], f[1], f[2], f[3])
	if err != nil {
		return nil, err
	}
	size := 0
	for _, p := range planes {
		size += len(p)
	}
	out := r.call(ctx, "malloc", uint64(size))
	decode(0, out)
	for _, p := range planes {
		r.read(p, out)
		out += uint64(len(p))
	}
	return img, r.err
}

// heicRun is a run of the decoder.
type heicRun struct {
	module api.Module
	err    error // the first one
}

// fail notes the first error, in words that are for the log. Where the decoder had taken most of its memory, more of it was
// missing, which isn't the file's fault.
func (r *heicRun) fail(err error) {
	switch {
	case r.err != nil:
	case r.module.Memory().Size() > heicMemory<<16/2:
		r.err = tooMuchMemory(fmt.Sprint("the decoder of HEIC: ", err))
	default:
		r.err = errors.Join(errHEIC, err)
	}
}

// call calls a function of the decoder; it returns 0 if that fails, or something did before.
func (r *heicRun) call(ctx context.Context, name string, args ...uint64) uint64 {
	if r.err != nil {
		return 0
	}
	results, err := r.module.ExportedFunction(name).Call(ctx, args...)
	if err != nil || name == "malloc" && results[0] == 0 {
		r.fail(err)
		return 0
	}
	return results[0]
}

// write, read and number use the decoder's memory.
func (r *heicRun) write(at uint64, data []byte) {
	if r.err == nil && !r.module.Memory().Write(uint32(at), data) {
		r.fail(nil)
	}
}

func (r *heicRun) read(into []byte, at uint64) {
	if r.err != nil {
		return
	}
	data, ok := r.module.Memory().Read(uint32(at), uint32(len(into)))
	if !ok {
		r.fail(nil)
	}
	copy(into, data)
}

func (r *heicRun) number(at uint64) int {
	if r.err != nil {
		return 0
	}
	v, ok := r.module.Memory().ReadUint32Le(uint32(at))
	if !ok {
		r.fail(nil)
	}
	return int(v)
}

// heicStride is how many bytes libheif has for a row: of at least 64 pixels, whose number is even, in multiples of 16 (its
// libheif/pixelimage.cc, version 1.18.2).
func heicStride(width, bytesEach int) int {
	const least, align = 64, 16
	return (max((width+1)&^1, least)*bytesEach + align - 1) &^ (align - 1)
}

// heicImage returns an image of a size that libheif's wrapper fills, and its planes, in the order in which they are written.
func heicImage(width, height, space, chroma int) (image.Image, [][]byte, error) {
	size := image.Rect(0, 0, width, height)
	const most = 1 << 30
	if width <= 0 || height <= 0 || height > most/heicStride(width, 4) {
		return nil, nil, errHEIC
	}
	plane := func(width, height, bytesEach int) ([]byte, int) {
		stride := heicStride(width, bytesEach)
		return make([]byte, stride*height), stride
	}
	switch space {
	case heicGrey:
		img := &image.Gray{Rect: size}
		img.Pix, img.Stride = plane(width, height, 1)
		return img, [][]byte{img.Pix}, nil
	case heicRGB:
		img := &image.NRGBA{Rect: size}
		img.Pix, img.Stride = plane(width, height, 4)
		return img, [][]byte{img.Pix}, nil
	}
	img := &image.YCbCr{Rect: size, SubsampleRatio: image.YCbCrSubsampleRatio444}
	chromaWidth, chromaHeight := width, height
	switch chroma {
	case heic420:
		img.SubsampleRatio = image.YCbCrSubsampleRatio420
		chromaWidth, chromaHeight = (width+1)/2, (height+1)/2
	case heic422:
		img.SubsampleRatio = image.YCbCrSubsampleRatio422
		chromaWidth = (width + 1) / 2
	case heic444:
	default:
		return nil, nil, errHEIC
	}
	img.Y, img.YStride = plane(width, height, 1)
	img.Cb, img.CStride = plane(chromaWidth, chromaHeight, 1)
	img.Cr, _ = plane(chromaWidth, chromaHeight, 1)
	return img, [][]byte{img.Y, img.Cb, img.Cr}, nil
}
