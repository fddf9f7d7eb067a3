package conform

import (
	"testing"

	"pgregory.net/rapid"
)

func TestWhatIsOpenIsWhatAMapWouldHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var o open[int]
		want := map[string]int{}
		for i := range rapid.IntRange(0, 60).Draw(t, "steps") {
			id := rapid.SampledFrom([]string{"", "1", "2", `"a"`, "3"}).Draw(t, "id")
			if rapid.Bool().Draw(t, "put") {
				o.put(id, i)
				want[id] = i
			} else {
				o.drop(id)
				delete(want, id)
			}
			for _, id := range []string{"", "1", "2", `"a"`, "3"} {
				v, ok := o.get([]byte(id))
				if w, there := want[id]; v != w || ok != there {
					t.Fatalf("%s: %d, %t, want %d, %t", id, v, ok, w, there)
				}
			}
			n, sum := 0, 0
			for v := range o.each {
				n, sum = n+1, sum+v
			}
			for _, v := range want {
				sum -= v
			}
			if n != len(want) || o.len() != n || sum != 0 {
				t.Fatalf("%d are open, len %d, want %d", n, o.len(), len(want))
			}
		}
	})
}
