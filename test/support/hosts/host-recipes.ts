import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..', '..');
const INDEX = 'docs/extending.md';

/** A block of code of a page, which its first line names. Blocks of pages for hosts import each other as files of one folder. */
export interface Recipe {
  readonly document: string;
  readonly text: string;
  /** Undefined if the first line names no file. */
  readonly file: string | undefined;
}

export function recipesOf(document: string): Recipe[] {
  const page = readFileSync(join(root, document), 'utf8');
  return Array.from(page.matchAll(/^```tsx?\n([^]*?)^```$/gm), ([, text = '']) => ({
    document,
    text,
    file: /^\/\/ ([\w./-]+\.tsx?)\n/.exec(text)?.[1],
  }));
}

/** The index of the pages for hosts, and the pages that its first table lists. */
export function hostPages(): string[] {
  const [tasks = ''] = readFileSync(join(root, INDEX), 'utf8').split('\n## ');
  const links = tasks.matchAll(/^\|[^|]+\| \[[^\]]+\]\((guides\/[\w-]+\.md)\) \|$/gm);
  return [INDEX, ...Array.from(links, ([, page = '']) => `docs/${page}`)];
}

/** Code of the browser, which hosts do not compile. */
const isOfBrowser = (file: string): boolean => file.startsWith('page/');

/** The code of all pages for hosts by file. Throws for two files of one name, and for code without one. */
export function hostRecipes(): Map<string, string> {
  const recipes = new Map<string, string>();
  for (const { document, file, text } of hostPages().flatMap(recipesOf)) {
    if (file === undefined) throw new Error(`Code in ${document} names no file in its first line`);
    if (recipes.has(file)) throw new Error(`Two pages have ${file}`);
    if (!isOfBrowser(file)) recipes.set(file, text);
  }
  return recipes;
}

/** Types of what the pages use and this repository does not install. */
export const NOT_INSTALLED = `declare module '@nestjs/graphql' {
  export function Field(): PropertyDecorator;
  export function ObjectType(): ClassDecorator;
  export function Query(type: () => unknown): MethodDecorator;
  export function Resolver(type: () => unknown): ClassDecorator;
}
declare module '@nestjs/websockets' {
  export function MessageBody(): ParameterDecorator;
  export function SubscribeMessage(name: string): MethodDecorator;
  export function WebSocketGateway(): ClassDecorator;
}
`;
