import { ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createHmac } from 'node:crypto';
import { eventually } from '../support/service/eventually';

const EXAMPLE = join(__dirname, '../../examples/webhook-receiver');
const vector = readFileSync(join(EXAMPLE, 'verify/vector.tsv'), 'utf8');
const cases = vector
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t', 2).join(': '));

const languages = [
  { name: 'Node.js', command: process.execPath, arguments: ['verify.mjs'], version: '--version' },
  { name: 'Python', command: 'python3', arguments: ['verify.py'], version: '--version' },
  { name: 'Go', command: 'go', arguments: ['run', 'verify.go'], version: 'version' },
  { name: 'Java', command: 'java', arguments: ['Verify.java'], version: '--version' },
  { name: 'PHP', command: 'php', arguments: ['verify.php'], version: '--version' },
];

async function verdictsOf(command: string, args: string[]): Promise<string[]> {
  const child = spawn(command, args, { cwd: join(EXAMPLE, 'verify'), stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  child.stdin.end(vector);
  await once(child, 'close');
  return output.trimEnd().split('\n');
}

describe('verification of webhooks', () => {
  it.each(languages)('in $name passes the test vector', async ({ name, command, arguments: args, version }) => {
    if (spawnSync(command, [version]).status !== 0) {
      process.stdout.write(`${command} is not installed; skipped: verification of webhooks in ${name}\n`);
      return;
    }
    const verdicts = await verdictsOf(command, args);
    expect(verdicts.map((verdict, at) => `${verdict}: ${cases[at]?.split(': ')[1]}`)).toEqual(cases);
  });
});

describe('the example of a receiver', () => {
  const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const folder = mkdtempSync(join(tmpdir(), 'castellan-receiver-'));
  const lines: string[] = [];
  let receiver: ChildProcess;
  let url: string;

  async function start(): Promise<void> {
    const env = { PATH: process.env['PATH'] ?? '', SECRET, PORT: '0', INBOX: join(folder, 'inbox.jsonl') };
    receiver = spawn(process.execPath, [join(EXAMPLE, 'server.mjs')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    createInterface({ input: receiver.stdout! }).on('line', (line) => lines.push(line));
    const started = await eventually(
      async () => lines.find((line) => line.startsWith('Listening')),
      (line) => line !== undefined,
      20,
    );
    url = `http://127.0.0.1:${started!.split(' ').at(-1)!}/events`;
  }

  async function stop(): Promise<void> {
    const ended = once(receiver, 'exit');
    receiver.kill('SIGKILL');
    await ended;
    lines.length = 0;
  }

  async function deliver(id: string, subject: string, secret = SECRET): Promise<number> {
    const body = JSON.stringify({ id, type: 'role.updated', subject: { type: 'role', id: subject } });
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
    return (await fetch(url, { method: 'POST', body, headers })).status;
  }
  const worked = (): string[] => lines.filter((line) => line.includes('role.updated'));

  beforeAll(start);
  afterAll(async () => {
    await stop();
    rmSync(folder, { recursive: true });
  });

  it('accepts what is signed, and works on a repeated event once, also after a crash', async () => {
    const statuses = [
      await deliver('1', 'a'),
      await deliver('2', 'a'),
      await deliver('1', 'a'),
      await deliver('3', 'b'),
    ];
    expect(statuses).toEqual([204, 204, 204, 204]);
    expect(await deliver('4', 'a', `whsec_${Buffer.alloc(32, 8).toString('base64')}`)).toBe(401);
    await eventually(
      async () => worked().length,
      (count) => count === 3,
    );
    expect(worked().filter((line) => line.endsWith(' a'))).toEqual(['1 role.updated a', '2 role.updated a']);
    await stop();
    await start();
    expect([await deliver('2', 'a'), await deliver('5', 'a')]).toEqual([204, 204]);
    await eventually(
      async () => worked(),
      (all) => all.includes('5 role.updated a'),
    );
    expect(worked()).toEqual(['5 role.updated a']);
  });
});
