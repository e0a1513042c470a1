import {
  Body,
  CallHandler,
  Controller,
  DynamicModule,
  ExecutionContext,
  Get,
  Injectable,
  Module,
  NestInterceptor,
  Post,
  Req,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { JwtModule, JwtService } from '@nestjs/jwt';
import { AuthGuard, PassportModule, PassportStrategy } from '@nestjs/passport';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { InjectDataSource, InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { IsInt, IsString, MaxLength } from 'class-validator';
import { AcceptLanguageResolver, I18n, I18nContext, I18nModule, I18nService, QueryResolver } from 'nestjs-i18n';
import { join } from 'node:path';
import { Strategy } from 'passport';
import { map, Observable } from 'rxjs';
import { Column, DataSource, Entity, PrimaryGeneratedColumn, Repository } from 'typeorm';
import { createEmbeddedPool, IdentityModule, installHttp, OnUserCreate } from '../../../src';
import type { UserCreated } from '../../../src';
import { identityOptions } from './host-app';
import { TestDatabase } from '../service/test-database';

@Entity({ name: 'shop_product' })
export class Product {
  @PrimaryGeneratedColumn() id: number;
  @Column('text') name: string;
}

class ProductDto {
  @IsString() @MaxLength(5) name: string;
  @IsInt() price: number;
}

/** All events of the host's emitter, and those its listeners received. */
@Injectable()
export class ShopListener {
  readonly heard: [string, unknown][] = [];
  readonly carried: unknown[] = [];

  constructor(emitter: EventEmitter2) {
    emitter.onAny((event) => this.carried.push(event));
  }

  @OnEvent('order.created')
  ordered(order: unknown): void {
    this.heard.push(['order.created', order]);
  }

  @OnEvent('user.created')
  member(user: unknown): void {
    this.heard.push(['user.created', user]);
  }

  @OnUserCreate()
  welcome({ username }: UserCreated): void {
    this.heard.push(['@OnUserCreate', username]);
  }
}

type Verify = (key: unknown, done: (error: unknown, partner?: object | null) => void) => void;

class ApiKeyStrategy extends Strategy {
  constructor(private readonly verify: Verify) {
    super();
  }

  override authenticate({ headers }: { headers: Record<string, unknown> }): void {
    this.verify(headers['x-api-key'], (_error, partner) => {
      if (partner) this.success(partner);
      else this.fail(401);
    });
  }
}

/** Uses the default name of passport-oauth2 strategies, which the service uses too. */
@Injectable()
class PartnerStrategy extends PassportStrategy(ApiKeyStrategy, 'oauth2') {
  validate(key: unknown): object | null {
    return key === 'key of the shop' ? { name: 'the shop' } : null;
  }
}

@Injectable()
class Envelope implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((data: unknown) => ({ data })));
  }
}

/** Host routes, one for each package. */
@Controller('shop')
class ShopController {
  constructor(
    private readonly texts: I18nService,
    private readonly emitter: EventEmitter2,
    private readonly jwt: JwtService,
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectRepository(Product) private readonly products: Repository<Product>,
  ) {}

  @Post('products')
  async add(@Body() { name, price }: ProductDto): Promise<object> {
    await this.products.save({ name });
    return { name, price };
  }

  @Get('products')
  async list(): Promise<object> {
    const tables = this.dataSource.entityMetadatas.map(({ tableName }) => tableName);
    return { names: (await this.products.find()).map(({ name }) => name), tables };
  }

  @Get('hello')
  hello(@I18n() i18n: I18nContext): object {
    const { lang } = i18n;
    return {
      lang,
      greeting: i18n.t('errors.hello', { args: { name: 'Ann' } }),
      notFound: this.texts.t('errors.codes.not_found', { lang }),
    };
  }

  @Post('orders')
  order(@Body() body: object): object {
    return { reached: this.emitter.emit('order.created', body) };
  }

  @Get('token')
  token(): object {
    return { token: this.jwt.sign({ sub: 'ann' }) };
  }

  @Get('partner')
  @UseGuards(AuthGuard('oauth2'))
  partner(@Req() { user }: { user: object }): object {
    return user;
  }
}

function dataSourceOf({ url, embedded }: TestDatabase): DynamicModule {
  return TypeOrmModule.forRoot({
    type: 'postgres',
    ...(url !== undefined && { url }),
    ...(embedded && { driver: { Pool: createEmbeddedPool(embedded) } }),
    entities: [Product],
    synchronize: true,
    retryAttempts: 0,
  });
}

function packagesOf(database: TestDatabase): DynamicModule[] {
  return [
    dataSourceOf(database),
    TypeOrmModule.forFeature([Product]),
    I18nModule.forRoot({
      fallbackLanguage: 'en',
      loaderOptions: { path: join(__dirname, '../..', 'fixtures', 'host-texts') },
      resolvers: [new QueryResolver(['lang']), new AcceptLanguageResolver()],
      logging: false,
    }),
    EventEmitterModule.forRoot({ wildcard: true }),
    PassportModule.register({}),
    JwtModule.register({ global: true, secret: 'the secret of the host', signOptions: { algorithm: 'HS256' } }),
  ];
}

export type ImportOrder = 'before' | 'after';

/**
 * A host that uses Nest's packages itself, on the database of the service, with the service imported before or after
 * them.
 */
export async function startPackageHost(database: TestDatabase, order: ImportOrder): Promise<NestFastifyApplication> {
  const ours = IdentityModule.forRoot(identityOptions(database));
  const packages = packagesOf(database);

  @Module({
    imports: order === 'before' ? [ours, ...packages] : [...packages, ours],
    controllers: [ShopController],
    providers: [ShopListener, PartnerStrategy],
  })
  class ShopModule {}

  const app = await NestFactory.create<NestFastifyApplication>(ShopModule, new FastifyAdapter(), {
    logger: false,
    abortOnError: false,
  });
  app.useGlobalInterceptors(new Envelope());
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
  installHttp(app);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return app;
}
