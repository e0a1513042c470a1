import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStatic, Command, UsageError } from './command';
import { commandOf, commands, helpOf } from './commands';
import { completionScript } from './completion-script';
import { parse } from './parse';
import { argumentsOf, optionsOf, optionText, typedAs } from './usage';

const page = readFileSync(join(__dirname, '../../docs/operating/command-line.md'), 'utf8');

/** The part of the page on a command: from its usage line to that of the next command. */
function documented(command: Command): string {
  const usage = `\n\`${typedAs(command)}\`\n`;
  const start = page.indexOf(usage);
  return start < 0 ? '' : (page.slice(start + usage.length).split(/^(?:`|## )/m)[0] ?? '');
}

const named = commands.map((command) => [command.name, command] as const);

function problemOf(line: string): string {
  try {
    parse(line.split(' '));
  } catch (error) {
    if (error instanceof UsageError) return error.message.split('\n')[0] ?? '';
    throw error;
  }
  return '';
}

describe('commands', () => {
  it('have different names', () => {
    expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
  });

  it.each(named)('%s has help with every argument, every option and an example that parses', (name, command) => {
    const help = helpOf(name.split(' ')) ?? '';
    expect(help).toContain(`Usage: ${typedAs(command)}\n`);
    for (const word of argumentsOf(command)) expect(help).toContain(`  ${word.name}  `);
    for (const [option, shape] of Object.entries(optionsOf(command))) {
      expect(help).toContain(`  ${optionText(option, shape)}  `);
      expect(shape.summary).toMatch(/^[A-Z]/);
    }
    expect(help).toContain(`\nExample:\n  castellan ${command.example}\n`);
    const [words = ''] = command.example.split(' > ');
    expect(parse(words.split(' ')).command).toBe(command);
  });

  it.each(named)('%s is in docs/operating/command-line.md, with its usage and what it does', (_name, command) => {
    expect(documented(command)).toMatch(/\S/);
  });

  it('print JSON on request, except completion', () => {
    const silent = commands.filter((command) => !optionsOf(command)['json']).map(({ name }) => name);
    expect(silent).toEqual(['completion']);
  });

  it('ask before they destroy', () => {
    const asking = commands.filter((command) => !isStatic(command) && command.question).map(({ name }) => name);
    expect(asking).toEqual([
      'user disable',
      'user delete',
      'user reset-password',
      'user reset-mfa',
      'session revoke-all',
      'client rotate',
    ]);
  });

  it('take no secret from the arguments', () => {
    const options = commands.flatMap((command) =>
      Object.entries(optionsOf(command)).flatMap(([name, { value }]) => (value === undefined ? [] : name)),
    );
    expect(options.filter((name) => /password|secret|token/.test(name))).toEqual([]);
  });
});

describe('parse', () => {
  it.each([
    ['user list --limit 0', '--limit must be a whole number from 1 to 100.'],
    ['user list --limit 101', '--limit must be a whole number from 1 to 100.'],
    ['user list --limit ten', '--limit must be a whole number from 1 to 100.'],
    ['user list --limit 5 --limit 6', '--limit may be given only once.'],
    ['user list --status gone', '--status must be one of active, disabled.'],
    ['user show', 'The argument USER is missing.'],
    ['role grant ann', 'The argument ROLE is missing.'],
    ['user show ann bob', 'Too many arguments.'],
    ['user create ann --generate-password --no-password', '--generate-password and --no-password exclude each other.'],
    ['user create ann --password x', "Unknown option '--password'"],
    ['client create Reports', '--owner is missing.'],
    [
      'client create Reports --owner ann --grant-type magic',
      '--grant-type must be one of authorization_code, refresh_token, client_credentials.',
    ],
    ['client list --cursor x', '--cursor must be the one that a list printed.'],
    ['client list --cursor 2x10 --limit 20', '--limit must be 10 with this cursor.'],
    ['client rotate x --overlap 604801', '--overlap must be a whole number from 0 to 604800.'],
    [
      'session revoke-all --since yesterday',
      '--since must be a date and time with an offset, such as 2026-03-01T08:00:00Z.',
    ],
    [
      'audit export --to 2026-02-30T00:00:00Z',
      '--to must be a date and time with an offset, such as 2026-03-01T08:00:00Z.',
    ],
    ['completion fish', 'The argument must be one of bash, zsh.'],
  ])('explains what is wrong with "%s"', (line, problem) => {
    expect(problemOf(line)).toBe(problem);
  });

  it('keeps every value of an option that may be repeated', () => {
    expect(parse('user create ann --role a --role b'.split(' ')).options).toEqual({ role: ['a', 'b'] });
  });
});

/** `"castellan user d"` → the words, quoted for a shell, and their number. */
function typed(line: string): { quoted: string; count: number; last: string } {
  const words = line.split(' ');
  return { quoted: words.map((word) => `'${word}'`).join(' '), count: words.length, last: words.at(-1) ?? '' };
}

function printed(shell: string, script: string): string[] {
  const { stdout, stderr } = spawnSync(shell, ['-c', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
}

const LINES: [string, string[]][] = [
  ['castellan us', ['user']],
  ['castellan user d', ['disable', 'delete']],
  ['castellan user list --l', ['--limit']],
  ['castellan user list --status ', ['active', 'disabled']],
  ['castellan doctor --lang ', ['en', 'zh']],
  ['castellan doctor --l', ['--lang']],
  ['castellan completion ', ['bash', 'zsh', '--help']],
  ['castellan settings export --', ['--json', '--help']],
  ['castellan import --d', ['--dry-run']],
  ['castellan settings import ./fi', []],
];

describe('completion', () => {
  const bash = completionScript('bash', commands);

  /** The candidates of bash for a line whose last word is being typed. */
  function completed(line: string): string[] {
    const { quoted, count } = typed(line);
    const call = `COMP_WORDS=(${quoted}); COMP_CWORD=${count - 1}; _castellan; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return printed('bash', `${bash}\n${call}`);
  }

  it.each(LINES)('completes "%s" in bash', (line, expected) => {
    expect(completed(line)).toEqual(expected);
  });

  it.each(named)('offers every option of %s in both shells', (name, command) => {
    const options = Object.keys(optionsOf(command)).map((option) => `--${option}`);
    expect(completed(`castellan ${name} --`)).toEqual([...options, '--help']);
    const line = bash
      .split('\n')
      .find((text) => text.includes(`candidates="`) && text.includes(` --help"`) && text.trim().startsWith(`'${name}`));
    expect(line).toBeDefined();
    expect(completionScript('zsh', commands)).toContain(line);
  });

  it('registers the function with the shell', () => {
    expect(commandOf(['completion'])).toBeDefined();
    expect(bash).toMatch(/\ncomplete -o default -F _castellan castellan\n$/);
    expect(completionScript('zsh', commands)).toMatch(/^#compdef castellan\n[^]*\ncompdef _castellan castellan\n$/);
  });
});

const ZSH = '/usr/bin/zsh';
if (!existsSync(ZSH)) process.stdout.write(`${ZSH} is missing; skipped: completion in zsh\n`);
(existsSync(ZSH) ? describe : describe.skip)('completion in zsh', () => {
  it.each(LINES)('completes "%s"', (line, expected) => {
    const { quoted, count, last } = typed(line);
    // Outside the line editor, these three do not exist or refuse to run.
    const editor = 'compdef() {}; _files() {}; compadd() { shift; print -l -- "$@" }';
    const call = `words=(${quoted}); CURRENT=${count}; _castellan`;
    const candidates = printed(ZSH, `${editor}\n${completionScript('zsh', commands)}\n${call}`);
    expect(candidates.filter((candidate) => candidate.startsWith(last))).toEqual(expected);
  });
});
