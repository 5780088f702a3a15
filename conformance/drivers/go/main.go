// A program under test: go-bexpr 0.1.2, as Debian packages it (golang-github-hashicorp-go-bexpr-dev). It wants typed rows.
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go build -o /tmp/go-bexpr main.go
//	tamis-conformance run -- /tmp/go-bexpr
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/hashicorp/go-bexpr"
)

type field struct {
	Kind, Go, Key, Name, SelectorName string
	Of                                *field
	Len                               int
	Nullable, Hidden                  bool
}

type message struct {
	ID, Expression, Schema string
	Row                    *string
	Protocol               int
	Unknown                json.RawMessage
	Structs                map[string]struct{ Fields map[string]*field }
}

type answer map[string]interface{}

var structs map[string]struct{ Fields map[string]*field }

var open = map[string]bool{}

var scalars = map[string]reflect.Type{
	"string": reflect.TypeOf(""), "bool": reflect.TypeOf(false), "float32": reflect.TypeOf(float32(0)), "float64": reflect.TypeOf(0.0),
	"int": reflect.TypeOf(0), "int8": reflect.TypeOf(int8(0)), "int16": reflect.TypeOf(int16(0)), "int32": reflect.TypeOf(int32(0)), "int64": reflect.TypeOf(int64(0)),
	"uint": reflect.TypeOf(uint(0)), "uint8": reflect.TypeOf(uint8(0)), "uint16": reflect.TypeOf(uint16(0)), "uint32": reflect.TypeOf(uint32(0)), "uint64": reflect.TypeOf(uint64(0)),
}

func typeOf(f *field) reflect.Type {
	var t reflect.Type
	switch f.Kind {
	case "struct":
		t = structOf(f.Name)
	case "list":
		t = reflect.SliceOf(typeOf(f.Of))
	case "array":
		t = reflect.ArrayOf(f.Len, typeOf(f.Of))
	case "map":
		key := scalars["string"]
		if known, ok := scalars[f.Key]; ok {
			key = known
		}
		t = reflect.MapOf(key, typeOf(f.Of))
	case "any":
		t = reflect.TypeOf((*interface{})(nil)).Elem()
	default:
		name := f.Kind
		if f.Go != "" {
			name = f.Go
		}
		t = scalars[name]
	}
	if f.Nullable {
		return reflect.PtrTo(t)
	}
	return t
}

func structOf(name string) reflect.Type {
	if open[name] { // A type made at run time cannot hold itself: below its first level it is not there.
		return scalars["bool"]
	}
	open[name] = true
	defer delete(open, name)
	var fields []reflect.StructField
	for property, f := range structs[name].Fields {
		tag := ""
		if f.Hidden {
			tag = `bexpr:"-"`
		} else if f.SelectorName != "" {
			tag = fmt.Sprintf("bexpr:%q", f.SelectorName)
		}
		fields = append(fields, reflect.StructField{Name: property, Type: typeOf(f), Tag: reflect.StructTag(tag)})
	}
	return reflect.StructOf(fields)
}

func ask(m message) (said answer) {
	if strings.Count(m.Expression, "(") > 6 || len(m.Expression) > 5000 { // Its parser takes four times as long for each.
		return answer{"skip": "size"}
	}
	if _, err := bexpr.Parse("", []byte(m.Expression)); err != nil {
		return answer{"error": "syntax", "words": err.Error()}
	}
	if m.Row == nil {
		return answer{"accepted": true}
	}
	if m.Schema == "" {
		return answer{"skip": "schema"}
	}
	if m.Unknown != nil {
		return answer{"skip": "unknown"}
	}
	defer func() {
		if thrown := recover(); thrown != nil {
			said = answer{"error": "evaluation", "words": fmt.Sprint("panic: ", thrown)}
		}
	}()
	row := reflect.New(structOf(m.Schema))
	if err := json.Unmarshal([]byte(*m.Row), row.Interface()); err != nil {
		return answer{"skip": "number"}
	}
	evaluator, err := bexpr.CreateEvaluatorForType(m.Expression, nil, row.Elem().Interface())
	if err != nil { // It has been read: the type is what it does not fit.
		return answer{"error": "evaluation", "words": err.Error()}
	}
	value, err := evaluator.Evaluate(row.Elem().Interface())
	if err != nil {
		return answer{"error": "evaluation", "words": err.Error()}
	}
	return answer{"value": value}
}

func main() {
	in, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	in.Buffer(nil, 1<<28)
	for in.Scan() {
		var m message
		if err := json.Unmarshal(in.Bytes(), &m); err != nil {
			panic(err)
		}
		if m.Protocol != 0 {
			out.Encode(answer{"name": "go-bexpr", "version": "0.1.2"})
		} else if m.Structs != nil {
			structs = m.Structs
		} else {
			said := ask(m)
			said["id"] = m.ID
			out.Encode(said)
		}
	}
}
