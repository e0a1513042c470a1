import { Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { DiscoveryService } from '@nestjs/core';
import { IdPipe } from '../../../platform/http/input';

export type Handler = (...args: unknown[]) => unknown;
export type Controller = new (...args: never[]) => object;

interface Argument {
  readonly data?: unknown;
  readonly pipes?: readonly unknown[];
}

/** Finds the controller method of an OpenAPI operation. */
@Injectable()
export class RouteHandlersService {
  constructor(private readonly discovery: DiscoveryService) {}

  /** @param operationId `<Controller>_<method>` */
  find(operationId: string): { controller: Controller; handler: Handler } {
    const [name = '', method = ''] = operationId.split('_');
    const controller = this.discovery
      .getControllers()
      .map(({ metatype }) => metatype as Controller | null)
      .find((metatype) => metatype?.name === name);
    const handler = (controller?.prototype as Record<string, Handler> | undefined)?.[method];
    if (!controller || !handler) throw new Error(`No handler for the operation ${operationId}`);
    return { controller, handler };
  }

  /** The names of the path parameters that are ids, which `IdPipe` validates. */
  idsOf(operationId: string): ReadonlySet<unknown> {
    const { controller } = this.find(operationId);
    const method = operationId.split('_')[1] ?? '';
    const declared = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) as
      Record<string, Argument> | undefined;
    const ids = Object.values(declared ?? {}).filter(({ pipes }) => pipes?.includes(IdPipe));
    return new Set(ids.map(({ data }) => data));
  }
}
