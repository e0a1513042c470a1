/*
 * A host application with its own database, routes, guard, filter, texts and events. The test compiles it as ES module
 * and as CommonJS and runs it against the unpacked tarball, with and without the service. It prints the collected
 * results.
 */
import 'reflect-metadata';
import {
  ArgumentsHost,
  Body,
  CanActivate,
  Catch,
  Controller,
  ExceptionFilter,
  ExecutionContext,
  ForbiddenException,
  Get,
  HttpException,
  Injectable,
  Module,
  Post,
  Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { CurrentCaller, IdentityModule, installHttp, OnUserCreate, ServiceController, Authenticated } from 'castellan';
import type { Caller, UserCreated } from 'castellan';
import { RecordingLog, TEST_ENVIRONMENT, TestClient } from 'castellan/testing';
import i18next from 'i18next';
import { EventEmitter } from 'node:events';
import { Column, DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Has the name of a service table, but is in another database. */
@Entity({ name: 'user_account' })
class HostAccount {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'text' }) iban!: string;
}

const database = new DataSource({
  type: 'postgres',
  url: process.env['HOST_DATABASE_URL'] ?? '',
  entities: [HostAccount],
  synchronize: true,
});

const events = new EventEmitter();
const heard: unknown[] = [];
const emit = events.emit.bind(events);
events.emit = (name, ...facts: unknown[]) => {
  heard.push(name);
  return emit(name, ...facts);
};
const welcomed: string[] = [];

@Controller()
class HostController {
  @Get('/')
  home(): string {
    return i18next.t('hello');
  }

  @Get('api/auth/of-the-host')
  async below(): Promise<object> {
    return { accounts: await database.getRepository(HostAccount).find() };
  }

  @Post('echo')
  echo(@Body() body: unknown): unknown {
    events.emit('host.echo');
    return body;
  }

  @Get('broken')
  broken(): never {
    throw new Error('the host’s own');
  }
}

@ServiceController('basket')
class BasketController {
  @Get()
  @Authenticated()
  show(@CurrentCaller() { username }: Caller): object {
    return { owner: username };
  }
}

@Catch()
class HostFilter implements ExceptionFilter {
  catch(error: Error, host: ArgumentsHost): void {
    const status = error instanceof HttpException ? error.getStatus() : 500;
    const reply = host.switchToHttp().getResponse<{ code(status: number): { send(body: object): void } }>();
    reply.code(status).send({ host_filter: error.message });
  }
}

@Injectable()
class HostGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, unknown> }>();
    if (headers['x-host-refuses'] !== undefined) throw new ForbiddenException('the host refuses');
    return true;
  }
}

@Injectable()
class Welcome {
  @OnUserCreate()
  greet({ username }: UserCreated): void {
    welcomed.push(username);
  }
}

const enhancers = [
  { provide: APP_FILTER, useClass: HostFilter },
  { provide: APP_GUARD, useClass: HostGuard },
];

@Module({ controllers: [HostController], providers: enhancers })
class PlainHost {}

const environment = { ...TEST_ENVIRONMENT, DATABASE_URL: process.env['IDENTITY_DATABASE_URL'] };

@Module({
  imports: [IdentityModule.forRootAsync({ useFactory: () => ({ environment, log: new RecordingLog() }) })],
  controllers: [HostController, BasketController],
  providers: [...enhancers, Welcome],
})
class HostWithService {}

async function start(root: Type): Promise<NestFastifyApplication> {
  const options = { logger: false, abortOnError: false } as const;
  const app = await NestFactory.create<NestFastifyApplication>(root, new FastifyAdapter(), options);
  if (root === HostWithService) installHttp(app);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return app;
}

const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://elsewhere.example' };
const requests = [
  { method: 'GET', url: '/' },
  { method: 'GET', url: '/api/auth/of-the-host' },
  { method: 'POST', url: '/echo', headers: form, payload: 'a=1&b=2' },
  { method: 'POST', url: '/echo', headers: { 'content-type': 'application/json' }, payload: '{' },
  { method: 'GET', url: '/broken' },
  { method: 'GET', url: '/', headers: { 'x-host-refuses': 'yes' } },
  { method: 'GET', url: '/nothing' },
  { method: 'GET', url: '/api/nothing' },
] as const;

async function answersOf(app: NestFastifyApplication): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const request of requests) {
    const { statusCode, headers, payload } = await app.inject(request);
    const { date: _date, ...others } = headers;
    answers.push({ request: `${request.method} ${request.url}`, statusCode, headers: others, payload });
  }
  return answers;
}

async function visit(app: NestFastifyApplication): Promise<object> {
  const ann = new TestClient(app);
  const password = 'correct horse battery staple';
  const registered = await ann.post('/api/auth/register', { username: 'ann', password });
  const refused = await ann.get<{ code: string }>('/basket');
  const loggedIn = await ann.post('/api/auth/login', { type: 'password', username: 'ann', password });
  const basket = await ann.get('/basket');
  const chinese = await ann.get<{ title: string }>('/api/auth/nothing?lang=zh');
  return {
    statuses: [registered.status, refused.status, loggedIn.status, basket.status],
    refused: refused.body.code,
    basket: basket.body,
    chinese: chinese.body.title,
    keys: (await ann.get('/.well-known/jwks.json')).status,
  };
}

async function main(): Promise<void> {
  await i18next.init({ lng: 'de', resources: { de: { translation: { hello: 'Guten Tag' } } } });
  await database.initialize();
  await database.getRepository(HostAccount).save({ iban: 'DE02' });
  const plain = await start(PlainHost);
  const withService = await start(HostWithService);
  const seen = {
    plain: await answersOf(plain),
    withService: await answersOf(withService),
    service: await visit(withService),
    welcomed,
    heard,
    language: i18next.language,
    entities: database.entityMetadatas.map(({ tableName }) => tableName),
    connected: database.isInitialized,
  };
  await withService.close();
  await plain.close();
  const still = await database.query<{ count: number }[]>('SELECT count(*)::int AS count FROM user_account');
  await database.destroy();
  process.stdout.write(`${JSON.stringify({ ...seen, still })}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
