package record

import "sync"

// entry is where one frame stands in the file, and what of it depends on the
// lines before it.
type entry struct {
	off  int64
	us   int64  // its time in microseconds, never falling
	size uint32 // of its line, without the line's end
	meta uint32 // connection of a foreign line << 8, flags
}

// Flags of an entry.
const (
	// flagTail: the message is the last member of its line and stands there
	// once, so that its end need not be looked for.
	flagTail uint8 = 1 << iota
	// flagRaw: the message is no UTF-8.
	flagRaw
)

const maxConn = 1<<24 - 1

func (e entry) flags() uint8 { return uint8(e.meta) }
func (e entry) conn() int    { return int(e.meta >> 8) }

// index is a list of entries in chunks: it grows without copying. It changes
// under the lock of its recording alone, which a flood holds most of the time;
// settled has a lock of its own, so that who looks at the past need not wait
// for that one.
type index struct {
	n      int
	chunks []*[chunkSize]entry

	mu   sync.RWMutex // taken under the recording's, to change chunks and upTo
	upTo int          // frames before it are read from the file
}

const chunkSize = 4096

// extend adds entries. Frames before position upTo are read from the file from
// now on.
func (x *index) extend(entries []entry, upTo int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, e := range entries {
		x.add(e)
	}
	x.upTo = upTo
}

// settled returns the entry of a frame that is read from the file.
func (x *index) settled(i int) (entry, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if i < 0 || i >= x.upTo {
		return entry{}, false
	}
	return x.at(i), true
}

func (x *index) add(e entry) {
	if x.n%chunkSize == 0 {
		x.chunks = append(x.chunks, new([chunkSize]entry))
	}
	x.chunks[x.n/chunkSize][x.n%chunkSize] = e
	x.n++
}

func (x *index) at(i int) entry { return x.chunks[i/chunkSize][i%chunkSize] }
