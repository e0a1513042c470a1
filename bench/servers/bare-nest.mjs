/*
 * The bare limit of a session check on Nest and Fastify: a guard that verifies an HS256 token and reads a map. Also the
 * minimal Nest app that starts are compared with, and the bare limit of 100 permission checks: Nest's ValidationPipe and
 * an answer of the same shape, without any permission.
 */
import 'reflect-metadata';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Module,
  Post,
  Req,
  Res,
  UnauthorizedException,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsInt, IsString, Max, Min, ValidateNested } from 'class-validator';
import { createSigner, createVerifier } from 'fast-jwt';
import { bareAccount } from './bare-account.mjs';

const key = 'only-for-the-benchmark-0123456789abcdef';
const sign = createSigner({ key, algorithm: 'HS256', expiresIn: 3_600_000 });
const verify = createVerifier({ key, algorithms: ['HS256'] });
const sessions = new Map();
const COOKIE = /(?:^|; )bare_access=([^;]+)/;

class BareGuard {
  canActivate(context) {
    const request = context.switchToHttp().getRequest();
    const token = COOKIE.exec(request.headers.cookie ?? '')?.[1];
    if (token === undefined) throw new UnauthorizedException();
    const { sid, version } = verify(token);
    const session = sessions.get(sid);
    if (session?.version !== version) throw new UnauthorizedException();
    request.session = session;
    return true;
  }
}

class BareCheck {}
IsString()(BareCheck.prototype, 'scope');
IsString()(BareCheck.prototype, 'permission_id');
for (const rule of [IsInt(), Min(1), Max(7)]) rule(BareCheck.prototype, 'level');

class BareChecks {}
for (const rule of [ArrayMaxSize(100), ValidateNested({ each: true }), Type(() => BareCheck)]) {
  rule(BareChecks.prototype, 'checks');
}

class BareController {
  ready() {
    return { status: 'ok' };
  }
  login(reply) {
    const sid = `session-${sessions.size}`;
    sessions.set(sid, { version: 1, account: bareAccount(sessions.size) });
    reply.header('set-cookie', `bare_access=${sign({ sid, uid: sid, type: 'access', version: 1 })}; HttpOnly; Path=/`);
    return { status: 'ok' };
  }
  me(request) {
    return request.session.account;
  }
  checks({ checks }) {
    const results = checks.map((check) => ({ ...check, allowed: false, because: null, closest: { ...check } }));
    return { allowed: false, results };
  }
}

/** Applies decorators as TypeScript does. */
function decorate(method, ...decorators) {
  const descriptor = Object.getOwnPropertyDescriptor(BareController.prototype, method);
  for (const decorator of decorators) decorator(BareController.prototype, method, descriptor);
}
decorate('ready', Get('ready'));
decorate('login', Post('login'));
Res({ passthrough: true })(BareController.prototype, 'login', 0);
decorate('me', Get('me'), UseGuards(new BareGuard()));
Req()(BareController.prototype, 'me', 0);
decorate('checks', Post('checks'), HttpCode(200), UseGuards(new BareGuard()));
Reflect.defineMetadata('design:paramtypes', [BareChecks], BareController.prototype, 'checks');
Body(new ValidationPipe({ transform: true, whitelist: true }))(BareController.prototype, 'checks', 0);
Controller()(BareController);
class BareModule {}
Module({ controllers: [BareController] })(BareModule);

const app = await NestFactory.create(BareModule, new FastifyAdapter({ logger: false }), { logger: false });
await app.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
