import { Command } from './command';
import { argumentsOf, optionsOf, PROGRAM } from './usage';

export const shells = ['bash', 'zsh'] as const;
export type Shell = (typeof shells)[number];

/** The parts of a script in which the shells differ. Both set the variables that `choose` reads. */
const frames: Readonly<Record<Shell, { readonly head: readonly string[]; readonly tail: readonly string[] }>> = {
  bash: {
    head: [
      `_${PROGRAM}() {`,
      '  local position=$COMP_CWORD first="${COMP_WORDS[1]}" second="${COMP_WORDS[2]}" candidates=""',
      '  local previous="${COMP_WORDS[COMP_CWORD-1]}"',
    ],
    tail: [
      '  COMPREPLY=($(compgen -W "$candidates" -- "${COMP_WORDS[COMP_CWORD]}"))',
      '}',
      `complete -o default -F _${PROGRAM} ${PROGRAM}`,
    ],
  },
  zsh: {
    head: [
      `#compdef ${PROGRAM}`,
      `_${PROGRAM}() {`,
      '  local position=$((CURRENT - 1)) first="$words[2]" second="$words[3]" candidates=""',
      '  local previous="$words[CURRENT-1]"',
    ],
    tail: [
      '  if [[ -n "$candidates" ]]; then compadd -- ${=candidates}; else _files; fi',
      '}',
      `compdef _${PROGRAM} ${PROGRAM}`,
    ],
  },
};

const unique = (words: readonly string[]): string => [...new Set(words)].join(' ');

/** The words that follow the first word of a command. */
const secondsOf = (commands: readonly Command[], first: string): string[] =>
  commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? name.slice(first.length + 1) : []));

/** Matches the words before the cursor: a command of one word, whatever follows, or one of two. */
const patternOf = (name: string): string => (name.includes(' ') ? `'${name}'` : `'${name} '*`);

function valueCases(command: Command): string[] {
  return Object.entries(optionsOf(command)).flatMap(([name, { choices }]) =>
    choices ? [`    ${patternOf(command.name)}'|--${name}') candidates="${choices.join(' ')}";;`] : [],
  );
}

function optionCase(command: Command): string {
  const options = Object.keys(optionsOf(command)).map((name) => `--${name}`);
  const choices = argumentsOf(command).flatMap((argument) => argument.choices ?? []);
  return `    ${patternOf(command.name)}) candidates="${unique([...choices, ...options, '--help'])}";;`;
}

/** Sets `candidates` from the words before the cursor. The same in both shells. */
function choose(commands: readonly Command[]): string[] {
  const firsts = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];
  const groups = firsts.filter((first) => secondsOf(commands, first).length > 0);
  return [
    '  if [[ $position -eq 1 ]]; then',
    `    candidates="${unique([...firsts, 'help'])}"`,
    '  elif [[ $position -eq 2 ]]; then case "$first" in',
    ...groups.map((first) => `    ${first}) candidates="${unique(secondsOf(commands, first))}";;`),
    '  esac; fi',
    '  if [[ -z "$candidates" ]]; then case "$first $second|$previous" in',
    ...commands.flatMap(valueCases),
    '  esac; fi',
    '  if [[ -z "$candidates" && $position -ge 2 ]]; then case "$first $second" in',
    ...commands.map(optionCase),
    '  esac; fi',
  ];
}

/** A completion script. It depends on the table alone, so it needs no running service. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  const { head, tail } = frames[shell];
  return `${[...head, ...choose(commands), ...tail].join('\n')}\n`;
}
