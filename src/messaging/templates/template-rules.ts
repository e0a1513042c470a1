import { FieldProblem, ProblemParams } from '../../platform/errors';
import { forbiddenHtml, textOfHtml } from './html-rules';
import { isCodePurpose, placeholders, placeholdersIn } from './placeholders';
import { TemplateContent, TemplateKey } from './template';

type Field = 'subject' | 'text' | 'html' | 'provider_template';

const CODE = '{code}';
/** Where mail programs and phones would make the code part of a link. Another placeholder beside it may be a link. */
const TOUCHED_CODE = /[\w\-/=?&#%@.~+}]\{code\}|\{code\}(?:[\w\-/=?&#%@~+{]|[.:][\w{])/;
const LINK = /:\/\/|www\.|\.[a-z]{2,}\//i;
const CONTROLS = /(?![\n\t])\p{Cc}/u;

/** Checks word by word. A single expression would search the rest of the text again after each link. */
function isCodeLinked(text: string): boolean {
  const codesAfterLink = text.split(/\s+/).some((word) => {
    const link = word.search(LINK);
    return link !== -1 && word.lastIndexOf(CODE) > link;
  });
  return codesAfterLink || TOUCHED_CODE.test(text);
}

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
  const problems = [...problemsOfText(key, 'text', text), ...codeMissing(key, 'text', text)];
  if (subject === null) return problems;
  // Mail servers log subjects, and locked phones show them.
  const hasCode = isCodePurpose(key.purpose) && subject.includes(CODE);
  return [
    ...problems,
    ...problemsOfText(key, 'subject', subject),
    ...(hasCode ? [problem('subject', 'code_in_subject')] : []),
  ];
}

function problemsOfText(key: TemplateKey, field: Field, text: string): FieldProblem[] {
  return [
    ...(text.trim() === '' ? [problem(field, 'visible')] : []),
    ...(CONTROLS.test(text) || (field === 'subject' && /\s/.test(text.replaceAll(' ', '')))
      ? [problem(field, 'no_control_characters')]
      : []),
    ...unknownPlaceholders(key, field, text),
    ...(isCodeLinked(text) ? [problem(field, 'code_in_link')] : []),
  ];
}

function problemsOfHtml(key: TemplateKey, { html }: TemplateContent): FieldProblem[] {
  if (html === null) return [];
  const forbidden = forbiddenHtml(html);
  return [
    ...(forbidden === undefined ? [] : [problem('html', 'mail_html', { piece: forbidden })]),
    ...unknownPlaceholders(key, 'html', html),
    ...codeMissing(key, 'html', html),
    ...(isCodeLinked(textOfHtml(html)) ? [problem('html', 'code_in_link')] : []),
  ];
}

function unknownPlaceholders({ purpose }: TemplateKey, field: Field, text: string): FieldProblem[] {
  const known: readonly string[] = placeholders[purpose];
  const unknown = placeholdersIn(text).filter((name) => !known.includes(name));
  const options = known.map((name) => `{${name}}`).join(', ');
  return unknown.length > 0 ? [problem(field, 'unknown_placeholder', { options })] : [];
}

function codeMissing({ purpose }: TemplateKey, field: Field, text: string): FieldProblem[] {
  return isCodePurpose(purpose) && !text.includes(CODE) ? [problem(field, 'code_missing')] : [];
}
