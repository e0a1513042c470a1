import ts from 'typescript';
import { nodesOf, placeOf } from './sources.mjs';

/** What is the same in every language, and why. */
const ALLOWED = new Map([
  ['English', 'a language names itself'],
  ['中文', 'a language names itself'],
]);

/** Attributes whose text people read or hear. */
const SHOWN =
  /^(label|title|placeholder|alt|description|error|lead|hint|action|summary|message|aria-(label|description|valuetext|roledescription))$/;

const LETTER = /\p{L}/u;
/** A word with a capital, or several words, or Chinese: names in code have none of these. */
const PROSE = /\p{Script=Han}|^\p{Lu}\p{Ll}+|\p{L} \p{L}/u;

/** Attributes and properties that hold names for machines: classes, addresses, styles. */
const UNSEEN = /^(class(Name)?|autoComplete|rel|to|href|src|d|viewBox|style|fontFamily|font)$/;

const attributeOf = (node) => {
  const { parent } = node;
  if (ts.isTemplateExpression(parent) || ts.isJsxExpression(parent) || ts.isTemplateSpan(parent))
    return attributeOf(parent);
  return ts.isJsxAttribute(parent) || ts.isPropertyAssignment(parent) ? parent.name.getText() : '';
};

/** Where text is for developers or machines: module names, thrown errors, comparisons, unseen attributes. */
function isForMachines(node) {
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isExternalModuleReference(parent) || ts.isLiteralTypeNode(parent))
    return true;
  if (ts.isNewExpression(parent) && parent.expression.getText() === 'Error') return true;
  if (ts.isElementAccessExpression(parent) || UNSEEN.test(attributeOf(node))) return true;
  return ts.isBinaryExpression(parent) && /^[!=]==?$/.test(parent.operatorToken.getText());
}

function isShown(node) {
  if (ts.isJsxText(node)) return LETTER.test(node.text);
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateHead(node) && !ts.isTemplateMiddleOrTemplateTail(node))
    return false;
  if (ALLOWED.has(node.text)) return false;
  if (ts.isJsxAttribute(node.parent) && SHOWN.test(attributeOf(node))) return LETTER.test(node.text);
  return PROSE.test(node.text) && !isForMachines(node);
}

/** Text for people that stands in the source of a page instead of `i18n/`. */
export const literalFaults = (sources) =>
  sources
    .flatMap((source) => [...nodesOf(source)])
    .filter(isShown)
    .map((node) => `${placeOf(node)}: text for people belongs in i18n/: ${JSON.stringify(node.text.trim())}`);
