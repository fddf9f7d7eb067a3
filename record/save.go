package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Save writes what the recording holds now to a new file, as a recording of
// its own: also of a spool, of a foreign log, of what could be read of a
// damaged file. A name that ends in .gz or .zst packs it. An existing file
// gives ErrExists; a file that could not be written whole is removed again.
func (r *Recording) Save(path string) (err error) {
	f, err := createNew(path)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			_ = os.Remove(path)
			err = fmt.Errorf("save %s: %w", path, err)
		}
	}()
	pack, err := packer(f, packedExt(path))
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(pack, 256<<10)
	err = r.export(w)
	return errors.Join(err, w.Flush(), pack.Close())
}

func (r *Recording) export(w io.Writer) error {
	h := r.header
	h.Target = RedactTarget(h.Target)
	line := append(h.append(nil), '\n')
	if _, err := w.Write(line); err != nil {
		return inWords("cannot write", err)
	}
	for i, n := 0, r.Len(); i < n; i++ {
		f, err := r.Frame(i)
		if err != nil {
			return err
		}
		line = appendFrame(line[:0], f)
		if _, err := w.Write(line); err != nil {
			return inWords("cannot write", err)
		}
	}
	return nil
}

type noPacker struct{ io.Writer }

func (noPacker) Close() error { return nil }

func packer(w io.Writer, ext string) (io.WriteCloser, error) {
	switch ext {
	case ".gz":
		return gzip.NewWriter(w), nil
	case ".zst":
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	}
	return noPacker{w}, nil
}
