import { FieldProblem, ProblemParams } from '../../platform/errors';
import { forbiddenHtml, textOfHtml } from './html-rules';
import { isCodePurpose, isLinkPurpose, placeholders, placeholdersIn } from './placeholders';
import { TemplateContent, TemplateKey } from './template';

type Field = 'subject' | 'text' | 'html' | 'provider_template';

const CODE = '{code}';
const SECRET_LINK = '{link}';
/** Where mail programs and phones would make the secret part of another link. A placeholder beside it may be a link. */
const TOUCHED = {
  [CODE]: /[\w\-/=?&#%@.~+}]\{code\}|\{code\}(?:[\w\-/=?&#%@~+{]|[.:][\w{])/,
  [SECRET_LINK]: /[\w\-/=?&#%@.~+}]\{link\}|\{link\}(?:[\w\-/=?&#%@~+{]|[.:][\w{])/,
};
const LINK = /:\/\/|www\.|\.[a-z]{2,}\//i;
const CONTROLS = /(?![\n\t])\p{Cc}/u;

/** Checks word by word. A single expression would search the rest of the text again after each link. */
function isLinked(text: string, secret: keyof typeof TOUCHED): boolean {
  const isAfterLink = text.split(/\s+/).some((word) => {
    const link = word.search(LINK);
    return link !== -1 && word.lastIndexOf(secret) > link;
  });
  return isAfterLink || TOUCHED[secret].test(text);
}

const linkedSecrets = (field: Field, text: string): FieldProblem[] => [
  ...(isLinked(text, CODE) ? [problem(field, 'code_in_link')] : []),
  ...(isLinked(text, SECRET_LINK) ? [problem(field, 'link_in_link')] : []),
];

const problem = (field: Field, code: string, params?: ProblemParams): FieldProblem => ({
  field,
  code,
  ...(params && { params }),
});

/** Everything that is invalid in the content for this template. */
export function templateProblems(key: TemplateKey, content: TemplateContent): FieldProblem[] {
  return [...misplaced(key, content), ...problemsOfTexts(key, content), ...problemsOfHtml(key, content)];
}

function misplaced({ channel }: TemplateKey, { subject, html, providerTemplate }: TemplateContent): FieldProblem[] {
  if (channel === 'email') return providerTemplate === null ? [] : [problem('provider_template', 'sms_only')];
  return [
    ...(subject === null ? [] : [problem('subject', 'mail_only')]),
    ...(html === null ? [] : [problem('html', 'mail_only')]),
  ];
}

function problemsOfTexts(key: TemplateKey, { subject, text }: TemplateContent): FieldProblem[] {
  const problems = [...problemsOfText(key, 'text', text), ...secretMissing(key, 'text', text)];
  if (subject === null) return problems;
  // Mail servers log subjects, and locked phones show them.
  const hasCode = isCodePurpose(key.purpose) && subject.includes(CODE);
  const hasLink = isLinkPurpose(key.purpose) && subject.includes(SECRET_LINK);
  return [
    ...problems,
    ...problemsOfText(key, 'subject', subject),
    ...(hasCode ? [problem('subject', 'code_in_subject')] : []),
    ...(hasLink ? [problem('subject', 'link_in_subject')] : []),
  ];
}

function problemsOfText(key: TemplateKey, field: Field, text: string): FieldProblem[] {
  return [
    ...(text.trim() === '' ? [problem(field, 'visible')] : []),
    ...(CONTROLS.test(text) || (field === 'subject' && /\s/.test(text.replaceAll(' ', '')))
      ? [problem(field, 'no_control_characters')]
      : []),
    ...unknownPlaceholders(key, field, text),
    ...linkedSecrets(field, text),
  ];
}

function problemsOfHtml(key: TemplateKey, { html }: TemplateContent): FieldProblem[] {
  if (html === null) return [];
  const forbidden = forbiddenHtml(html);
  return [
    ...(forbidden === undefined ? [] : [problem('html', 'mail_html', { piece: forbidden })]),
    ...unknownPlaceholders(key, 'html', html),
    ...secretMissing(key, 'html', html),
    ...linkedSecrets('html', textOfHtml(html)),
  ];
}

function unknownPlaceholders({ purpose }: TemplateKey, field: Field, text: string): FieldProblem[] {
  const known: readonly string[] = placeholders[purpose];
  const unknown = placeholdersIn(text).filter((name) => !known.includes(name));
  const options = known.map((name) => `{${name}}`).join(', ');
  return unknown.length > 0 ? [problem(field, 'unknown_placeholder', { options })] : [];
}

function secretMissing({ purpose }: TemplateKey, field: Field, text: string): FieldProblem[] {
  if (isCodePurpose(purpose) && !text.includes(CODE)) return [problem(field, 'code_missing')];
  return isLinkPurpose(purpose) && !text.includes(SECRET_LINK) ? [problem(field, 'link_missing')] : [];
}
