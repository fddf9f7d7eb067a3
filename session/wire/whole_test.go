package wire_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestABodyIsReadWholeWhateverItsPieces(t *testing.T) {
	for _, size := range []int{0, 1, 32 << 10, 5<<20 + 7} {
		want := bytes.Repeat([]byte("a\nb"), size/3+1)[:size]
		for name, r := range map[string]io.Reader{
			"at once": bytes.NewReader(want), "with the end": iotest.DataErrReader(bytes.NewReader(want)), "in halves": iotest.HalfReader(bytes.NewReader(want)),
		} {
			if got, err := wire.ReadWhole(r, 0); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bytes %s: %d bytes, %v", size, name, len(got), err)
			}
		}
	}
}

func TestABodyThatBreaksOffOrHasNoEndIsReturnedAsFarAsItCame(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(io.ErrUnexpectedEOF))
	if got, err := wire.ReadWhole(broken, 0); string(got) != "abc" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%q %v", got, err)
	}
	endless := iotest.OneByteReader(strings.NewReader(strings.Repeat("x", 100)))
	if got, err := wire.ReadWhole(endless, 10); len(got) != 11 || !errors.Is(err, wire.ErrTooLong) || !strings.Contains(err.Error(), "11 bytes") {
		t.Errorf("%q %v", got, err)
	}
	if got, err := wire.ReadWhole(strings.NewReader("0123456789"), 10); len(got) != 10 || err != nil {
		t.Errorf("as long as may be: %q %v", got, err)
	}
}
