import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';

/** The file cannot be read as expected. The message is written for the operator. */
export class UnreadableFile extends Error {}

/** Called with the bytes that were read since the last call. */
export type OnBytes = (bytes: number) => void;

const CHUNK_BYTES = 65_536;
const LINE_FEED = 0x0a;
/** More than the last characters of a chunk that another one completes. */
const MAX_CUT_BYTES = 3;

interface Signature {
  readonly what: string;
  readonly remedy: string;
  readonly matches: (head: Buffer) => boolean;
}

const startsWith =
  (...bytes: readonly number[]) =>
  (head: Buffer): boolean =>
    head.subarray(0, bytes.length).equals(Buffer.from(bytes));

const hasZeroIn =
  (place: 0 | 1) =>
  (head: Buffer): boolean =>
    head.length > 1 && head[place] === 0 && head[1 - place] !== 0;

const utf16 = (matches: Signature['matches']): Signature => ({
  what: 'is in UTF-16, as PowerShell and spreadsheets write it',
  remedy: 'iconv -f UTF-16 -t UTF-8 FILE > utf8.json',
  matches,
});

/** What operators have at hand in place of the text of an export. */
const SIGNATURES: readonly Signature[] = [
  { what: 'is compressed by gzip', remedy: 'gunzip FILE', matches: startsWith(0x1f, 0x8b) },
  { what: 'is compressed by zstd', remedy: 'unzstd FILE', matches: startsWith(0x28, 0xb5, 0x2f, 0xfd) },
  {
    what: 'is a ZIP archive or a workbook',
    remedy: 'unzip FILE, or save the workbook as CSV UTF-8',
    matches: startsWith(0x50, 0x4b, 0x03, 0x04),
  },
  {
    what: 'is a dump of PostgreSQL',
    remedy: 'export the users as JSON',
    matches: (head) => head.subarray(0, 5).toString('latin1') === 'PGDMP',
  },
  utf16(startsWith(0xff, 0xfe)),
  utf16(startsWith(0xfe, 0xff)),
  utf16(hasZeroIn(0)),
  utf16(hasZeroIn(1)),
];

/** The text of a UTF-8 file, in parts, without a byte order mark. Errors: `UnreadableFile`. */
export async function* textOf(path: string, onBytes: OnBytes = () => undefined): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let lines = 1;
  let isFirst = true;
  for await (const chunk of bytesOf(path)) {
    if (isFirst) rejectSignature(path, chunk);
    isFirst = false;
    onBytes(chunk.length);
    yield decoded(path, decoder, chunk, lines);
    lines += linesIn(chunk);
  }
  yield decoded(path, decoder, undefined, lines);
}

async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) yield chunk as Buffer;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new UnreadableFile(`${path} does not exist (ENOENT)`, { cause: error });
    throw code === undefined ? error : new UnreadableFile(`Cannot read ${path}: ${code}`, { cause: error });
  }
}

function rejectSignature(path: string, head: Buffer): void {
  const found = SIGNATURES.find(({ matches }) => matches(head));
  if (found) throw new UnreadableFile(`${path} ${found.what}. First: ${found.remedy.replace('FILE', path)}`);
}

function decoded(path: string, decoder: TextDecoder, chunk: Buffer | undefined, line: number): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch (error) {
    if (!chunk) throw new UnreadableFile(`${path} is truncated within a character`, { cause: error });
    const wrong = firstWrongLine(chunk);
    const encoding = likelyEncoding(wrong.bytes);
    throw new UnreadableFile(
      `${path} is not UTF-8: line ${line + wrong.before} looks like ${encoding}. First: iconv -f ${encoding} -t UTF-8 ${path} > utf8.json`,
      { cause: error },
    );
  }
}

/** The first line that is not UTF-8, and the lines before it. Characters may be cut at both ends of the chunk. */
function firstWrongLine(chunk: Buffer): { readonly bytes: Buffer; readonly before: number } {
  let start = 0;
  for (let before = 0; start < chunk.length; before += 1) {
    const end = chunk.indexOf(LINE_FEED, start);
    const isLast = end < 0;
    const bytes = chunk.subarray(start, isLast ? chunk.length - MAX_CUT_BYTES : end);
    const whole = before === 0 ? withoutCutStart(bytes) : bytes;
    if (isLast || !isUtf8(whole)) return { bytes: chunk.subarray(start, isLast ? undefined : end), before };
    start = end + 1;
  }
  return { bytes: chunk, before: 0 };
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80 && byte < 0xc0;

function withoutCutStart(bytes: Buffer): Buffer {
  let cut = 0;
  while (cut < MAX_CUT_BYTES && isContinuation(bytes[cut])) cut += 1;
  return bytes.subarray(cut);
}

/** Letters of GBK are pairs of bytes. Those of Western encodings stand alone between ASCII letters. */
function likelyEncoding(bytes: Buffer): 'GBK' | 'WINDOWS-1252' {
  const runs = bytes.toString('latin1').match(/[\u0080-\u00ff]+/g) ?? [];
  const paired = runs.filter((run) => run.length % 2 === 0).length;
  return paired * 2 > runs.length ? 'GBK' : 'WINDOWS-1252';
}

function linesIn(chunk: Buffer): number {
  let count = 0;
  for (let place = chunk.indexOf(LINE_FEED); place >= 0; place = chunk.indexOf(LINE_FEED, place + 1)) count += 1;
  return count;
}
