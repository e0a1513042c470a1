import { createReadStream } from 'node:fs';
import { JSONParser } from '@streamparser/json';

/** The file is not what was expected; the message is for a person. */
export class UnreadableFile extends Error {}

/** Which values of a file are wanted: `$.users.*` is each of the list `users`. */
export interface WantedValues {
  /** Where the file is one object, or objects line by line (NDJSON). */
  readonly ofObject: readonly string[];
  /** Where it is a list. */
  readonly ofList: readonly string[];
}

export interface JsonValue {
  /** The member of the outermost object that contained it; undefined where there is none. */
  readonly list: string | undefined;
  readonly value: unknown;
}

/** Every value on its own: NDJSON, and a document that is one value. */
export const WHOLE = '$';

const BYTE_ORDER_MARK = '\uFEFF';
const CHUNK_BYTES = 65_536;

interface Found {
  readonly stack: readonly { readonly key?: string | number | undefined }[];
  readonly value?: unknown;
}

function parserFor(paths: readonly string[], found: JsonValue[], fail: (error: Error) => void): JSONParser {
  const parser = new JSONParser({
    paths: [...paths],
    keepStack: false,
    ...(paths.includes(WHOLE) && { separator: '' }),
  });
  parser.onValue = ({ stack, value }: Found) => {
    const list = stack[1]?.key;
    found.push({ list: typeof list === 'string' ? list : undefined, value });
  };
  parser.onError = fail;
  return parser;
}

/**
 * The wanted values of a JSON or NDJSON file, one at a time; of the rest nothing is kept but the object around them.
 * Errors: `UnreadableFile`.
 */
export async function* readJsonValues(path: string, wanted: WantedValues): AsyncGenerator<JsonValue> {
  const found: JsonValue[] = [];
  let problem: Error | undefined;
  let parser: JSONParser | undefined;
  for await (const text of textOf(path)) {
    const rest = parser ? text : text.replace(BYTE_ORDER_MARK, '').trimStart();
    if (rest === '') continue;
    parser ??= parserFor(rest.startsWith('[') ? wanted.ofList : wanted.ofObject, found, (error) => (problem ??= error));
    parser.write(rest);
    yield* found.splice(0);
    if (problem) throw new UnreadableFile(`${path} is no JSON that can be read: ${problem.message}`);
  }
  if (!parser) throw new UnreadableFile(`${path} is empty`);
  if (!parser.isEnded) parser.end();
  yield* found;
  if (problem) throw new UnreadableFile(`${path} ends in the middle: ${problem.message}`);
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
