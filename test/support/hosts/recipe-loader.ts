import { createParamDecorator, ExecutionContext, SetMetadata } from '@nestjs/common';
import { Options, transformSync } from '@swc/core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as testing from '../../../src/testing';
import { hostRecipes } from './host-recipes';

const root = join(__dirname, '../..', '..');
const { jsc } = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8')) as Options;

/** The code of the pages for hosts, by the name in its first line. */
const recipes = new Map(Array.from(hostRecipes(), ([file, code]) => [file.replace(/\.ts$/, ''), code]));

export const recipeNames = (): string[] => [...recipes.keys()];

export type Exports = Record<string, unknown>;
const loaded = new Map<string, Exports>();

export const isLoaded = (name: string): boolean => loaded.has(name);

const nothing = () => (): void => undefined;

/** On the server of the other tests, where there is one: migrating an embedded database takes seconds. */
function startIdentity(options: testing.TestIdentityOptions): Promise<testing.TestIdentity> {
  const serverUrl = process.env['TEST_DATABASE_URL'];
  return testing.TestIdentity.start({ ...(serverUrl !== undefined && { serverUrl }), ...options });
}

/** What the two packages of Nest write on handlers, which the guard reads, and Jest in the place of Node's test runner. */
const staged = new Map<string, () => unknown>([
  ['castellan', () => jest.requireActual('../../../src')],
  ['castellan/testing', () => ({ ...testing, TestIdentity: { start: startIdentity } })],
  ['node:test', () => ({ describe, it, before: beforeAll, after: afterAll })],
  [
    '@nestjs/graphql',
    () => ({
      Field: nothing,
      ObjectType: nothing,
      Resolver: nothing,
      Query: () => SetMetadata('graphql:resolver_type', 'Query'),
    }),
  ],
  [
    '@nestjs/websockets',
    () => ({
      WebSocketGateway: nothing,
      SubscribeMessage: () => SetMetadata('websockets:message_mapping', true),
      MessageBody: createParamDecorator((_: unknown, context: ExecutionContext): unknown =>
        context.switchToWs().getData(),
      ),
    }),
  ],
]);

/** Resolves the modules that a recipe imports. */
const modules = (name: string): unknown => (staged.get(name) ?? (() => jest.requireActual<object>(name)))();

/** Runs a recipe as written in its page. Recipes import each other as files of one folder. */
export function recipe(name: string): Exports {
  const known = loaded.get(name);
  if (known) return known;
  const code = recipes.get(name);
  if (code === undefined) throw new Error(`No page has ${name}.ts`);
  const made = { exports: {} as Exports };
  loaded.set(name, made.exports);
  const compiled = transformSync(code, {
    configFile: false,
    swcrc: false,
    module: { type: 'commonjs' },
    ...(jsc && { jsc }),
  });
  const find = (wanted: string): unknown => (wanted.startsWith('./') ? recipe(wanted.slice(2)) : modules(wanted));
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-call -- the code of the pages
  new Function('require', 'module', 'exports', compiled.code)(find, made, made.exports);
  return made.exports;
}
