package inspector_test

import "errors"

var errGone = errors.New("the file is gone")
