import { Injectable, NestInterceptor, ValidationPipe } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { isServiceRoute } from '../access';
import { Log } from '../logging';

const WARNING =
  'What the host registers for its whole application acts on the routes of Castellan, too: let it pass where ' +
  'isServiceRoute(context) says so, or bind it to controllers';

/** Answers of the service's routes are not seen by it; all else of it, `instanceof` and private fields too, is as it was. */
function keptOff(interceptor: NestInterceptor): NestInterceptor {
  const intercept: NestInterceptor['intercept'] = (context, next) =>
    isServiceRoute(context) ? next.handle() : interceptor.intercept(context, next);
  return Object.create(interceptor, { intercept: { value: intercept } }) as NestInterceptor;
}

const namesOf = (kind: string, parts: readonly object[]): string[] =>
  parts.map((part) => `${kind} ${part.constructor.name}`);

const madeForEach = (kind: string, wrappers: readonly { readonly metatype: unknown }[]): string[] =>
  wrappers.map(({ metatype }) => `${kind} ${(metatype as { name?: string } | null)?.name ?? 'without a class'}`);

/** What a host registers for its whole application: our answers are kept from it where Nest allows that, or it is named. */
@Injectable()
export class HostWidePartsService {
  private config: ApplicationConfig | undefined;

  constructor(private readonly log: Log) {}

  /** @param app Nest gives the record of such parts to nobody; `@nestjs/swagger` reads it there as well. */
  attach(app: object): void {
    this.config = (app as { readonly config?: ApplicationConfig }).config;
  }

  /** To be called once the host has registered all, before Nest makes the routes: each route gets the list as it is then. */
  keepOff(): void {
    if (!this.config) return;
    const interceptors = this.config.getGlobalInterceptors();
    interceptors.forEach((interceptor, index) => {
      if (typeof interceptor === 'object') interceptors[index] = keptOff(interceptor);
    });
    const remaining = this.remaining(this.config);
    if (remaining.length > 0) this.log.warn(WARNING, { parts: remaining.join(', ') });
  }

  /** A guard refuses, and what a host refuses stays refused; a pipe does not know the route. */
  private remaining(config: ApplicationConfig): string[] {
    // Nest's own pipe knows the fields of our classes and lets them pass.
    const pipes = config.getGlobalPipes().filter((pipe) => !(pipe instanceof ValidationPipe));
    return [
      ...namesOf('guard', config.getGlobalGuards()),
      ...namesOf('pipe', pipes),
      ...madeForEach('guard', config.getGlobalRequestGuards()),
      ...madeForEach('pipe', config.getGlobalRequestPipes()),
      ...madeForEach('interceptor', config.getGlobalRequestInterceptors()),
    ];
  }
}
