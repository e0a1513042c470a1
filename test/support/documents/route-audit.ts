import { Module, Provider, Type } from '@nestjs/common';
import { PARAMTYPES_METADATA } from '@nestjs/common/constants';
import { DiscoveryModule, ModuleRef, NestFactory, Reflector } from '@nestjs/core';
import { RoutePolicyValidator } from '../../../src/platform/access';
import { HostRouteGuard } from '../../../src/platform/access/host-route.guard';
import { ProblemFilter } from '../../../src/platform/http/problems';

const OF_NEST: readonly unknown[] = [ModuleRef, Reflector];

/** What guards and filter of a controller need for requests, which no test of the audit sends. */
const unused = [HostRouteGuard, ProblemFilter]
  .flatMap((type) => Reflect.getMetadata(PARAMTYPES_METADATA, type) as Type[])
  .filter((type) => !OF_NEST.includes(type))
  .map((provide) => ({ provide, useValue: {} }));

/**
 * Checks the routes of a host as every start does, in an application without the rest of the service, which takes a
 * second to start. Rejects with the error that ends the start.
 */
export async function auditRoutes(controller: Type, providers: readonly Provider[] = []): Promise<void> {
  @Module({
    imports: [DiscoveryModule],
    controllers: [controller],
    providers: [...unused, RoutePolicyValidator, ...providers],
  })
  class HostModule {}

  const app = await NestFactory.createApplicationContext(HostModule, { logger: false, abortOnError: false });
  try {
    app.get(RoutePolicyValidator).rejectUndeclared();
  } finally {
    await app.close();
  }
}
