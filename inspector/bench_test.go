package inspector_test

import (
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/inspector"
)

func fiveMegabytes(b *testing.B) *tape {
	p := newTape(b)
	p.negotiated()
	p.out(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"status"}}`)
	p.in(`{"jsonrpc":"2.0","id":9,"result":{"content":[{"type":"text","text":"` + strings.Repeat(`a line of text\n`, 5<<20/16) + `"}]}}`)
	return p
}

func BenchmarkHeadlineOfFiveMegabytes(b *testing.B) {
	log := fiveMegabytes(b).log()
	for b.Loop() {
		inspector.HeadlineOf(log, log.Len()-1)
	}
}

func BenchmarkFrameOfFiveMegabytes(b *testing.B) {
	log := fiveMegabytes(b).log()
	for b.Loop() {
		inspector.Frame(log, log.Len()-1)
	}
}
