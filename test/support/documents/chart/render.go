// Renders a Helm chart with the libraries that Helm uses, where Helm itself is not installed:
//
//	go run render.go CHART < values.json
//
// Standard input holds the release, the merged values and the chart's metadata, as templates see them.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

func functions(templates *template.Template) template.FuncMap {
	all := sprig.TxtFuncMap()
	all["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return string(bytes.TrimSuffix(text, []byte("\n"))), err
	}
	all["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := templates.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	all["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	return all
}

func render(chart string) (map[string]string, error) {
	var data map[string]interface{}
	if err := json.NewDecoder(os.Stdin).Decode(&data); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return nil, err
	}
	templates := template.New("chart").Option("missingkey=error")
	templates.Funcs(functions(templates))
	if _, err := templates.ParseFiles(files...); err != nil {
		return nil, err
	}
	rendered := map[string]string{}
	for _, file := range files {
		name := filepath.Base(file)
		var out bytes.Buffer
		if err := templates.ExecuteTemplate(&out, name, data); err != nil {
			return nil, err
		}
		rendered[name] = out.String()
	}
	return rendered, nil
}

func main() {
	rendered, err := render(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	json.NewEncoder(os.Stdout).Encode(rendered)
}
