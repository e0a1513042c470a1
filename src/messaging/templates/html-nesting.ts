import { HtmlToken } from './html-tokens';

/** The parent of the outermost elements. */
const ROOT = '';
const VOID = new Set(['br', 'hr', 'img', 'meta']);
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const ROWS = ['thead', 'tbody', 'tfoot'];

/** Elements with allowed parents. Elsewhere parsers ignore their tags, or the tags close another element. */
const PARENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['html', [ROOT]],
  ['head', [ROOT, 'html']],
  ['body', [ROOT, 'html']],
  ['title', [ROOT, 'head']],
  ['meta', [ROOT, 'head']],
  ['caption', ['table']],
  ...ROWS.map((name): [string, string[]] => [name, ['table']]),
  ['tr', ['table', ...ROWS]],
  ['td', ['tr']],
  ['th', ['tr']],
  ['li', ['ul', 'ol']],
  ['dt', ['dl']],
  ['dd', ['dl']],
]);

/** Elements with allowed children, and no text: parsers would move other content in front of them. */
const CHILDREN: ReadonlyMap<string, readonly string[]> = new Map([
  ['html', ['head', 'body']],
  ['head', ['title', 'meta']],
  ['title', []],
  ['table', ['caption', 'tr', ...ROWS]],
  ...ROWS.map((name): [string, string[]] => [name, ['tr']]),
  ['tr', ['td', 'th']],
]);

/** Elements that a start tag within another one would end. */
const NEVER_WITHIN: ReadonlyMap<string, readonly string[]> = new Map([
  ['a', ['a']],
  ...HEADINGS.map((name): [string, string[]] => [name, HEADINGS]),
]);

/** Browsers close elements themselves when they are nested several hundred deep. */
const MAX_DEPTH = 100;

/** The progress through a page, which only advances. */
enum Stage {
  Nothing,
  Page,
  Head,
  Body,
  Over,
}

interface Reach {
  readonly latest: Stage;
  readonly then: Stage;
}

const CONTENT: Reach = { latest: Stage.Body, then: Stage.Body };
const STYLE: Reach = { latest: Stage.Body, then: Stage.Head };
const REACHES: ReadonlyMap<string, Reach> = new Map([
  ['html', { latest: Stage.Nothing, then: Stage.Page }],
  ['head', { latest: Stage.Page, then: Stage.Head }],
  ['title', { latest: Stage.Head, then: Stage.Head }],
  ['meta', { latest: Stage.Head, then: Stage.Head }],
  ['body', { latest: Stage.Head, then: Stage.Body }],
]);

/** White space as the HTML standard defines it. Other white space counts as text. */
const isBlank = (text: string): boolean => !/[^\t\n\f\r ]/.test(text);

/**
 * Tracks the open elements, as the HTML standard's parser (§13.2.6) does when it neither ignores nor moves anything.
 */
class Nesting {
  private readonly open: { readonly name: string; readonly piece: string }[] = [];
  private stage = Stage.Nothing;

  get unclosed(): string | undefined {
    return this.open.at(-1)?.piece;
  }

  accepts(token: HtmlToken): boolean {
    if (token.kind === 'text') return isBlank(token.piece) || this.acceptsText();
    if (token.kind === 'style') return !['html', 'title'].includes(this.parent) && this.reach(STYLE);
    return token.kind === 'end' ? this.end(token.name) : this.start(token.name, token.piece);
  }

  private get parent(): string {
    return this.open.at(-1)?.name ?? ROOT;
  }

  private acceptsText(): boolean {
    return this.parent === 'title' || (!CHILDREN.has(this.parent) && this.reach(CONTENT));
  }

  private start(name: string, piece: string): boolean {
    if (!this.isAllowedHere(name) || !this.reach(REACHES.get(name) ?? CONTENT)) return false;
    if (!VOID.has(name)) this.open.push({ name, piece });
    return this.open.length <= MAX_DEPTH;
  }

  private end(name: string): boolean {
    if (this.open.length === 0 || this.parent !== name) return false;
    this.open.pop();
    if (name === 'body' || name === 'html') this.stage = Stage.Over;
    return true;
  }

  private isAllowedHere(name: string): boolean {
    const { parent } = this;
    if (PARENTS.get(name)?.includes(parent) === false || CHILDREN.get(parent)?.includes(name) === false) return false;
    const outside = NEVER_WITHIN.get(name) ?? [];
    return !this.open.some((element) => outside.includes(element.name));
  }

  private reach({ latest, then }: Reach): boolean {
    if (this.stage > latest) return false;
    if (this.stage < then) this.stage = then;
    return true;
  }
}

/**
 * The first piece that a mail program would ignore, move or close itself. Undefined: the markup is parsed as written.
 * Texts around an ignored tag would be joined, and could form a link.
 */
export function misplacedPiece(tokens: readonly HtmlToken[]): string | undefined {
  const nesting = new Nesting();
  return tokens.find((token) => !nesting.accepts(token))?.piece ?? nesting.unclosed;
}
