import { Injectable, OnModuleInit, Type } from '@nestjs/common';
import { GUARDS_METADATA, METHOD_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner, ModuleRef } from '@nestjs/core';
import { AccessPolicy, decoratorOf, OWNERSHIP, POLICY } from '../platform/policy';

interface Route {
  readonly name: string;
  readonly policy: AccessPolicy | undefined;
  readonly ownership: Type | undefined;
  readonly isGuarded: boolean;
}

/** Finds the routes that the guard protects, and fails the start for one that is more open than it looks. */
@Injectable()
export class GuardedRoutesService implements OnModuleInit {
  private readonly scanner = new MetadataScanner();
  private named: readonly string[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly modules: ModuleRef,
  ) {}

  /** The permissions that routes require, as written there, sorted. */
  get permissions(): readonly string[] {
    return this.named;
  }

  /** Throws for a guarded route without a policy, a policy that no guard reads, and an ownership rule without a provider. */
  onModuleInit(): void {
    const routes = this.discovery
      .getControllers()
      .flatMap(({ metatype }) => (isClass(metatype) ? this.routesOf(metatype) : []));
    for (const route of routes) this.check(route);
    const required = routes.flatMap(({ policy }) => (policy?.kind === 'permission' ? policy.permissions : []));
    this.named = [...new Set(required)].sort();
  }

  private check({ name, policy, ownership, isGuarded }: Route): void {
    if (isGuarded && !policy) throw new Error(`Routes without an access policy: ${name}`);
    if (!isGuarded && policy) {
      throw new Error(
        `${decoratorOf(policy)} on ${name} guards nothing: write @ServiceController() instead of @Controller()`,
      );
    }
    if (!ownership) return;
    if (policy?.kind !== 'permission') {
      throw new Error(`@OwnedBy() on ${name} has no effect: use it with @RequirePermission`);
    }
    if (!this.isProvided(ownership)) {
      throw new Error(`@OwnedBy() on ${name} names ${ownership.name}, which no module provides`);
    }
  }

  private routesOf(controller: Type): Route[] {
    const prototype = controller.prototype as Record<string, object>;
    return this.scanner
      .getAllMethodNames(prototype)
      .filter((name) => Reflect.hasMetadata(METHOD_METADATA, prototype[name] ?? {}))
      .map((name) => routeOf(controller, name, prototype[name] ?? {}));
  }

  private isProvided(type: Type): boolean {
    try {
      this.modules.get<unknown>(type, { strict: false });
      return true;
    } catch {
      return false;
    }
  }
}

const isClass = (metatype: unknown): metatype is Type =>
  typeof metatype === 'function' && typeof metatype.prototype === 'object' && metatype.prototype !== null;

/** Marks the guard's class, so that routes with it are found without importing it, which would be a circle. */
export const GUARD_MARK = Symbol('castellan.remote_guard');

const hasGuard = (target: object): boolean =>
  ((Reflect.getMetadata(GUARDS_METADATA, target) ?? []) as object[]).some((guard) => Object.hasOwn(guard, GUARD_MARK));

function routeOf(controller: Type, name: string, handler: object): Route {
  const declared = (key: symbol): unknown => Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller);
  return {
    name: `${controller.name}.${name}`,
    policy: declared(POLICY) as AccessPolicy | undefined,
    ownership: declared(OWNERSHIP) as Type | undefined,
    isGuarded: hasGuard(controller) || hasGuard(handler),
  };
}
