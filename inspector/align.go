package inspector

// maxAligned bounds the lists that are aligned by what they have in common:
// the work grows with the product of their lengths.
const maxAligned = 300

// aligned walks two lists, calling both for what is equal or takes the
// other's place, and with -1 for what only one of them has.
func aligned(n, m int, same func(i, j int) bool, both func(i, j int)) {
	pairs := [][2]int{}
	if n <= maxAligned && m <= maxAligned {
		pairs = common(n, m, same)
	}
	i, j := 0, 0
	for _, p := range append(pairs, [2]int{n, m}) {
		for i < p[0] || j < p[1] {
			switch {
			case i >= p[0]:
				both(-1, j)
				j++
			case j >= p[1]:
				both(i, -1)
				i++
			default:
				both(i, j)
				i, j = i+1, j+1
			}
		}
		if i < n && j < m {
			both(i, j)
		}
		i, j = i+1, j+1
	}
}

// common returns the longest sequence that two lists have in common.
func common(n, m int, same func(i, j int) bool) [][2]int {
	length := make([][]uint16, n+1)
	for i := range length {
		length[i] = make([]uint16, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if same(i, j) {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var out [][2]int
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case same(i, j):
			out = append(out, [2]int{i, j})
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out
}
