import 'reflect-metadata';
import {
  CallHandler,
  CanActivate,
  Controller,
  ExecutionContext,
  ForbiddenException,
  Get,
  Injectable,
  Module,
  NestInterceptor,
  PipeTransform,
  Provider,
  Scope,
  ValidationPipe,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { map, Observable } from 'rxjs';
import { ApiController, hostModules, IdentityModule, installHttp, isServiceRoute, Public } from '../../src';
import { createHost, identityOptions } from '../support/hosts/host-app';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

@Injectable()
class Envelope implements NestInterceptor {
  readonly #key = 'data';

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((data: unknown) => ({ [this.#key]: data })));
  }
}

@Injectable()
class ClosedShop implements CanActivate {
  canActivate(): boolean {
    throw new ForbiddenException('closed');
  }
}

@Injectable()
class ClosedShopAlone implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return isServiceRoute(context);
  }
}

/** As `ThrottlerGuard` keeps the options of `ThrottlerModule.forRoot`. */
class Throttler implements CanActivate {
  constructor(protected readonly options: { readonly skipIf?: (context: ExecutionContext) => boolean }) {}

  canActivate(context: ExecutionContext): boolean {
    return this.options.skipIf?.(context) ?? false;
  }
}

@Injectable({ scope: Scope.REQUEST })
class EachRequest implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle();
  }
}

@Injectable()
class Trim implements PipeTransform {
  transform(value: unknown): unknown {
    return value;
  }
}

@Injectable()
class Stricter extends ValidationPipe {}

@Controller('plain')
class PlainController {
  @Get()
  read(): object {
    return { mine: true };
  }
}

@ApiController('shop')
class ShopController {
  @Get()
  @Public()
  read(): object {
    return { mine: true };
  }
}

let database: TestDatabase;
let lines: string[];
const apps: NestFastifyApplication[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});

beforeEach(() => {
  lines = [];
});

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

afterAll(() => database.drop());

async function start(
  providers: Provider[],
  prepare: (app: NestFastifyApplication) => void = () => {},
): Promise<NestFastifyApplication> {
  const identity = IdentityModule.forRoot(identityOptions(database, (line) => lines.push(line)));

  @Module({ imports: [identity], controllers: [PlainController, ShopController], providers })
  class HostModule {}

  const app = await createHost(HostModule);
  apps.push(app);
  installHttp(app);
  prepare(app);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return app;
}

const get = async (app: NestFastifyApplication, url: string): Promise<{ status: number; text: string }> => {
  const { statusCode, payload } = await app.inject({ method: 'GET', url });
  return { status: statusCode, text: payload };
};

const warnings = (): string[] =>
  lines.filter((line) => line.includes('"level":"warn"') && line.includes('isServiceRoute'));

describe('global interceptor of the host', () => {
  it.each<[string, Provider[], (app: NestFastifyApplication) => void]>([
    ['set by useGlobalInterceptors', [], (app) => app.useGlobalInterceptors(new Envelope())],
    ['provided as APP_INTERCEPTOR', [{ provide: APP_INTERCEPTOR, useClass: Envelope }], () => {}],
  ])('runs on routes of the host but not of the service when %s', async (_how, providers, prepare) => {
    const app = await start(providers, prepare);
    expect(JSON.parse((await get(app, '/plain')).text)).toEqual({ data: { mine: true } });
    expect(JSON.parse((await get(app, '/api/shop')).text)).toEqual({ data: { mine: true } });
    expect(JSON.parse((await get(app, '/.well-known/jwks.json')).text)).toHaveProperty('keys');
    expect(JSON.parse((await get(app, '/api/info')).text)).not.toHaveProperty('data');
    const metrics = await get(app, '/metrics');
    expect([metrics.status, metrics.text.startsWith('# HELP')]).toEqual([200, true]);
    expect(warnings()).toEqual([]);
  });
});

describe('global parts of the host that also run on service routes', () => {
  it('log a warning for a guard, which still rejects requests', async () => {
    const app = await start([{ provide: APP_GUARD, useClass: ClosedShop }]);
    expect((await get(app, '/api/info')).status).toBe(403);
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]).toContain('guard ClosedShop');
  });

  it('log a warning for request-scoped providers and pipes', async () => {
    await start([{ provide: APP_INTERCEPTOR, useClass: EachRequest }], (app) => app.useGlobalPipes(new Trim()));
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]).toContain('pipe Trim, interceptor EachRequest');
  });

  it('log a warning for a subclass of ValidationPipe, but not for ValidationPipe', async () => {
    await start([], (app) => app.useGlobalPipes(new ValidationPipe()));
    expect(warnings()).toEqual([]);
    await start([], (app) => app.useGlobalPipes(new ValidationPipe(), new Stricter()));
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]).toContain('"pipe Stricter"');
  });

  it.each([
    ['no warning for a throttler with skipIf: isServiceRoute', { skipIf: isServiceRoute }, 0],
    ['a warning for a throttler with another skipIf', { skipIf: () => true }, 1],
    ['a warning for a throttler without skipIf', {}, 1],
  ])('log %s', async (_what, options, count) => {
    await start([{ provide: APP_GUARD, useValue: new Throttler(options) }]);
    expect(warnings()).toHaveLength(count);
  });

  it('skip the service when they check isServiceRoute, and a document of hostModules does, too', async () => {
    const app = await start([{ provide: APP_GUARD, useClass: ClosedShopAlone }]);
    expect((await get(app, '/api/info')).status).toBe(200);
    expect((await get(app, '/plain')).status).toBe(403);
    expect((await get(app, '/api/shop')).status).toBe(403);
    const document = SwaggerModule.createDocument(app, new DocumentBuilder().build(), {
      include: hostModules(app),
    });
    expect(Object.keys(document.paths)).toEqual(['/plain', '/api/shop']);
    expect(document.components?.schemas).toEqual({});
  });
});
