import { Tokenizer, type TokenizerOptions, TokenParser } from '@streamparser/json';
import { isInexact, isJsonObject, parseForeignJson } from '../platform/util';
import { OnBytes, textOf, UnreadableFile } from './file-text';

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
  /** The name of the value in the object around it, or its place in a list. */
  readonly key?: string | number | undefined;
  readonly value: unknown;
}

/** A line of NDJSON that is not a JSON object. */
export class UnreadableLine {
  constructor(readonly line: number) {}
}

/** The path of a whole document: each line of NDJSON, or a file that is one value. */
export const WHOLE = '$';

interface Found {
  readonly key?: string | number | undefined;
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

/** Collects the wanted values of the text that is written to it. */
export function valueParser(
  paths: readonly string[],
  found: JsonValue[],
  fail: (error: Error) => void,
): Pick<Tokenizer, 'write' | 'end' | 'isEnded'> {
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
  parser.onValue = ({ stack, key, value }: Found) => {
    const list = stack[1]?.key;
    found.push({ list: typeof list === 'string' ? list : undefined, key, value });
  };
  parser.onError = (error) => {
    tokenizer.error(error);
  };
  tokenizer.onError = fail;
  return tokenizer;
}

/**
 * Yields the wanted values of a JSON file one at a time, and keeps nothing else in memory but the object around them.
 * Errors: `UnreadableFile`.
 */
export async function* readJsonValues(
  path: string,
  wanted: WantedValues,
  onBytes?: OnBytes,
): AsyncGenerator<JsonValue> {
  const found: JsonValue[] = [];
  let problem: Error | undefined;
  let parser: ReturnType<typeof valueParser> | undefined;
  let lines = 1;
  for await (const text of textOf(path, onBytes)) {
    const rest = parser ? text : text.trimStart();
    if (rest !== '') {
      parser ??= valueParser(
        rest.startsWith('[') ? wanted.ofList : wanted.ofObject,
        found,
        (error) => (problem ??= error),
      );
      parser.write(rest);
      yield* found.splice(0);
    }
    if (problem) {
      throw new UnreadableFile(
        `${path} is not valid JSON (lines ${lines} to ${lines + linesIn(text)}): ${problem.message}`,
      );
    }
    lines += linesIn(text);
  }
  if (!parser) throw new UnreadableFile(`${path} is empty`);
  if (!parser.isEnded) parser.end();
  yield* found;
  if (problem) throw new UnreadableFile(`${path} is truncated: ${problem.message}`);
}

/**
 * Yields the objects of a file that is a list, one object, or one object per line (NDJSON). Lines of NDJSON that are not
 * an object are yielded as `UnreadableLine`. Errors: `UnreadableFile`.
 */
export async function* readJsonObjects(path: string, onBytes?: OnBytes): AsyncGenerator {
  if (await isNdjson(path)) {
    yield* readLines(path, onBytes);
    return;
  }
  for await (const { value } of readJsonValues(path, { ofObject: [WHOLE], ofList: ['$.*'] }, onBytes)) yield value;
}

/** Whether one of the first lines is an object. The lines of a list or of an object over several lines are none. */
async function isNdjson(path: string): Promise<boolean> {
  let head = '';
  for await (const text of textOf(path)) {
    head = `${head}${text}`.trimStart();
    if (head.includes('\n') || head.length > MAX_LINE) break;
  }
  const first = head.split('\n', FIRST_LINES);
  return !head.startsWith('[') && first.some((line) => objectOf(line) !== undefined);
}

const FIRST_LINES = 5;
const MAX_LINE = 16_777_216;

function objectOf(line: string): unknown {
  try {
    const value = parseForeignJson(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function* readLines(path: string, onBytes?: OnBytes): AsyncGenerator {
  let line = 0;
  for await (const text of linesOf(path, onBytes)) {
    line += 1;
    if (text.trim() !== '') yield objectOf(text) ?? new UnreadableLine(line);
  }
}

async function* linesOf(path: string, onBytes?: OnBytes): AsyncGenerator<string> {
  let rest = '';
  for await (const text of textOf(path, onBytes)) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE) throw new UnreadableFile(`${path} has a line that is longer than any user`);
    yield* lines;
  }
  yield rest;
}

const linesIn = (text: string): number => text.split('\n').length - 1;
