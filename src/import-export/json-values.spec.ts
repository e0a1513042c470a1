import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnreadableFile } from './file-text';
import { readJsonValues, WHOLE } from './json-values';

const WANTED = { ofObject: ['$.users.*'], ofList: ['$.*'] };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'castellan-json-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function valuesOf(text: string, wanted = WANTED): Promise<unknown[]> {
  const path = join(folder, 'file.json');
  await writeFile(path, text);
  const values: unknown[] = [];
  for await (const { value } of readJsonValues(path, wanted)) values.push(value);
  return values;
}

describe('readJsonValues', () => {
  it('keeps all digits of ids, so that two users stay two', async () => {
    const users = '{"id":1234567890123456791},{"id":1234567890123456792},{"id":42},{"id":-9223372036854775808}';
    const expected = ['1234567890123456791', '1234567890123456792', 42, '-9223372036854775808'].map((id) => ({ id }));
    expect(await valuesOf(`{"users":[${users}]}`)).toEqual(expected);
    expect(await valuesOf(`[${users}]`)).toEqual(expected);
  });

  it('reads one object a line', async () => {
    const lines = { ofObject: [WHOLE], ofList: ['$.*'] };
    expect(await valuesOf('{"a":1}\n{"a":12345678901234567890}\n', lines)).toEqual([
      { a: 1 },
      { a: '12345678901234567890' },
    ]);
  });

  it.each(['{"users":[{]}', '{"users":[1', ''])('rejects %j', async (text) => {
    await expect(valuesOf(text)).rejects.toThrow(UnreadableFile);
  });
});
