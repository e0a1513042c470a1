import { MetadataScanner } from '@nestjs/core';

/**
 * Remembers what `find` returns for each class, or prototype: decorators never change, and a process may start several
 * services. Keeps no class alive, since Nest makes classes for each application that refer to all of it.
 */
export function oncePerClass<C extends object, T>(find: (type: C) => T): (type: C) => T {
  const found = new WeakMap<C, { readonly value: T }>();
  return (type) => {
    const known = found.get(type) ?? { value: find(type) };
    found.set(type, known);
    return known.value;
  };
}

/** The names of the methods on a prototype, with those that it inherits. */
export const methodNamesOf = oncePerClass((prototype: object) => new MetadataScanner().getAllMethodNames(prototype));
