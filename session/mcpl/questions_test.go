package mcpl

import (
	"testing"

	"github.com/mcpl-tui/mcpl-tui/session/wire"
)

func TestAPageThatIsNoObjectIsNotAskedAbout(t *testing.T) {
	h := wire.Peek([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"visit","data":{"elicitations":[5,null,"x",{"mode":"url","url":"https://a.example/","elicitationId":"e"}]}}}`))
	q, asks := Questions(h)
	if !asks || len(q) != 1 || q[0].Key != "e" {
		t.Errorf("asks %t: %+v", asks, q)
	}
	h = wire.Peek([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"visit","data":{"elicitations":[5]}}}`))
	if q, asks = Questions(h); asks {
		t.Errorf("nothing that can be asked is asked about: %+v", q)
	}
}
