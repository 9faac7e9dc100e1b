package mediafile

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"missiond/internal/clock"
	"missiond/mission"
)

const (
	// startTime and slowest are how long a child may take: so long, and for each byte as if so
	// many arrived a second. That is generous, since the machine may be busy: the processor's time,
	// which says more of the file, is bounded by the child itself.
	startTime = 4 * time.Minute
	slowest   = 2 << 20

	maxStderr = 64 << 10

	// niceness is that of children: they give way to what serves requests and publishes posts.
	niceness = 10
)

// Runner runs children.
type Runner struct {
	turns     chan struct{}
	heicTurns chan struct{} // HEIC takes several times as much memory
	startTime time.Duration
	// Niceness is by how much children give way to other processes (nice(1)).
	Niceness int
}

// NewRunner returns a Runner of at most n children at a time, of which one decodes HEIC, and all give way to the service.
func NewRunner(n int) *Runner {
	return &Runner{turns: make(chan struct{}, max(n, 1)), heicTurns: make(chan struct{}, 1), startTime: startTime, Niceness: niceness}
}

// Process has a child examine a file of size bytes and make what the request says. The file is at its
// beginning, and is read once more from there if it is a video whose index isn't before its samples. For each
// output, sink is called once, and what it returns is written and closed; name is one of the
// output's names. After an error, what was written isn't a file, and the caller discards it.
//
// The error is a *Refused if the file is to blame, and a *Died if that can't be told from one try.
// Others are of the reader, the sink, the context or the machine, and another try may succeed. The
// Result has the child's CPU also with an error.
func (r *Runner) Process(ctx context.Context, file io.ReadSeeker, size int64, req Request, sink func(name string) (io.WriteCloser, error)) (Result, error) {
	if IsChild() {
		return Result{}, errors.New("bug: this binary doesn't call mediafile.Child when it is started with the argument " + Command)
	}
	if err := req.check(); err != nil {
		return Result{}, err
	}
	limits := req.Limits.withDefaults()
	if size > max(limits.VideoBytes, limits.PictureBytes) {
		return Result{}, refuse(CodeBytes, "The file has %d bytes: at most %d are allowed.", size, max(limits.VideoBytes, limits.PictureBytes))
	}
	in := bufio.NewReaderSize(file, headSize)
	head, err := in.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return Result{}, err
	}
	turns := r.turns
	if sniff(head) == mission.TypeHEIC {
		turns = r.heicTurns
	}
	select {
	case turns <- struct{}{}:
		defer func() { <-turns }()
	case <-ctx.Done():
		return Result{}, ctx.Err()
	}
	limit := r.startTime + time.Duration(size/slowest)*time.Second
	return r.run(ctx, limit, &source{r: in, file: file, size: size, left: size, hash: sha256.New(), again: make(chan struct{}, 1)}, order{Request: req, Size: size}, sink)
}

// check returns an error if the request itself is wrong.
func (req Request) check() error {
	names := map[string]bool{"": true}
	for _, p := range req.Pictures {
		if names[p.Name] {
			return fmt.Errorf("bug: two pictures are named %q, or one isn't", p.Name)
		}
		names[p.Name] = true
		if len(p.Rules.Types) > 0 && !slices.Contains(p.Rules.Types, mission.TypeJPEG) {
			return fmt.Errorf("the picture %q is for rules that don't take JPEG", p.Name)
		}
	}
	return nil
}

// IsChild reports whether this process was started to be a child.
func IsChild() bool { return len(os.Args) == 2 && os.Args[1] == Command }

// errLimit ends a child that takes longer than it may.
var errLimit = errors.New("the child for a file takes too long")

// run starts a child, and ends it after limit, or if its output isn't what it may be.
func (r *Runner) run(ctx context.Context, limit time.Duration, file *source, o order, sink func(string) (io.WriteCloser, error)) (Result, error) {
	ctx, done := context.WithTimeoutCause(ctx, limit, errLimit)
	defer done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	program, err := self()
	if err != nil {
		return Result{}, err
	}
	var head bytes.Buffer
	if err := writeOrder(&head, o); err != nil {
		return Result{}, err
	}
	stderr := &bounded{}
	cmd := exec.CommandContext(ctx, program, Command) //nolint:gosec // this very binary
	cmd.Stdin, cmd.Stderr = io.MultiReader(&head, file), stderr
	cmd.Env = []string{"GOMEMLIMIT=384MiB", "GOMAXPROCS=2"}
	cmd.WaitDelay = time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return Result{}, err
	}
	attach(cmd)
	// The kernel ends the child with the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return Result{}, fmt.Errorf("a child for a file: %w", err)
	}
	lowerPriority(cmd.Process.Pid, r.Niceness)
	in := receiver{order: o, sink: sink, frames: bufio.NewReader(out), again: file.again}
	failed := in.receive()
	close(file.again)
	stopped := context.Cause(ctx)
	if failed != nil {
		cancel()
	}
	e := ending{limit: limit, failed: failed, stopped: stopped, waited: cmd.Wait(), state: cmd.ProcessState, stderr: stderr}
	res, err := e.outcome(&in, file)
	res.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return res, err
}

// source is the file, which has as many bytes as was said, and their hash. At its end it waits until it is
// to be read once more, which it is from its beginning, or again is closed.
type source struct {
	r          io.Reader // of the file, from where it is read
	file       io.ReadSeeker
	size, left int64
	hash       hash.Hash
	earlier    []byte // the hash of what was read before
	again      chan struct{}
	err        error // other than io.EOF
	took       time.Duration
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.read(p)
	if !errors.Is(err, io.EOF) || n > 0 {
		return n, err
	}
	if _, ok := <-s.again; !ok {
		return 0, err
	}
	if err := s.rewind(); err != nil {
		s.err = err
		return 0, err
	}
	return s.read(p)
}

// read reads, and checks how many bytes there are.
func (s *source) read(p []byte) (int, error) {
	// One byte more than there is shows that the file is longer.
	began := clock.Running()
	n, err := s.r.Read(p[:min(int64(len(p)), s.left+1)])
	s.took += clock.Running() - began
	s.hash.Write(p[:n])
	s.left -= int64(n)
	switch {
	case s.left < 0:
		err = errors.New("the file is longer than was said")
	case errors.Is(err, io.EOF) && s.left > 0:
		err = fmt.Errorf("the file is %d bytes shorter than was said: %w", s.left, io.ErrUnexpectedEOF)
	case errors.Is(err, io.EOF) && s.earlier != nil && !bytes.Equal(s.hash.Sum(nil), s.earlier):
		err = errors.New("the file isn't what it was when it was read before")
	}
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// rewind goes back to the beginning of the file.
func (s *source) rewind() error {
	began := clock.Running()
	_, err := s.file.Seek(0, io.SeekStart)
	s.took += clock.Running() - began
	s.r, s.earlier, s.left = s.file, s.hash.Sum(nil), s.size
	s.hash.Reset()
	return err
}

// bounded keeps the first maxStderr bytes.
type bounded struct{ strings.Builder }

func (b *bounded) Write(p []byte) (int, error) {
	_, _ = b.Builder.Write(p[:min(len(p), maxStderr-b.Len())])
	return len(p), nil
}
