import { Injectable, OnModuleInit, Type } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import {
  AccessPolicy,
  declaredOn,
  decoratorOf,
  IN_ORGANIZATION,
  isClass,
  isProvided,
  misplacedOrganizationIn,
  OrganizationRoute,
  OrganizationRule,
  OWNERSHIP,
  pathOf,
  POLICY,
  routeHandlersOf,
} from '../../platform/access/policy';

interface Route extends OrganizationRoute {
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

  /**
   * Throws for a guarded route without a policy, a decorator that no guard reads or that has no effect, and an ownership
   * rule without a provider.
   */
  onModuleInit(): void {
    const routes = this.discovery
      .getControllers()
      .flatMap(({ metatype }) => (isClass(metatype) ? routesOf(metatype) : []));
    for (const route of routes) this.check(route);
    const required = routes.flatMap(({ policy }) => (policy?.kind === 'permission' ? policy.permissions : []));
    this.named = [...new Set(required)].sort();
  }

  private check(route: Route): void {
    const { name, policy, ownership, isGuarded } = route;
    if (isGuarded && !policy) throw new Error(`Routes without an access policy: ${name}`);
    const idle = isGuarded ? undefined : decoratorIn(route);
    if (idle !== undefined) {
      throw new Error(`${idle} on ${name} guards nothing: write @ServiceController() instead of @Controller()`);
    }
    const [misplaced] = misplacedOrganizationIn(route);
    if (misplaced !== undefined) throw new Error(misplaced);
    if (ownership) this.checkOwnership({ name, policy, ownership });
  }

  private checkOwnership({ name, policy, ownership }: Pick<Route, 'name' | 'policy'> & { ownership: Type }): void {
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

const decoratorIn = ({ policy, organization }: Route): string | undefined =>
  policy ? decoratorOf(policy) : organization && '@InOrganization()';

const routesOf = (controller: Type): Route[] =>
  routeHandlersOf(controller).map(({ name, handler }) => ({
    name,
    policy: declaredOn(POLICY, controller, handler) as AccessPolicy | undefined,
    organization: declaredOn(IN_ORGANIZATION, controller, handler) as OrganizationRule | undefined,
    path: pathOf(controller, handler),
    ownership: declaredOn(OWNERSHIP, controller, handler) as Type | undefined,
    isGuarded: hasGuard(controller) || hasGuard(handler),
  }));
