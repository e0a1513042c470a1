import 'reflect-metadata';
import * as fs from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { silentLog } from '../../../test/support/service/recording-log';
import { InfoService } from '../../operations/info';
import { ActingCookiesService } from '../../session';
import { ExternalAvatarsService } from '../../users';
import { UiController } from './ui.controller';
import { UiFilesService } from './ui-files.service';

jest.mock('node:fs', () => ({ __esModule: true, ...jest.requireActual<typeof fs>('node:fs') }));

const SCRIPT = 'console.log("a script")';

/** Simulates built pages with one script and its compressed files. */
function build({ coded = true } = {}): jest.SpyInstance {
  jest.spyOn(fs, 'existsSync').mockImplementation((path) => String(path).includes('auth'));
  jest.spyOn(fs, 'readFileSync').mockImplementation((path) => {
    if (String(path).endsWith('.br')) return brotliCompressSync(SCRIPT);
    return String(path).endsWith('.gz') ? gzipSync(SCRIPT) : Buffer.from(SCRIPT);
  });
  const names = coded ? ['a-1.js', 'a-1.js.br', 'a-1.js.gz'] : ['a-1.js'];
  return jest.spyOn(fs, 'readdirSync').mockReturnValue(names as never);
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('UiFilesService', () => {
  it('reads files again after a failed read', () => {
    const files = new UiFilesService();
    build().mockImplementationOnce(() => {
      throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    });
    expect(() => files.asset('a-1.js')).toThrow('too many open files');
    expect(files.asset('a-1.js')?.content.toString()).toBe(SCRIPT);
  });

  it('reads a file and its compressed files once', () => {
    const files = new UiFilesService();
    const listing = build();
    const asset = files.asset('a-1.js');
    expect(files.asset('a-1.js')).toBe(asset);
    expect(listing).toHaveBeenCalledTimes(1);
    expect(asset?.type).toBe('text/javascript; charset=utf-8');
    expect(brotliDecompressSync(asset?.coded.br ?? '').toString()).toBe(SCRIPT);
    expect(gunzipSync(asset?.coded.gzip ?? '').toString()).toBe(SCRIPT);
    expect(files.asset('b-1.js')).toBeUndefined();
    expect(files.asset('a-1.js.br')).toBeUndefined();
  });

  const send = (encodings: string | undefined): { body: string; headers: Record<string, string> } => {
    const headers: Record<string, string> = {};
    const reply = {
      header(name: string, value: string) {
        headers[name] = value;
        return reply;
      },
    };
    const [info, acting] = [{} as InfoService, {} as ActingCookiesService];
    const avatars = {} as ExternalAvatarsService;
    const controller = new UiController(new UiFilesService(), info, acting, avatars, silentLog);
    const sent = controller.asset('a-1.js', encodings, reply as unknown as FastifyReply);
    const decoders: Record<string, (content: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };
    return { body: (decoders[headers['content-encoding'] ?? '']?.(sent) ?? sent).toString(), headers };
  };

  it.each([
    { encodings: undefined, coding: undefined },
    { encodings: 'br', coding: 'br' },
    { encodings: 'gzip, deflate, br', coding: 'br' },
    { encodings: 'br;q=0, GZIP; q=0.5', coding: 'gzip' },
    { encodings: 'gzip;q=0, *', coding: undefined },
    { encodings: 'gzip; q=0.000', coding: undefined },
    { encodings: 'x-not-gzip, not-br', coding: undefined },
  ])('sends $coding for the accepted encodings $encodings', ({ encodings, coding }) => {
    build();
    const { body, headers } = send(encodings);
    expect([headers['content-encoding'], body]).toEqual([coding, SCRIPT]);
    // Vary also has the origins that may read the response.
    expect(headers['vary']).toBe('Origin, Accept-Encoding');
  });

  it('sends the plain file when the build has no compressed ones', () => {
    build({ coded: false });
    const { body, headers } = send('gzip, br');
    expect([headers['content-encoding'], body]).toEqual([undefined, SCRIPT]);
  });
});
