import { Injectable, OnModuleInit, Type } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import {
  AccessPolicy,
  declaredOn,
  decoratorOf,
  isClass,
  isProvided,
  OWNERSHIP,
  POLICY,
  routeHandlersOf,
} from '../platform/policy';

interface Route {
  readonly name: string;
  readonly policy: AccessPolicy | undefined;
  readonly ownership: Type | undefined;
  readonly isGuarded: boolean;
}

/** Finds the routes that the guard protects, and fails the start for one that is more open than it looks. */
@Injectable()
export class GuardedRoutesService implements OnModuleInit {
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
      .flatMap(({ metatype }) => (isClass(metatype) ? routesOf(metatype) : []));
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
    if (!isProvided(this.modules, ownership)) {
      throw new Error(`@OwnedBy() on ${name} names ${ownership.name}, which no module provides`);
    }
  }
}

/** Marks the guard's class, so that routes with it are found without importing it, which would be a circle. */
export const GUARD_MARK = Symbol('castellan.remote_guard');

const hasGuard = (target: object): boolean =>
  ((Reflect.getMetadata(GUARDS_METADATA, target) ?? []) as object[]).some((guard) => Object.hasOwn(guard, GUARD_MARK));

const routesOf = (controller: Type): Route[] =>
  routeHandlersOf(controller).map(({ name, handler }) => ({
    name,
    policy: declaredOn(POLICY, controller, handler) as AccessPolicy | undefined,
    ownership: declaredOn(OWNERSHIP, controller, handler) as Type | undefined,
    isGuarded: hasGuard(controller) || hasGuard(handler),
  }));
