import 'reflect-metadata';
import { DynamicModule, Type } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IdentityModule } from '../../src';

type Graph = ReadonlyMap<string, readonly string[]>;

const isOurs = (imported: unknown): imported is Type =>
  typeof imported === 'function' && (imported as Type).name !== 'DiscoveryModule';

const importsOf = (module: Type): Type[] =>
  ((Reflect.getMetadata('imports', module) ?? []) as (Type | DynamicModule)[]).filter(isOurs);

/** Modules by name, with the static modules that each imports. */
function graphOf(modules: readonly Type[], graph = new Map<string, string[]>()): Graph {
  for (const module of modules) {
    if (graph.has(module.name)) continue;
    const imported = importsOf(module);
    graph.set(
      module.name,
      imported.map(({ name }) => name),
    );
    graphOf(imported, graph);
  }
  return graph;
}

function isReached(graph: Graph, from: string, to: string): boolean {
  return (graph.get(from) ?? []).some((next) => next === to || isReached(graph, next, to));
}

/** Imports that are not implied by others. */
function arrowsOf(graph: Graph): string[] {
  return [...graph].flatMap(([from, imported]) =>
    imported
      .filter((to) => !imported.some((other) => other !== to && isReached(graph, other, to)))
      .map((to) => `${from} --> ${to}`),
  );
}

describe('docs/architecture.md', () => {
  it('draws the modules with their imports', () => {
    const modules = (IdentityModule.forRoot().imports ?? []).filter(isOurs);
    const text = readFileSync(join(__dirname, '..', '..', 'docs', 'architecture.md'), 'utf8');
    const drawn = Array.from(text.matchAll(/^ {2}(\w+Module --> \w+Module)$/gm), ([, arrow]) => arrow);
    expect(drawn.sort()).toEqual(arrowsOf(graphOf(modules)).sort());
  });
});
