package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

// hint is a message of the size that is usual in a session: about 300 bytes.
func hint(i int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"tools":[{"name":"play","toolset":"game","instance":"vs-ada","visible":%v},`+
		`{"name":"pass","toolset":"game","instance":"vs-ada","visible":true}],"text":"%s"}}`, i, i%2 == 0, strings.Repeat("move ", i%20))
}

func benchFile(b *testing.B, n int) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "bench.mcpl.jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(f)
	_, _ = w.WriteString(headerLine + "\n")
	for i := range n {
		_, _ = w.Write(appendFrame(nil, message(int64(i)+1, hint(i))))
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

func sizeOf(b *testing.B, path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	return info.Size()
}

const benchFrames = 100_000

// BenchmarkFloor reads the file and calls encoding/json.Valid on each line:
// what BenchmarkOpen and BenchmarkOpenAndRead are measured against.
func BenchmarkFloor(b *testing.B) {
	path := benchFile(b, benchFrames)
	b.SetBytes(sizeOf(b, path))
	b.ReportAllocs()
	for b.Loop() {
		f, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		lines := bufio.NewReaderSize(f, 256<<10)
		for {
			line, err := lines.ReadSlice('\n')
			if err != nil {
				break
			}
			if !json.Valid(bytes.TrimSuffix(line, []byte("\n"))) {
				b.Fatal("no JSON")
			}
		}
		_ = f.Close()
	}
}

func BenchmarkOpen(b *testing.B) {
	path := benchFile(b, benchFrames)
	b.SetBytes(sizeOf(b, path))
	b.ReportAllocs()
	for b.Loop() {
		r, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		if err := r.Wait(b.Context()); err != nil || r.Len() != benchFrames {
			b.Fatal(r.Len(), err)
		}
		_ = r.Close()
	}
}

// BenchmarkOpenAndRead also reads each frame, while the index is made.
func BenchmarkOpenAndRead(b *testing.B) {
	path := benchFile(b, benchFrames)
	b.SetBytes(sizeOf(b, path))
	b.ReportAllocs()
	for b.Loop() {
		r, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		for i := 0; i < benchFrames; {
			for n := r.Len(); i < n; i++ {
				if f, err := r.Frame(i); err != nil || f.Form != wire.Msg {
					b.Fatal(err)
				}
			}
			if i < benchFrames {
				<-r.Changed()
			}
		}
		_ = r.Close()
	}
}

func BenchmarkAppend(b *testing.B) {
	r, err := Create(filepath.Join(b.TempDir(), "a.mcpl.jsonl"), header())
	if err != nil {
		b.Fatal(err)
	}
	body := []byte(hint(7))
	f := message(0, string(body))
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		f.Seq++
		r.Append(f)
	}
	if err := r.Close(); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkFrame(b *testing.B) {
	r, err := Open(benchFile(b, benchFrames))
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	if err := r.Wait(b.Context()); err != nil {
		b.Fatal(err)
	}
	for name, step := range map[string]int{"forward": 1, "backward": benchFrames - 1, "anywhere": 70_003} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if _, err := r.Frame(i); err != nil {
					b.Fatal(err)
				}
				i = (i + step) % benchFrames
			}
		})
	}
}
