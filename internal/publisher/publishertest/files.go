package publishertest

import (
	"maps"
	"slices"
	"sync"
)

// File is a file on a stub.
type File struct {
	// Type and Size are what was declared, Owner is whose it is.
	Type, Owner string
	Size        int64
	// Alt is its alt text.
	Alt string
	// Pieces are its bytes, in the order of their indices.
	Pieces map[int][]byte

	looks        int
	fails, there bool
}

// Bytes returns what was sent of the file.
func (f File) Bytes() []byte {
	var all []byte
	for _, i := range slices.Sorted(maps.Keys(f.Pieces)) {
		all = append(all, f.Pieces[i]...)
	}
	return all
}

// FileState is how far a stub is with a file.
type FileState int

// The states of files.
const (
	FileUnknown FileState = iota
	FileIncomplete
	FileProcessing
	FileFailed
	FileReady
)

// Files are the files of a stub, and those of its posts. The zero Files are none.
type Files struct {
	mu    sync.Mutex
	looks int
	fails bool
	files map[string]File
	posts map[string][]File
}

// Process implements [Stub].
func (s *Files) Process(looks int, fails bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looks, s.fails = looks, fails
}

// Forget implements [Stub].
func (s *Files) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.files)
}

// Media implements [Stub].
func (s *Files) Media(postID string) [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all [][]byte
	for _, f := range s.posts[postID] {
		all = append(all, f.Bytes())
	}
	return all
}

// AltTexts implements [Stub].
func (s *Files) AltTexts(postID string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, f := range s.posts[postID] {
		all = append(all, f.Alt)
	}
	return all
}

// File returns a file; ok is false if there is none.
func (s *Files) File(id string) (f File, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, ok = s.files[id]
	return f, ok
}

// Put adds or replaces a file.
func (s *Files) Put(id string, f File) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files == nil {
		s.files, s.posts = map[string]File{}, map[string][]File{}
	}
	s.files[id] = f
}

// Piece adds a piece to a file, or replaces it.
func (s *Files) Piece(id string, index int, content []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[id]
	f.Pieces = maps.Clone(f.Pieces)
	if f.Pieces == nil {
		f.Pieces = map[int][]byte{}
	}
	f.Pieces[index] = content
	s.files[id] = f
}

// Ready has a file whose bytes are all there ready at once.
func (s *Files) Ready(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[id]
	f.there = true
	s.files[id] = f
}

// Remove removes a file.
func (s *Files) Remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.files, id)
}

// End begins to process a file whose bytes are all there.
func (s *Files) End(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.files[id]
	f.looks, f.fails, f.there = s.looks, s.fails, true
	s.files[id] = f
}

// State returns the state of a file.
func (s *Files) State(id string) FileState {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, ok := s.files[id]
	switch {
	case !ok:
		return FileUnknown
	case !f.there:
		return FileIncomplete
	case f.looks > 0:
		return FileProcessing
	case f.fails:
		return FileFailed
	}
	return FileReady
}

// Look is State for a look that a file's processing counts.
func (s *Files) Look(id string) FileState {
	state := s.State(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.files[id]; state == FileProcessing {
		f.looks--
		s.files[id] = f
	}
	return state
}

// Attach gives a post its files.
func (s *Files) Attach(postID string, files ...File) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(files) > 0 {
		s.posts[postID] = files
	}
}
