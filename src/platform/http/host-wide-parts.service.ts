import { Injectable, NestInterceptor, ValidationPipe } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { isServiceRoute } from './service-routes';
import { Log } from '../logging';

const WARNING =
  'Global guards, pipes or interceptors of the host also run on the routes of Castellan: let them skip routes where ' +
  'isServiceRoute(context) is true, or bind them to controllers';

/**
 * Wraps an interceptor so that it skips our routes. All its other members stay, including `instanceof` and private
 * fields.
 */
function skippingOurRoutes(interceptor: NestInterceptor): NestInterceptor {
  const intercept: NestInterceptor['intercept'] = (context, next) =>
    isServiceRoute(context) ? next.handle() : interceptor.intercept(context, next);
  return Object.create(interceptor, { intercept: { value: intercept } }) as NestInterceptor;
}

/** Whether the guard is a `ThrottlerGuard` whose module got `skipIf: isServiceRoute`. */
const throttlesOthersOnly = (guard: object): boolean =>
  (guard as { readonly options?: { readonly skipIf?: unknown } }).options?.skipIf === isServiceRoute;

const namesOf = (kind: string, parts: readonly object[]): string[] =>
  parts.map((part) => `${kind} ${part.constructor.name}`);

const requestScoped = (kind: string, wrappers: readonly { readonly metatype: unknown }[]): string[] =>
  wrappers.map(({ metatype }) => `${kind} ${(metatype as { name?: string } | null)?.name ?? 'without a class'}`);

/** Keeps a host's global interceptors off our routes, and warns of global guards and pipes, which Nest cannot limit. */
@Injectable()
export class HostWidePartsService {
  private config: ApplicationConfig | undefined;

  constructor(private readonly log: Log) {}

  /** @param app Nest exposes its global parts only on a private field, which `@nestjs/swagger` reads as well. */
  attach(app: object): void {
    this.config = (app as { readonly config?: ApplicationConfig }).config;
  }

  /** Call it after the host has registered its parts and before Nest creates the routes, which copy the lists. */
  keepOff(): void {
    if (!this.config) return;
    const interceptors = this.config.getGlobalInterceptors();
    interceptors.forEach((interceptor, index) => {
      if (typeof interceptor === 'object') interceptors[index] = skippingOurRoutes(interceptor);
    });
    const remaining = this.remaining(this.config);
    if (remaining.length > 0) this.log.warn(WARNING, { parts: remaining.join(', ') });
  }

  /** Global guards and pipes: a guard of the host may reject any request, and a pipe does not know the route. */
  private remaining(config: ApplicationConfig): string[] {
    // Nest's own pipe accepts our classes. A subclass may not.
    const pipes = config.getGlobalPipes().filter((pipe) => pipe.constructor !== ValidationPipe);
    const guards = config.getGlobalGuards().filter((guard) => !throttlesOthersOnly(guard));
    return [
      ...namesOf('guard', guards),
      ...namesOf('pipe', pipes),
      ...requestScoped('guard', config.getGlobalRequestGuards()),
      ...requestScoped('pipe', config.getGlobalRequestPipes()),
      ...requestScoped('interceptor', config.getGlobalRequestInterceptors()),
    ];
  }
}
