// Checks for plain words: marked words in comments, names, test names, docs, messages and texts, kinds of injectables,
// length of comments and commit subjects. `npm run words -- src/auth/login` lists the findings of a folder and never fails.
// `npm run lint` fails.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { calmEnd } from './calm-end.mjs';
import { commentsOf, parse, testNamesOf } from './words/comments.mjs';
import { markedIn, wordsIn } from './words/marked.mjs';
import { hashCommentsOf, jsonTextsOf, proseOf } from './words/prose.mjs';
import { injectablesOf, markedNamesOf, messagesOf } from './words/sources.mjs';
import { subjectFault, subjectsSince } from './words/subjects.mjs';

/** The highest number of marked words per 1,000 words, for each kind of text. */
const MAX_MARKED_PER_1000 = 1;
/** The lowest share of injectables whose class and file name their kind. */
const MIN_WITH_KIND = 0.95;
/** The longest comment and docstring in lines. A docstring may need more lines for units, errors and RFC sections. */
const MAX_COMMENT_LINES = 8;
const MAX_DOCSTRING_LINES = 14;
/** Commits after this one are checked. */
const SUBJECTS_SINCE = '7d44a2f';

const root = resolve(import.meta.dirname, '..');
const isReport = process.argv.includes('--report');
const given = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

const SKIPPED = /(^|\/)(node_modules|dist|\.tmp|\.data|coverage|api)(\/|$)|schema\.ts$|\.d\.ts$/;
const CODE = /\.(ts|tsx|mjs|cjs|js)$/;
const HASH = /(^|\/)Dockerfile[\w.]*$|\.(ya?ml|nginx|sh|conf|service|tpl)(\.template)?$/;

function filesUnder(...folders) {
  const files = folders.flatMap((folder) => {
    const path = join(root, folder);
    if (!existsSync(path)) return [];
    if (statSync(path).isFile()) return [folder];
    return readdirSync(path, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
  });
  return files
    .filter((file) => !SKIPPED.test(file) && statSync(join(root, file)).isFile())
    .filter((file) => given.length === 0 || given.some((path) => isBelow(file, path)))
    .sort();
}
const isBelow = (file, path) => !relative(resolve(root, path), join(root, file)).startsWith('..');
const read = (file) => readFileSync(join(root, file), 'utf8');
const rootFiles = readdirSync(root);

const sources = filesUnder('src', 'packages', 'web', 'test', 'scripts', 'migrations', 'bench', 'deploy', 'examples')
  .filter((file) => CODE.test(file))
  .map((file) => parse(file, read(file)));
const pagesOf = (...folders) => filesUnder(...folders).filter((file) => file.endsWith('.md'));
const inFile = (file, text) => ({ file, line: 1, text });

const comments = sources.flatMap((source) =>
  commentsOf(source).map((comment) => ({ file: source.fileName, ...comment })),
);
const inProduct = sources.filter(
  ({ fileName }) => /^(src|packages|web)\//.test(fileName) && !/\.spec\.tsx?$/.test(fileName),
);

const texts = {
  comments: [
    ...comments,
    ...filesUnder('deploy', 'examples', 'compose.yaml', 'Dockerfile')
      .filter((file) => HASH.test(file))
      .map((file) => inFile(file, hashCommentsOf(read(file)))),
  ],
  'test names': sources
    .filter(({ fileName }) => /\.spec\.tsx?$|^test\//.test(fileName))
    .flatMap((source) => testNamesOf(source).map((name) => ({ file: source.fileName, ...name }))),
  docs: pagesOf('docs', 'packages', 'examples', 'deploy', ...rootFiles.filter((file) => file.endsWith('.md'))).map(
    (file) => inFile(file, proseOf(read(file))),
  ),
  messages: inProduct.flatMap((source) => messagesOf(source).map((one) => ({ file: source.fileName, ...one }))),
  texts: filesUnder('i18n/en').map((file) => inFile(file, jsonTextsOf(read(file)))),
};

const places = [];
const verdicts = [];
const place = (file, line, what) => places.push(`${file}:${line}: ${what}`);
const verdict = (isGood, text) => verdicts.push({ isGood, text });

for (const [kind, parts] of Object.entries(texts)) {
  const total = parts.reduce((sum, { text }) => sum + wordsIn(text), 0);
  const found = parts.flatMap((part) => markedIn(part).map((marked) => ({ file: part.file, ...marked })));
  for (const { file, line, word } of found) place(file, line, `"${word}" in ${kind}`);
  const share = total === 0 ? 0 : (found.length * 1000) / total;
  verdict(
    share <= MAX_MARKED_PER_1000,
    `${kind}: ${found.length} marked words in ${total}, ${share.toFixed(1)} in 1,000 (goal ${MAX_MARKED_PER_1000})`,
  );
}

const names = inProduct.flatMap((source) => markedNamesOf(source).map((name) => ({ file: source.fileName, ...name })));
for (const { file, line, name, word } of names) place(file, line, `"${word}" in the name ${name}`);
verdict(names.length === 0, `names: ${names.length} with a marked word (goal 0)`);

const injectables = inProduct.flatMap((source) =>
  injectablesOf(source).map((one) => ({ file: source.fileName, ...one })),
);
const unkind = injectables.filter(({ fault }) => fault !== undefined);
for (const { file, line, fault } of unkind) place(file, line, fault);
const withKind = injectables.length === 0 ? 1 : 1 - unkind.length / injectables.length;
verdict(
  withKind >= MIN_WITH_KIND,
  `kinds: ${injectables.length - unkind.length} of ${injectables.length} injectables carry theirs, ${(withKind * 100).toFixed(0)} % (goal ${MIN_WITH_KIND * 100} %)`,
);

const long = comments.filter(({ lines, isDoc }) => lines > (isDoc ? MAX_DOCSTRING_LINES : MAX_COMMENT_LINES));
for (const { file, line, lines, isDoc } of long)
  place(file, line, `a ${isDoc ? 'docstring' : 'comment'} of ${lines} lines`);
verdict(
  long.length === 0,
  `length: ${long.length} comments over ${MAX_COMMENT_LINES} lines, docstrings over ${MAX_DOCSTRING_LINES} (goal 0)`,
);

if (given.length === 0) {
  const { subjects = [], skipped } = subjectsSince(root, SUBJECTS_SINCE);
  const faulty = subjects.map((subject) => ({ subject, fault: subjectFault(subject) })).filter(({ fault }) => fault);
  for (const { subject, fault } of faulty) places.push(`commit "${subject}": ${fault}`);
  const counted = `${faulty.length} of ${subjects.length} subjects at fault (goal 0)`;
  verdict(faulty.length === 0, `commits: ${skipped === undefined ? counted : `not checked, because ${skipped}`}`);
}

const isFailure = !isReport && given.length === 0 && verdicts.some(({ isGood }) => !isGood);
// Within the limits, the places would hide what else `npm run lint` says.
if (isReport || given.length > 0 || isFailure) for (const found of places) console.error(found);
for (const { isGood, text } of verdicts) console.error(`${isGood ? 'good' : 'over'}  ${text}`);
if (isFailure) process.exitCode = 1;
await calmEnd();
