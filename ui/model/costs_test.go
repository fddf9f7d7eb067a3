package model

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpl-tui/mcpl-tui/timeline/timelinetest"
	"github.com/mcpl-tui/mcpl-tui/ui/uitest"
)

func TestFiguresOfALongSessionAreNotCutShort(t *testing.T) {
	const instead = "~50 tok, once each"
	if lines := headFacts("4 × ~61 = ~244 tok", instead, 100); len(lines) != 1 || !strings.HasSuffix(lines[0].text, instead) {
		t.Errorf("%v", lines)
	}
	const long = "1 227 272 × ~22 = ~26 999 984 tok"
	if lines := headFacts(long, instead, 100); len(lines) != 2 || lines[0].text != long || lines[1].text != instead+", instead" {
		t.Errorf("%v", lines)
	}
}

func TestOneRevLongBeforeThatChangedNoListIsToldAsOne(t *testing.T) {
	src := &longLog{n: lookBack + 100}
	tape := make(timelinetest.Tape, src.Len())
	for i := range tape {
		tape[i], _ = src.Frame(i) // it has no errors
	}
	for i := 4; i < len(tape); i++ { // the first says what is so already
		tape[i].Body = fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"tools/hints","params":{"rev":%d,"tools":[{"name":"move","visible":%t}]}}`, i-3, i%2 == 1)
	}
	log := timelinetest.Log(t, tape)
	d := drive(t, uitest.MomentOf(t, log, log.Len()-1, 0))
	if page := uitest.Screen(d.v, d.c, 160, 43); !strings.Contains(page, "1 rev, long before. It changes no list") {
		t.Error(page)
	}
}
