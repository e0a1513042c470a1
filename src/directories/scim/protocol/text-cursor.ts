import { badRequest, quoted, ScimErrorType } from './scim-error';

const NAME = /[A-Za-z$][\w$.:-]*/y;
const TEXT = /"(?:[^"\\]|\\.)*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Reads a filter or a path from left to right. */
export class TextCursor {
  private position = 0;

  constructor(
    private readonly text: string,
    /** How errors call the text. */
    private readonly label: string,
    maxLength: number,
    /** Of errors from here on. */
    public scimType: ScimErrorType,
  ) {
    if (text.length > maxLength) throw badRequest(scimType, `${label}: longer than ${maxLength} characters`);
  }

  get isAtEnd(): boolean {
    return this.position >= this.text.length;
  }

  skipSpaces(): void {
    while (this.text[this.position] === ' ') this.position += 1;
  }

  /** Whether the character comes next. */
  isAt(character: string): boolean {
    return this.text[this.position] === character;
  }

  /** Reads the character if it comes next. */
  take(character: string): boolean {
    const isNext = this.isAt(character);
    if (isNext) this.position += 1;
    return isNext;
  }

  expect(character: string): void {
    if (!this.take(character)) this.fail(`${quoted(character)} expected`);
  }

  /** Reads a name, an operator or a literal without quotes. Leaves the position where there is none. */
  takeName(): string | undefined {
    return this.match(NAME);
  }

  /** Reads the name if it is the given one, without case. */
  takeWord(word: string): boolean {
    const start = this.position;
    if (this.takeName()?.toLowerCase() === word) return true;
    this.position = start;
    return false;
  }

  /** Reads a JSON text in quotes, with its escapes. */
  takeText(): string | undefined {
    const start = this.position;
    if (!this.isAt('"')) return undefined;
    const literal = this.match(TEXT) ?? this.fail('a text without a closing quote');
    try {
      return JSON.parse(literal) as string;
    } catch {
      this.position = start;
      return this.fail('a text that is not valid JSON');
    }
  }

  takeNumber(): number | undefined {
    const literal = this.match(NUMBER);
    return literal === undefined ? undefined : Number(literal);
  }

  /** Goes back to before what was read, for an error about it. */
  mark(): () => void {
    const marked = this.position;
    return () => {
      this.position = marked;
    };
  }

  fail(what: string): never {
    throw badRequest(this.scimType, `${this.label}: ${what} at character ${this.position + 1}`);
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.position += found.length;
    return found;
  }
}
