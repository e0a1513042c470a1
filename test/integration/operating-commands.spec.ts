import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '../../src/cli/commands';
import { readEnvironment } from '../../src/platform/config';
import { typed } from '../support/service/command-line';
import {
  blocksOf,
  commandBlocks,
  commandsUnder,
  introduction,
  pages,
  runCommands,
  SQL_NOT_RUN,
} from '../support/documents/documented-commands';
import { TestService } from '../support/service/test-service';

const tests = join(__dirname, '..');
const sources = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.spec.ts'))
  .map((name) => readFileSync(join(tests, name), 'utf8'))
  .join('\n');

/** Programs that the text of the pages names with arguments. */
const PROGRAMS = /^(?:amtool|apt-get|cli|docker|helm|kubectl|nginx|node|npm|pg_\w+|promtool|psql|redis-cli|systemctl)$/;
/** Tests run these. */
const RUN = ['cli', 'node', 'npm', 'promtool'];

describe('commands of docs/operating', () => {
  it('are run by a test, or their block says that they are not', () => {
    const run = commandBlocks.filter(({ isRun }) => isRun).map(({ heading }) => heading);
    expect(run.length).toBeGreaterThan(15);
    expect(run.filter((heading) => !sources.includes(`commandsUnder('${heading}', `))).toEqual([]);
    const sql = blocksOf('sql').filter(({ text }) => !text.startsWith(SQL_NOT_RUN));
    expect(sql.filter(({ heading }) => !sources.includes(`heading === '${heading}'`))).toEqual([]);
  });

  it('are run by a test when the text names them, or the introduction says that they are not', () => {
    const named = Array.from(pages.matchAll(/`([\w-]+) [^`\n]+`/g), ([, program = '']) => program);
    const programs = [...new Set(named.filter((word) => PROGRAMS.test(word)))];
    expect(programs.length).toBeGreaterThan(5);
    const isKnown = (program: string): boolean => RUN.includes(program) || introduction.includes(`\`${program}\``);
    expect(programs.filter((program) => !isKnown(program))).toEqual([]);
  });

  it.each(commands.map(({ name }) => name))('include %s, which a test runs', (name) => {
    expect(new RegExp(`['"\`]${name}[ '"\`]`).test(sources)).toBe(true);
  });
});

describe('completion', () => {
  it('prints the script of the shell', async () => {
    const { code, out } = await typed('completion bash');
    expect([code, out.split('\n').includes('complete -o default -F _castellan castellan')]).toEqual([0, true]);
  });
});

describe('keys of docs/operating', () => {
  it('are made by its command in the form that the service reads', async () => {
    const [command = ''] = commandsUnder('Encryption keys', 1);
    const keys = (await runCommands(command, { cwd: tmpdir(), env: {} })).trim();
    expect(readEnvironment({ ENCRYPTION_KEYS: keys }).encryptionKeys).toBe(keys);
  });

  it('are retired by its statement', async () => {
    const service = await TestService.start();
    try {
      const [key] = await service.query<{ id: string }>(`SELECT id FROM signing_key WHERE retired_at IS NULL LIMIT 1`);
      const [block] = blocksOf('sql').filter(({ heading }) => heading === 'Encryption keys');
      await service.query(block!.text.replace('<kid>', key!.id));
      const [after] = await service.query('SELECT retired_at FROM signing_key WHERE id = $1', [key!.id]);
      expect(after?.['retired_at']).toBeInstanceOf(Date);
    } finally {
      await service.stop();
    }
  });
});
