import {
  ArgumentsHost,
  Body,
  CanActivate,
  Catch,
  ConflictException,
  Controller,
  ExceptionFilter,
  ExecutionContext,
  ForbiddenException,
  Get,
  Header,
  HttpException,
  Inject,
  Injectable,
  Module,
  Param,
  Post,
  Query,
  Type,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsInt, IsString, MaxLength } from 'class-validator';
import { EventEmitter2 } from 'eventemitter2';
import type { FastifyReply } from 'fastify';
import {
  ApiController,
  CurrentCaller,
  defineErrors,
  definePermissions,
  defineProblem,
  IdentityModule,
  IdentityOptions,
  installHttp,
  OnUserCreate,
  RequirePermission,
  RequireRecentLogin,
  Authenticated,
  TextField,
} from '../../../src';
import type { Caller, UserCreated } from '../../../src';
import { createLogger, PinoLog } from '../../../src/platform/logging';
import { TestDatabase } from '../service/test-database';
import { ADMIN, TEST_KEYS } from '../service/test-service';

/** Creates a host application that reports an error at its start by throwing it. */
export const createHost = (module: Type): Promise<NestFastifyApplication> =>
  NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), { logger: false, abortOnError: false });

/** Creates and starts a host application of this module. Closes it if its start fails. */
export async function startModule(module: Type): Promise<NestFastifyApplication> {
  const app = await createHost(module);
  try {
    installHttp(app);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

export const HOST_EVENTS = Symbol('events of the host');
export const shopErrors = defineErrors({ outOfStock: 409 });
const shopClosed = defineProblem('shop_closed', {
  status: 409,
  en: 'The shop opens at {hour}.',
  zh: '商店{hour}点开门。',
});
export const shopPermissions = definePermissions({ readOrders: 'order:read' });

class ProductDto {
  @IsString() @MaxLength(10) name!: string;
  @IsInt() price!: number;
}

/** Routes of the host, beside and below the prefixes of the service. */
@Controller()
class HostController {
  @Get('/')
  home(): string {
    return '<h1>Host</h1>';
  }

  @Get('api/products')
  list(@Query() query: Record<string, unknown>): object {
    return { items: [], query };
  }

  @Post('api/products')
  add(@Body() product: ProductDto): object {
    return { product, isInstance: product instanceof ProductDto };
  }

  @Get('api/auth/host-own')
  below(): object {
    return { host: true };
  }

  @Post('api/auth/host-form')
  form(@Body() body: unknown): unknown {
    return body;
  }

  @Get('api/infos/:id')
  similar(@Param('id') id: string): object {
    return { id };
  }

  @Get('.well-known/security.txt')
  @Header('content-type', 'text/plain')
  @Header('cache-control', 'max-age=60')
  securityText(): string {
    return 'Contact: mailto:host@example.com';
  }

  @Get('health/host')
  health(): object {
    return { host: 'well' };
  }

  @Get('teapot')
  teapot(): never {
    throw new HttpException('short and stout', 418);
  }

  @Get('defect')
  defect(): never {
    throw new Error('a defect of the host');
  }
}

class SlipDto {
  @TextField({ description: 'what', max: 5 }) what: string;
}

/** A host controller behind the guard of the service. */
@ApiController('shop')
class ShopController {
  @Get('basket')
  @Authenticated()
  basket(@CurrentCaller() caller: Caller): object {
    return { owner: caller.username };
  }

  @Get('orders')
  @RequirePermission(shopPermissions.readOrders)
  orders(): object {
    return { items: [] };
  }

  @Post('orders')
  @Authenticated()
  order(@Body() slip: SlipDto): object {
    return slip;
  }

  @Post('refund')
  @Authenticated()
  @RequireRecentLogin({ factors: 2 })
  refund(): object {
    return { refunded: true };
  }

  @Post('sold-out')
  @Authenticated()
  soldOut(): never {
    throw shopErrors.outOfStock();
  }

  @Post('closed')
  @Authenticated()
  closed(): never {
    throw shopClosed({ params: { hour: 9 } });
  }

  @Post('conflict')
  @Authenticated()
  conflict(): never {
    throw new ConflictException('in the host’s own words');
  }
}

@Catch()
class HostFilter implements ExceptionFilter {
  catch(error: Error, host: ArgumentsHost): void {
    const status = error instanceof HttpException ? error.getStatus() : 500;
    void host.switchToHttp().getResponse<FastifyReply>().code(status).send({ host_filter: error.message });
  }
}

@Injectable()
class HostGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string | undefined> }>();
    if (headers['x-host-refuses'] !== undefined) throw new ForbiddenException('the host refuses');
    return true;
  }
}

/**
 * New users that the host was notified of: through our decorator, and through its own emitter, which must stay silent.
 */
@Injectable()
export class HostListener {
  readonly welcomed: UserCreated[] = [];
  readonly overheard: unknown[] = [];

  constructor(@Inject(HOST_EVENTS) events: EventEmitter2) {
    events.onAny((event) => this.overheard.push(event));
  }

  @OnUserCreate()
  welcome(event: UserCreated): void {
    this.welcomed.push(event);
  }

  @OnUserCreate()
  async trip({ username }: UserCreated): Promise<void> {
    if (username.startsWith('throws')) throw new Error('the host trips');
    if (username.startsWith('hangs')) await new Promise(() => {});
  }
}

export function identityOptions(database: TestDatabase, write: (line: string) => void = () => {}): IdentityOptions {
  return {
    environment: {
      NODE_ENV: 'test',
      ENCRYPTION_KEYS: TEST_KEYS,
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      ...(database.url !== undefined && { DATABASE_URL: database.url }),
    },
    log: new PinoLog(createLogger({ level: 'debug', format: 'json', destination: { write } })),
    ...(database.embedded && { embeddedDatabase: database.embedded }),
  };
}

function hostModule(identity: IdentityOptions | undefined): Type {
  @Module({
    imports: identity ? [IdentityModule.forRoot(identity)] : [],
    controllers: identity ? [HostController, ShopController] : [HostController],
    providers: [{ provide: HOST_EVENTS, useFactory: () => new EventEmitter2({ wildcard: true }) }, HostListener],
  })
  class HostModule {}
  return HostModule;
}

export interface HostShape {
  readonly adapter?: FastifyAdapter;
  readonly prepare?: (app: NestFastifyApplication) => void;
}

/** An application with its own filter, pipe, guard, form parser and CORS, with or without the service. */
export async function startHost(
  identity: IdentityOptions | undefined,
  shape: HostShape = {},
): Promise<NestFastifyApplication> {
  const { adapter = new FastifyAdapter(), prepare } = shape;
  const app = await NestFactory.create<NestFastifyApplication>(hostModule(identity), adapter, {
    logger: false,
    abortOnError: false,
  });
  app.useGlobalFilters(new HostFilter());
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
  app.useGlobalGuards(new HostGuard());
  app.enableCors({ origin: 'https://page-of-the-host.example', credentials: true });
  prepare?.(app);
  if (identity) installHttp(app);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return app;
}
