import type { DynamicModule, ExecutionContext, INestApplication, Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants';
import { DiscoveryService } from '@nestjs/core';

const own = new WeakSet<object>();

const isClass = (given: unknown): given is object => typeof given === 'function';

const listed = (given: Partial<DynamicModule>, type: object | undefined, key: keyof DynamicModule): unknown[] => [
  ...((given[key] as unknown[] | undefined) ?? []),
  ...((type && (Reflect.getMetadata(key, type) as unknown[] | undefined)) ?? []),
];

/** Registers the controllers of these modules, and of those they import, as the service's own. */
export function claimControllers(modules: readonly unknown[], seen = new Set<object>()): void {
  for (const module of modules) {
    const given = (isClass(module) ? { module } : (module ?? {})) as Partial<DynamicModule>;
    const type = given.module;
    if (!type || seen.has(type)) continue;
    seen.add(type);
    for (const controller of listed(given, type, MODULE_METADATA.CONTROLLERS as 'controllers')) {
      if (isClass(controller)) own.add(controller);
    }
    claimControllers(listed(given, type, MODULE_METADATA.IMPORTS as 'imports'), seen);
  }
}

/**
 * Whether the route belongs to the service, for a host's global guards, pipes and interceptors. Controllers of the host
 * do not count, even with `@ApiController`.
 */
export function isServiceRoute(context: ExecutionContext): boolean {
  return own.has(context.getClass());
}

/** Has no controllers. @nestjs/swagger takes an empty list of modules for all. */
class NoModule {}

/**
 * The modules with controllers of the host, for the option `include` of `SwaggerModule.createDocument`: the document
 * then leaves out the routes and schemas of the service.
 */
export function hostModules(app: INestApplication): Type[] {
  const modules = app
    .get(DiscoveryService, { strict: false })
    .getControllers()
    .filter(({ metatype }) => metatype && !own.has(metatype))
    .map(({ host }) => host?.metatype);
  const found = new Set(modules.filter((module) => module !== undefined));
  return found.size > 0 ? [...found] : [NoModule];
}
