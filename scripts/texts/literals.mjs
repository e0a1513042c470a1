import ts from 'typescript';
import { nodesOf, placeOf } from './sources.mjs';

/** Texts that are the same in every language, and the reason. */
const ALLOWED = new Map([
  ['English', 'a language names itself'],
  ['中文', 'a language names itself'],
]);

/** Attributes with text that users see or hear. */
const SHOWN =
  /^(label|title|placeholder|alt|description|error|lead|hint|action|summary|message|aria-(label|description|valuetext|roledescription))$/;

const LETTER = /\p{L}/u;
/** A capitalized word, several words, or Chinese. Identifiers have none of these. */
const PROSE = /\p{Script=Han}|^\p{Lu}\p{Ll}+|\p{L} \p{L}/u;

/** Attributes and properties with identifiers: classes, URLs, styles. */
const UNSEEN = /^(class(Name)?|autoComplete|rel|to|href|src|d|viewBox|style|fontFamily|font)$/;

const attributeOf = (node) => {
  const { parent } = node;
  if (ts.isTemplateExpression(parent) || ts.isJsxExpression(parent) || ts.isTemplateSpan(parent))
    return attributeOf(parent);
  return ts.isJsxAttribute(parent) || ts.isPropertyAssignment(parent) ? parent.name.getText() : '';
};

/** `String.raw` marks the code of an example. */
function isExampleCode({ parent }) {
  if (ts.isTaggedTemplateExpression(parent)) return parent.tag.getText() === 'String.raw';
  return (ts.isTemplateExpression(parent) || ts.isTemplateSpan(parent)) && isExampleCode(parent);
}

/** Whether the text is for developers or code: module names, thrown errors, comparisons, technical attributes. */
function isTechnical(node) {
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isExternalModuleReference(parent) || ts.isLiteralTypeNode(parent))
    return true;
  if (ts.isNewExpression(parent) && parent.expression.getText() === 'Error') return true;
  if (isExampleCode(node)) return true;
  if (ts.isElementAccessExpression(parent) || UNSEEN.test(attributeOf(node))) return true;
  return ts.isBinaryExpression(parent) && /^[!=]==?$/.test(parent.operatorToken.getText());
}

function isShown(node) {
  if (ts.isJsxText(node)) return LETTER.test(node.text);
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateHead(node) && !ts.isTemplateMiddleOrTemplateTail(node))
    return false;
  if (ALLOWED.has(node.text)) return false;
  if (ts.isJsxAttribute(node.parent) && SHOWN.test(attributeOf(node))) return LETTER.test(node.text);
  return PROSE.test(node.text) && !isTechnical(node);
}

/** Finds user-facing text that is hard-coded in a page's source instead of `i18n/`. */
export const literalFaults = (sources) =>
  sources
    .flatMap((source) => [...nodesOf(source)])
    .filter(isShown)
    .map((node) => `${placeOf(node)}: user-facing text belongs in i18n/: ${JSON.stringify(node.text.trim())}`);
