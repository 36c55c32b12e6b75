// What the Go type checker says of every identifier in a module, in the lines that typescript.mjs
// writes. Packages from outside of the module and of the standard library are not there, so that
// places whose types come from them are not judged.
// Usage: go run truth.go <project>
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"
)

type project struct {
	root   string
	module map[string]string // folder of each module by its path
	files  *token.FileSet
	lines  map[string][]string
	known  map[string]*types.Package
	std    types.Importer
	told   map[string]bool
}

func main() {
	root, _ := filepath.Abs(os.Args[1])
	files := token.NewFileSet()
	p := &project{root, map[string]string{}, files, map[string][]string{}, map[string]*types.Package{},
		importer.ForCompiler(files, "source", nil), map[string]bool{}}
	folders := map[string]bool{}
	filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		switch {
		case err != nil || info.IsDir() && (info.Name() == "vendor" || info.Name() == "testdata"):
			return filepath.SkipDir
		case info.Name() == "go.mod":
			text, _ := os.ReadFile(path)
			if found := regexp.MustCompile(`(?m)^module\s+(\S+)`).FindSubmatch(text); found != nil {
				p.module[string(found[1])] = filepath.Dir(path)
			}
		case strings.HasSuffix(path, ".go"):
			folders[filepath.Dir(path)] = true
		}
		return nil
	})
	ordered := []string{}
	for folder := range folders {
		ordered = append(ordered, folder)
	}
	sort.Strings(ordered)
	for _, folder := range ordered {
		for _, sources := range p.parsed(folder, true) {
			p.tell(sources)
		}
	}
}

// The files of a folder by the name of their package.
func (p *project) parsed(folder string, tests bool) map[string][]*ast.File {
	found := map[string][]*ast.File{}
	paths, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	for _, path := range paths {
		if !tests && strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(p.files, path, nil, parser.SkipObjectResolution)
		if err == nil {
			found[file.Name.Name] = append(found[file.Name.Name], file)
		}
	}
	return found
}

func (p *project) Import(path string) (*types.Package, error) {
	if known, there := p.known[path]; there {
		return known, nil
	}
	for module, folder := range p.module {
		if path == module || strings.HasPrefix(path, module+"/") {
			for _, sources := range p.parsed(filepath.Join(folder, strings.TrimPrefix(path, module)), false) {
				made := p.checked(path, sources, &types.Info{})
				p.known[path] = made
				return made, nil
			}
		}
	}
	return p.std.Import(path)
}

func (p *project) checked(path string, sources []*ast.File, info *types.Info) *types.Package {
	config := types.Config{Importer: p, Error: func(error) {}, FakeImportC: true}
	made, _ := config.Check(path, p.files, sources, info)
	return made
}

func (p *project) tell(sources []*ast.File) {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	p.checked(sources[0].Name.Name, sources, info)
	for _, source := range sources {
		path := p.place(source.Pos())[0]
		if !p.told[path.(string)] {
			p.told[path.(string)] = true
			write(path)
		}
	}
	for name, object := range info.Uses {
		if _, isPackage := object.(*types.PkgName); isPackage || name.Name == "_" {
			continue
		}
		places, counts := [][]any{}, false
		if object.Pos().IsValid() && p.own(object.Pos()) {
			places, counts = append(places, p.place(object.Pos())), isShown(object)
		}
		place := p.place(name.Pos())
		write(place[0], place[1], place[2], counts, places)
	}
}

func isShown(object types.Object) bool {
	if variable, is := object.(*types.Var); is && variable.IsField() {
		return true
	}
	if function, is := object.(*types.Func); is && function.Signature().Recv() != nil {
		return true
	}
	if _, is := object.Type().(*types.TypeParam); is {
		return false
	}
	return object.Parent() != nil && object.Pkg() != nil && object.Parent() == object.Pkg().Scope()
}

func (p *project) own(at token.Pos) bool {
	return strings.HasPrefix(p.files.Position(at).Filename, p.root+"/")
}

func (p *project) place(at token.Pos) []any {
	position := p.files.Position(at)
	lines, known := p.lines[position.Filename]
	if !known {
		text, _ := os.ReadFile(position.Filename)
		lines = strings.Split(string(text), "\n")
		p.lines[position.Filename] = lines
	}
	relative, _ := filepath.Rel(p.root, position.Filename)
	line := lines[position.Line-1]
	return []any{relative, position.Line - 1, utf8.RuneCountInString(line[:min(position.Column-1, len(line))])}
}

func write(told ...any) {
	text, _ := json.Marshal(told)
	fmt.Println(string(text))
}
