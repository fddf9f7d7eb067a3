package conform_test

import (
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/mcpl-tui/mcpl-tui/inspector/conform"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

func TestAReviewIsAskedWhileItsLogGrowsAndIsLookedAt(t *testing.T) {
	s := overHTTP()
	for i := range 2000 {
		s.add(wire.In, fmt.Sprintf(`{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"tools":[{"name":"ghost%d","visible":true}]}}`, i+3, i%50))
		s.tape[len(s.tape)-1].Via = "http:get:1"
	}
	log := timeline.NewLog(s.tape)
	r := conform.Attend(log, conform.Options{})
	if conform.Of(log) != r {
		t.Fatal("the log does not tell who looks on")
	}
	grown := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(grown)
		for n := 1; n > 0; {
			n, _ = log.Advance(10)
		}
	})
	wg.Go(func() {
		for i := 0; ; i++ {
			r.Tick(time.Duration(i) * time.Microsecond)
			r.Findings()
			r.Marks()
			_, _ = log.Board(log.Len() / 2)
			select {
			case <-grown:
				return
			default:
			}
		}
	})
	wg.Wait()
	if behind, err := log.Behind(); behind != 0 || err != nil || r.Len() != len(s.tape) {
		t.Fatalf("%d frames are left, %v; %d were judged", behind, err, r.Len())
	}
	r.End()
	if got, want := r.Findings(), judged(s.tape, conform.Options{}).Findings(); !reflect.DeepEqual(got, want) {
		t.Errorf("it gives\n%s\nand at once\n%s", lines(got), lines(want))
	}
}
