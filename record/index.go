package record

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

// index is a list of entries in chunks: it grows without copying.
type index struct {
	n      int
	chunks []*[chunkSize]entry
}

const chunkSize = 4096

func (x *index) add(e entry) {
	if x.n%chunkSize == 0 {
		x.chunks = append(x.chunks, new([chunkSize]entry))
	}
	x.chunks[x.n/chunkSize][x.n%chunkSize] = e
	x.n++
}

func (x *index) at(i int) entry { return x.chunks[i/chunkSize][i%chunkSize] }
