import 'reflect-metadata';
import * as fs from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { InfoService } from '../../info';
import { UiController } from './ui.controller';
import { UiFilesService } from './ui-files.service';

jest.mock('node:fs', () => ({ __esModule: true, ...jest.requireActual<typeof fs>('node:fs') }));

const SCRIPT = 'console.log("a script")';

/** Simulates built pages with one script. */
function build(): jest.SpyInstance {
  jest.spyOn(fs, 'existsSync').mockImplementation((path) => String(path).includes('auth'));
  jest.spyOn(fs, 'readFileSync').mockReturnValue(Buffer.from(SCRIPT));
  return jest.spyOn(fs, 'readdirSync').mockReturnValue(['a-1.js'] as never);
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('UiFilesService', () => {
  it('reads files again after a failed read', async () => {
    const files = new UiFilesService();
    build().mockImplementationOnce(() => {
      throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    });
    await expect(files.asset('a-1.js')).rejects.toMatchObject({ code: 'EMFILE' });
    expect((await files.asset('a-1.js'))?.content.toString()).toBe(SCRIPT);
  });

  it('reads a file once for concurrent requests and compresses it unchanged', async () => {
    const files = new UiFilesService();
    const listed = build();
    const [one, other] = await Promise.all([files.asset('a-1.js'), files.asset('a-1.js')]);
    expect(other).toBe(one);
    expect(listed).toHaveBeenCalledTimes(1);
    expect(one?.type).toBe('text/javascript; charset=utf-8');
    expect(gunzipSync(one?.gzipped ?? '').toString()).toBe(SCRIPT);
    expect(await files.asset('b-1.js')).toBeUndefined();
  });

  it.each([
    { encodings: undefined, packed: false },
    { encodings: 'br', packed: false },
    { encodings: 'gzip, deflate, br', packed: true },
    { encodings: 'br;q=1, GZIP; q=0.5', packed: true },
    { encodings: 'gzip;q=0, *', packed: false },
    { encodings: 'gzip; q=0.000', packed: false },
    { encodings: 'x-not-gzip', packed: false },
  ])('sends gzip to clients that accept it: $encodings -> $packed', async ({ encodings, packed }) => {
    build();
    const headers: Record<string, string> = {};
    const reply = {
      header(name: string, value: string) {
        headers[name] = value;
        return reply;
      },
    };
    const controller = new UiController(new UiFilesService(), {} as InfoService);
    const sent = await controller.asset('a-1.js', encodings, reply as unknown as FastifyReply);
    expect([headers['content-encoding'], packed ? gunzipSync(sent).toString() : sent.toString()]).toEqual([
      packed ? 'gzip' : undefined,
      SCRIPT,
    ]);
    // Vary also has the origins that may read the response.
    expect(headers['vary']).toBe('Origin, Accept-Encoding');
  });
});
