import ts from 'typescript';
import { nodesOf, patternOf, placeOf } from './sources.mjs';
import { placeholdersOf } from './text-files.mjs';

const PLURAL = /\.(zero|one|two|few|many|other)$/;

const isTranslation = (node) =>
  ts.isCallExpression(node) &&
  (node.expression.getText() === 't' || node.expression.getText().endsWith('.t')) &&
  node.arguments.length > 0;

/** The literal keys that an expression can evaluate to, including both branches of a conditional. */
function literalsOf(expression) {
  if (ts.isStringLiteralLike(expression)) return [expression];
  if (ts.isConditionalExpression(expression)) {
    return [...literalsOf(expression.whenTrue), ...literalsOf(expression.whenFalse)];
  }
  return [];
}

/** The names of the values passed to a text. Undefined when the source does not show them. */
function valuesOf(argument) {
  if (argument === undefined) return [];
  if (!ts.isObjectLiteralExpression(argument)) return undefined;
  const names = argument.properties.map(({ name }) => name?.getText());
  return names.includes(undefined) ? undefined : names.filter((name) => name !== 'count').sort();
}

/** Each key under its own name, and plural forms also under their common name. */
function formsOf(texts) {
  const forms = new Map();
  for (const key of texts.keys()) {
    const name = key.replace(PLURAL, '');
    for (const form of new Set([key, name])) forms.set(form, [...(forms.get(form) ?? []), key]);
  }
  return forms;
}

/**
 * Finds the keys that sources use, and calls that do not fit the texts.
 *
 * @param texts of one entry: key → text.
 * @returns the used keys by source file, and the faults.
 */
export function usesOf(sources, entry, texts) {
  const faults = [];
  const forms = formsOf(texts);
  const inSource = (source) => {
    const used = new Set();
    const use = (form) => {
      for (const key of forms.get(form) ?? []) used.add(key);
      return forms.has(form);
    };
    const checkCall = (call) => {
      const [key, values] = call.arguments;
      for (const literal of literalsOf(key)) {
        if (!use(literal.text)) faults.push(`${placeOf(literal)}: ${entry}.json has no ${literal.text}`);
        const given = valuesOf(values);
        for (const form of forms.get(literal.text) ?? []) {
          const wanted = placeholdersOf(texts.get(form)).filter((name) => name !== 'count');
          if (given && wanted.join() !== given.join()) {
            faults.push(`${placeOf(literal)}: ${form} gets {${given.join(', ')}} but needs {${wanted.join(', ')}}`);
          }
        }
      }
    };
    const checkTemplate = (template) => {
      const pattern = patternOf(template);
      if (!/^[a-z_]+\\\./.test(pattern)) return;
      const matching = [...forms.keys()].filter((form) => new RegExp(`^${pattern}$`).test(form));
      matching.forEach(use);
      if (matching.length === 0 && isTranslation(template.parent)) {
        faults.push(`${placeOf(template)}: ${entry}.json has no key like ${template.getText()}`);
      }
    };
    for (const node of nodesOf(source)) {
      if (isTranslation(node)) checkCall(node);
      else if (ts.isTemplateExpression(node)) checkTemplate(node);
      else if (ts.isStringLiteralLike(node)) use(node.text);
    }
    return used;
  };
  return { used: new Map(sources.map((source) => [source.fileName, inSource(source)])), faults };
}

/**
 * Finds texts that no source uses.
 *
 * @param sections key → section.
 * @param used from `usesOf`.
 */
export function unusedFaults(sections, used) {
  const all = new Set([...used.values()].flatMap((keys) => [...keys]));
  return [...sections].filter(([key]) => !all.has(key)).map(([key, section]) => `${section}.json: no page uses ${key}`);
}
