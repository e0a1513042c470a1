import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { RequestMethod } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { AccessPolicy, isOwnController, POLICY } from '../../../src/platform/access';
import { ALLOWED_CLIENTS } from '../../../src/platform/access/policy';
import { TestService } from './test-service';

type Controller = new (...args: never[]) => object;

export interface OwnRoute {
  /** In the form `GET /api/auth/sessions/{id}`. */
  readonly route: string;
  readonly policy: AccessPolicy | undefined;
  /** The permissions that OAuth clients need; absent if the route is not for them. */
  readonly clients?: readonly string[];
}

/** Every route of the service. */
export function ownRoutes(service: TestService): OwnRoute[] {
  return service.app
    .get(DiscoveryService, { strict: false })
    .getControllers()
    .map(({ metatype }) => metatype as Controller | null)
    .filter((metatype) => metatype !== null)
    .filter(isOwnController)
    .flatMap(routesOf);
}

function routesOf(controller: Controller): OwnRoute[] {
  const prototype = controller.prototype as Record<string, object>;
  return new MetadataScanner()
    .getAllMethodNames(prototype)
    .map((name) => prototype[name]!)
    .filter((handler) => Reflect.hasMetadata(METHOD_METADATA, handler))
    .flatMap((handler) => {
      const verb = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number];
      const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
      const paths = [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat();
      const policy = (Reflect.getMetadata(POLICY, handler) ?? Reflect.getMetadata(POLICY, controller)) as
        AccessPolicy | undefined;
      const clients = Reflect.getMetadata(ALLOWED_CLIENTS, handler) as readonly string[] | undefined;
      return paths.map((path) => ({ route: `${verb} ${addressOf(base, path)}`, policy, ...(clients && { clients }) }));
    });
}

const addressOf = (base: string, path: string): string =>
  `/${base}/${path}`
    .replace(/\/+/g, '/')
    .replace(/(.)\/$/, '$1')
    .replace(/:(\w+)/g, '{$1}');
