package record

import (
	"errors"
	"io"
	"sync"
)

const (
	pageSize  = 64 << 10
	pageCount = 8
)

// pages reads short pieces of a file through a few cached pages, so that
// reading frame after frame, in either direction, costs no system call each.
// A piece is copied out; the pages themselves are never handed on.
type pages struct {
	f     io.ReaderAt
	mu    sync.Mutex
	clock uint64
	slots [pageCount]page
}

type page struct {
	no   int64 // number of the page
	n    int   // bytes of it that were there when it was read
	used uint64
	data []byte
}

// read fills dst with the bytes at off.
func (p *pages) read(dst []byte, off int64) error {
	if len(dst) > pageSize/2 {
		_, err := io.ReadFull(io.NewSectionReader(p.f, off, int64(len(dst))), dst)
		return ends(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(dst) > 0 {
		at := int(off % pageSize)
		n := min(len(dst), pageSize-at)
		data, err := p.page(off/pageSize, at+n)
		if err != nil {
			return err
		}
		copy(dst, data[at:at+n])
		dst, off = dst[n:], off+int64(n)
	}
	return nil
}

// page returns a page of which at least need bytes are there. A page that was
// read before the file grew is read again.
func (p *pages) page(no int64, need int) ([]byte, error) {
	p.clock++
	oldest := &p.slots[0]
	for i := range p.slots {
		s := &p.slots[i]
		if s.data != nil && s.no == no {
			if s.n >= need {
				s.used = p.clock
				return s.data, nil
			}
			oldest = s
			break
		}
		if s.used < oldest.used {
			oldest = s
		}
	}
	if oldest.data == nil {
		oldest.data = make([]byte, pageSize)
	}
	n, err := p.f.ReadAt(oldest.data, no*pageSize)
	oldest.no, oldest.n, oldest.used = no, n, p.clock
	if n >= need {
		return oldest.data, nil
	}
	oldest.n = 0
	return nil, ends(err)
}

// ends turns an end of the file into what it means here: bytes that were in
// the file once are gone.
func ends(err error) error {
	if err == nil || (!errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF)) {
		return err
	}
	return errors.New("the file has become shorter")
}
