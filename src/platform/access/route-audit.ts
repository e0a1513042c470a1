import { Injectable } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { API_CONTROLLER } from './api-controller';
import { POLICY } from './policy';

/** Looks at every route of our controllers before the first request. */
@Injectable()
export class RouteAudit {
  private readonly scanner = new MetadataScanner();

  constructor(private readonly discovery: DiscoveryService) {}

  /** A route that declares no access policy ends the start. */
  refuseUndeclared(): void {
    const bare = this.controllers().flatMap((controller) => this.undeclared(controller));
    if (bare.length > 0) throw new Error(`Routes without an access policy: ${bare.join(', ')}`);
  }

  private controllers(): (new (...args: never[]) => object)[] {
    return this.discovery
      .getControllers()
      .map(({ metatype }) => metatype as (new (...args: never[]) => object) | null)
      .filter((metatype) => metatype !== null)
      .filter((metatype) => Reflect.getMetadata(API_CONTROLLER, metatype) === true);
  }

  private undeclared(controller: new (...args: never[]) => object): string[] {
    const prototype = controller.prototype as Record<string, object>;
    return this.scanner
      .getAllMethodNames(prototype)
      .filter((name) => Reflect.hasMetadata(METHOD_METADATA, prototype[name] ?? {}))
      .filter((name) => !Reflect.hasMetadata(POLICY, prototype[name] ?? {}) && !Reflect.hasMetadata(POLICY, controller))
      .map((name) => `${controller.name}.${name}`);
  }
}
