import { createReadStream } from 'node:fs';
import { Tokenizer, type TokenizerOptions, TokenParser } from '@streamparser/json';
import { isInexact } from '../platform/util';

/** The file cannot be read as expected. The message is written for the operator. */
export class UnreadableFile extends Error {}

/** The JSON paths of the wanted values: `$.users.*` is each item of the list `users`. */
export interface WantedValues {
  /** The paths when the file is one object, or one object per line (NDJSON). */
  readonly ofObject: readonly string[];
  /** The paths when the file is a list. */
  readonly ofList: readonly string[];
}

export interface JsonValue {
  /** The member of the outermost object that contains the value. Undefined if there is none. */
  readonly list: string | undefined;
  readonly value: unknown;
}

/** The path of a whole document: each line of NDJSON, or a file that is one value. */
export const WHOLE = '$';

const BYTE_ORDER_MARK = '\uFEFF';
const CHUNK_BYTES = 65_536;

interface Found {
  readonly stack: readonly { readonly key?: string | number | undefined }[];
  readonly value?: unknown;
}

/** Keeps all digits of integers: ids of two users must not become one. The library is loaded only by imports. */
function exactTokenizer(options: TokenizerOptions): Tokenizer {
  class ExactTokenizer extends Tokenizer {
    protected override parseNumber(text: string): number {
      return isInexact(text) ? (text as unknown as number) : super.parseNumber(text);
    }
  }
  return new ExactTokenizer(options);
}

function parserFor(paths: readonly string[], found: JsonValue[], fail: (error: Error) => void): Tokenizer {
  const options = { paths: [...paths], keepStack: false, ...(paths.includes(WHOLE) && { separator: '' }) };
  const tokenizer = exactTokenizer(options);
  const parser = new TokenParser(options);
  tokenizer.onToken = (token) => {
    parser.write(token);
  };
  tokenizer.onEnd = () => {
    if (!parser.isEnded) parser.end();
  };
  parser.onEnd = () => {
    if (!tokenizer.isEnded) tokenizer.end();
  };
  parser.onValue = ({ stack, value }: Found) => {
    const list = stack[1]?.key;
    found.push({ list: typeof list === 'string' ? list : undefined, value });
  };
  parser.onError = (error) => {
    tokenizer.error(error);
  };
  tokenizer.onError = fail;
  return tokenizer;
}

/**
 * Yields the wanted values of a JSON or NDJSON file one at a time, and keeps nothing else in memory but the object
 * around them. Errors: `UnreadableFile`.
 */
export async function* readJsonValues(path: string, wanted: WantedValues): AsyncGenerator<JsonValue> {
  const found: JsonValue[] = [];
  let problem: Error | undefined;
  let parser: Tokenizer | undefined;
  for await (const text of textOf(path)) {
    const rest = parser ? text : text.replace(BYTE_ORDER_MARK, '').trimStart();
    if (rest === '') continue;
    parser ??= parserFor(rest.startsWith('[') ? wanted.ofList : wanted.ofObject, found, (error) => (problem ??= error));
    parser.write(rest);
    yield* found.splice(0);
    if (problem) throw new UnreadableFile(`${path} is not valid JSON: ${problem.message}`);
  }
  if (!parser) throw new UnreadableFile(`${path} is empty`);
  if (!parser.isEnded) parser.end();
  yield* found;
  if (problem) throw new UnreadableFile(`${path} is truncated: ${problem.message}`);
}

async function* textOf(path: string): AsyncGenerator<string> {
  try {
    const stream = createReadStream(path, { encoding: 'utf8', highWaterMark: CHUNK_BYTES });
    for await (const chunk of stream) yield chunk as string;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new UnreadableFile(`Cannot read ${path}: ${code}`, { cause: error });
  }
}
