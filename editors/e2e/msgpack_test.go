package e2e

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// Just enough MessagePack to talk to Neovim: what it sends is decoded in full, what we send is made
// of nil, bool, int, string, []any and map[string]any.

func pack(out []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(out, 0xc0)
	case bool:
		if v {
			return append(out, 0xc3)
		}
		return append(out, 0xc2)
	case int:
		return binary.BigEndian.AppendUint64(append(out, 0xd3), uint64(int64(v)))
	case string:
		out = binary.BigEndian.AppendUint32(append(out, 0xdb), uint32(len(v)))
		return append(out, v...)
	case []any:
		out = binary.BigEndian.AppendUint32(append(out, 0xdd), uint32(len(v)))
		for _, item := range v {
			out = pack(out, item)
		}
		return out
	case map[string]any:
		out = binary.BigEndian.AppendUint32(append(out, 0xdf), uint32(len(v)))
		for key, item := range v {
			out = pack(pack(out, key), item)
		}
		return out
	}
	panic(fmt.Sprintf("pack: %T", v))
}

// unpack reads one value: nil, bool, int64, float64, string, []any, map[string]any. Numbers of
// windows and buffers, which are extension types, become int64.
func unpack(in *bufio.Reader) (any, error) {
	tag, err := in.ReadByte()
	if err != nil {
		return nil, err
	}
	switch {
	case tag <= 0x7f:
		return int64(tag), nil
	case tag <= 0x8f:
		return unpackMap(in, int(tag&0x0f))
	case tag <= 0x9f:
		return unpackArray(in, int(tag&0x0f))
	case tag <= 0xbf:
		return unpackString(in, int(tag&0x1f))
	case tag >= 0xe0:
		return int64(int8(tag)), nil
	}
	switch tag {
	case 0xc0:
		return nil, nil
	case 0xc2:
		return false, nil
	case 0xc3:
		return true, nil
	case 0xc4, 0xd9:
		return unpackSized(in, 1, unpackString)
	case 0xc5, 0xda:
		return unpackSized(in, 2, unpackString)
	case 0xc6, 0xdb:
		return unpackSized(in, 4, unpackString)
	case 0xca:
		n, err := unpackUint(in, 4)
		return float64(math.Float32frombits(uint32(n))), err
	case 0xcb:
		n, err := unpackUint(in, 8)
		return math.Float64frombits(n), err
	case 0xcc, 0xcd, 0xce, 0xcf:
		n, err := unpackUint(in, 1<<(tag-0xcc))
		return int64(n), err
	case 0xd0:
		n, err := unpackUint(in, 1)
		return int64(int8(n)), err
	case 0xd1:
		n, err := unpackUint(in, 2)
		return int64(int16(n)), err
	case 0xd2:
		n, err := unpackUint(in, 4)
		return int64(int32(n)), err
	case 0xd3:
		n, err := unpackUint(in, 8)
		return int64(n), err
	case 0xd4, 0xd5, 0xd6, 0xd7, 0xd8:
		return unpackExtension(in, 1<<(tag-0xd4))
	case 0xc7:
		return unpackSized(in, 1, unpackExtension)
	case 0xdc:
		return unpackSized(in, 2, unpackArray)
	case 0xdd:
		return unpackSized(in, 4, unpackArray)
	case 0xde:
		return unpackSized(in, 2, unpackMap)
	case 0xdf:
		return unpackSized(in, 4, unpackMap)
	}
	return nil, fmt.Errorf("unpack: tag %#x", tag)
}

func unpackUint(in *bufio.Reader, size int) (uint64, error) {
	var b [8]byte
	if _, err := io.ReadFull(in, b[8-size:]); err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint64(b[:]), nil
}

func unpackSized(in *bufio.Reader, size int, read func(*bufio.Reader, int) (any, error)) (any, error) {
	n, err := unpackUint(in, size)
	if err != nil {
		return nil, err
	}
	return read(in, int(n))
}

func unpackString(in *bufio.Reader, n int) (any, error) {
	b := make([]byte, n)
	_, err := io.ReadFull(in, b)
	return string(b), err
}

func unpackArray(in *bufio.Reader, n int) (any, error) {
	list := make([]any, n)
	for i := range list {
		var err error
		if list[i], err = unpack(in); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func unpackMap(in *bufio.Reader, n int) (any, error) {
	m := make(map[string]any, n)
	for range n {
		key, err := unpack(in)
		if err != nil {
			return nil, err
		}
		if m[fmt.Sprint(key)], err = unpack(in); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func unpackExtension(in *bufio.Reader, n int) (any, error) {
	if _, err := in.ReadByte(); err != nil { // the type
		return nil, err
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(in, b); err != nil {
		return nil, err
	}
	return unpack(bufio.NewReader(bytesReader(b)))
}
