import { execFileSync } from 'node:child_process';

const MAX_LENGTH = 72;
const SUBJECT = /^(build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test|bench)(\([\w./, -]+\))?!?: (.+)$/;
/** Words that no imperative starts with. */
const NO_VERB =
  /^(a|an|the|this|that|these|those|it|its|what|who|whoever|whose|where|when|how|why|no|not|nothing|nobody|each|every|all|any|one|some|more|less|two|three|as|at|by|for|from|in|into|of|on|to|with|and|or)$/i;
/** Endings of other verb forms than the imperative, with exceptions for imperatives that end the same way. */
const OTHER_FORM = /(?<!e|^sh|^emb)ed$|(?<!^(br|s|r|str|spr|cl|st))ing$|(?<![su]|^b[iy]a)s$/i;

export function subjectFault(subject) {
  if (/^(Merge|Revert|fixup!|squash!) ?/.test(subject)) return undefined;
  if (subject.length > MAX_LENGTH) return `${subject.length} characters, at most ${MAX_LENGTH}`;
  const rest = SUBJECT.exec(subject)?.[3];
  if (rest === undefined) return 'needs "type(scope): what to do" (Conventional Commits)';
  const [verb] = rest.split(/[\s,:]/);
  return NO_VERB.test(verb) || OTHER_FORM.test(verb) ? `begins with "${verb}", needs an imperative` : undefined;
}

const git = (root, ...args) =>
  execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The subjects of the commits since `base`, or the reason why they cannot be checked. */
export function subjectsSince(root, base) {
  try {
    git(root, 'rev-parse', '--verify', 'HEAD');
  } catch {
    return { skipped: 'no git history' };
  }
  try {
    git(root, 'merge-base', '--is-ancestor', base, 'HEAD');
  } catch {
    const isShallow = git(root, 'rev-parse', '--is-shallow-repository') === 'true';
    return { skipped: `commit ${base} is not in ${isShallow ? 'this shallow clone' : 'the history of HEAD'}` };
  }
  const subjects = git(root, 'log', '--format=%s', `${base}..HEAD`).split('\n').filter(Boolean);
  return { subjects };
}
