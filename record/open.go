package record

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxWindow is how much memory a zstd stream may ask for.
const maxWindow = 128 << 20

// Open opens a recording, or a foreign log that can be read as one: a file,
// also packed with gzip or zstd (told by its bytes, not by its name), a pipe,
// or "-" for standard input. What is no plain file is unpacked into a
// temporary file without a name. Open returns when the first lines are read;
// the rest is indexed meanwhile, and Status says how far that is.
//
// A file that is nothing of the kind is refused with one line that says what
// it looks like: ErrNotRecording, or ErrNewer.
func Open(path string) (*Recording, error) {
	x, v, err := sniffFile(path)
	if err != nil {
		return nil, err
	}
	src := x.src
	r := newRecording(path, v.header)
	if path == "-" {
		r.path = ""
	}
	r.format, r.input, r.progress = v.format, src, src.progress
	if r.file, r.remove, err = src.keep(); err != nil {
		src.discard()
		return nil, err
	}
	r.pages = &pages{f: r.file}
	x.start(r, v)
	return r, nil
}

// sniffFile opens a file and reads so far that it is known what it is. Of what
// is refused the verdict may still be known.
func sniffFile(path string) (*indexer, verdict, error) {
	src, err := openSource(path)
	if err != nil {
		return nil, verdict{}, err
	}
	x := &indexer{src: src, limit: maxLine}
	v, err := x.sniff()
	if err != nil {
		src.discard()
		return nil, v, err
	}
	return x, v, nil
}

// closeOpened stops the indexer. Closing what it reads from wakes it, unless
// that is a terminal or the like; then it is left behind.
func (r *Recording) closeOpened() error {
	r.mu.Lock()
	r.closed = true
	r.settle(nil, 0)
	r.mu.Unlock()
	err := r.input.Close()
	waitFor(r.done)
	if cerr := r.closeFile(); err == nil && !errors.Is(cerr, fs.ErrClosed) {
		err = cerr
	}
	return err
}

// source is where an opened recording comes from.
type source struct {
	io.Reader          // unpacked
	name      string   // for errors
	packed    string   // "gzip", "zstd" or ""
	in        *os.File // what was opened
	plain     bool     // in can be read at any place, and is not packed
	size      int64    // of in, 0: not known
	read      atomic.Int64
	unpack    func() // frees the unpacker; called by the reader of the source
}

func openSource(path string) (*source, error) {
	if path == "-" {
		return newSource(os.Stdin, "standard input", nil)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open recording: %w", err)
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a folder, %w: name a file in it", path, ErrNotRecording)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	s, err := newSource(f, path, info)
	if err != nil {
		_ = f.Close()
	}
	return s, err
}

func newSource(f *os.File, name string, info os.FileInfo) (*source, error) {
	s := &source{name: name, in: f}
	regular := info != nil && info.Mode().IsRegular()
	if regular {
		s.size = info.Size()
	}
	in := bufio.NewReaderSize(counted{f, &s.read}, 64<<10)
	magic, _ := in.Peek(4) // an error comes again when it is read
	s.Reader = in
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("%s begins like gzip, but cannot be unpacked: %w", name, err)
		}
		s.packed, s.Reader = "gzip", z
	case isZstd(magic):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, fmt.Errorf("%s begins like zstd, but cannot be unpacked: %w", name, err)
		}
		s.packed, s.Reader, s.unpack = "zstd", z, z.Close
	default:
		s.plain = regular
	}
	return s, nil
}

// isZstd knows a zstd frame and the skippable frames that may precede one.
func isZstd(b []byte) bool {
	return len(b) == 4 && (bytes.Equal(b, []byte{0x28, 0xb5, 0x2f, 0xfd}) ||
		b[0]&0xf0 == 0x50 && bytes.Equal(b[1:], []byte{0x2a, 0x4d, 0x18}))
}

// keep returns the file that frames are read from: the source itself where it
// is a plain file, else a spool that the indexer fills.
func (s *source) keep() (f file, remove string, err error) {
	if s.plain {
		return s.in, "", nil
	}
	sp, remove, err := spool()
	if err != nil {
		return nil, "", err
	}
	return sp, remove, nil
}

// progress returns how much of the source has been read, as far as its size
// is known.
func (s *source) progress() float64 {
	if s.size == 0 {
		return 0
	}
	return float64(s.read.Load()) / float64(s.size)
}

func (s *source) Close() error { return s.in.Close() }

// discard ends a source that no indexer reads.
func (s *source) discard() {
	if s.unpack != nil {
		s.unpack()
	}
	_ = s.Close()
}

// counted counts the bytes that are read through it.
type counted struct {
	r io.Reader
	n *atomic.Int64
}

func (c counted) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n.Add(int64(n))
	return n, err
}
