import { DiscoveryService } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper';
import { methodNamesOf, oncePerClass } from '../../platform/util';
import type { FeedEventDto } from '../feed/dto/event.dto';
import { EVENT_HANDLER, EventHandlerDeclaration, MAX_HANDLER_NAME } from './event-handler';

export interface EventHandler {
  /** Unique; names the place in the feed. */
  readonly name: string;
  /** Types, or prefixes such as `user.*`. */
  readonly filters: readonly string[];
  run(event: FeedEventDto): unknown;
}

type Instance = Readonly<Record<string, unknown>>;

function handlersOf(wrapper: InstanceWrapper): EventHandler[] {
  const prototype = prototypeOf(wrapper);
  if (!prototype) return [];
  return declarationsOn(prototype).map(({ method, declaration }) => {
    const place = `${(prototype.constructor as { name: string }).name}.${method}`;
    if (wrapper.isTransient || !wrapper.isDependencyTreeStatic()) {
      throw new Error(`@OnIdentityEvent() on ${place} never runs, since the class has no single instance: move it`);
    }
    const instance = wrapper.instance as Record<string, (event: FeedEventDto) => unknown>;
    return {
      name: nameOf(declaration, place),
      filters: declaration.filters,
      run: (event) => instance[method]?.(event),
    };
  });
}

function nameOf({ name, filters }: EventHandlerDeclaration, place: string): string {
  if (name !== undefined || place.length <= MAX_HANDLER_NAME) return name ?? place;
  throw new Error(
    `The name of ${place} is longer than ${MAX_HANDLER_NAME} characters: ` +
      `write @OnIdentityEvent('${filters[0]}', { name: 'a-shorter-one' })`,
  );
}

function prototypeOf({ instance, metatype, inject }: InstanceWrapper): Instance | undefined {
  if (typeof instance === 'object' && instance !== null) return Object.getPrototypeOf(instance) as Instance | undefined;
  // A class for each request has no instance here; a factory has no prototype of its product.
  const isClass = typeof metatype === 'function' && !inject;
  return isClass ? (metatype.prototype as Instance | undefined) : undefined;
}

const declarationOn = (method: unknown): EventHandlerDeclaration | undefined =>
  typeof method === 'function'
    ? (Reflect.getMetadata(EVENT_HANDLER, method) as EventHandlerDeclaration | undefined)
    : undefined;

const declarationsOn = oncePerClass((prototype: Instance) =>
  methodNamesOf(prototype).flatMap((method) => {
    const declaration = declarationOn(prototype[method]);
    return declaration ? [{ method, declaration }] : [];
  }),
);

/** All methods with `@OnIdentityEvent()`. Throws for two with one name, and for one that no event could reach. */
export function findEventHandlers(discovery: DiscoveryService): EventHandler[] {
  const wrappers = [...discovery.getProviders(), ...discovery.getControllers()];
  // An alias of a provider has the same instance.
  const own = [...new Map(wrappers.map((wrapper) => [(wrapper.instance as unknown) ?? wrapper, wrapper])).values()];
  const handlers = own.flatMap(handlersOf);
  const names = new Set<string>();
  for (const { name } of handlers) {
    if (names.has(name)) {
      throw new Error(`Two methods handle events as "${name}": provide the class in one module only, or name one`);
    }
    names.add(name);
  }
  return handlers;
}
