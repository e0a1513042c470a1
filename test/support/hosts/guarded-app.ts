import 'reflect-metadata';
import { Get, INestApplication, Injectable, Module, Param, Post, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  Authenticated,
  InOrganization,
  OwnedBy,
  OwnershipRule,
  Public,
  RequirePermission,
  RequireRecentLogin,
} from '../../../src/platform/access';
import {
  CurrentCaller,
  CurrentOrganizationId,
  RemoteIdentityModule,
  RemoteIdentityOptions,
  ServiceController,
} from '../../../src/service-guard/client';
import type { Caller } from '../../../src/platform/context';

/** An invoice belongs to the user whose name is its id. */
@Injectable()
export class InvoiceOwner extends OwnershipRule {
  async isOwner({ username }: Caller, { id }: Readonly<Record<string, string>>): Promise<boolean> {
    return username === id;
  }
}

@ServiceController('invoices')
class InvoicesController {
  @Get('open') @Public() open(): string {
    return 'open';
  }

  @Get('me') @Authenticated() me(@CurrentCaller() caller: Caller): Caller {
    return caller;
  }

  @Get('recent') @Authenticated() @RequireRecentLogin() recent(): string {
    return 'recent';
  }

  @Get() @RequirePermission('invoice:read') list(): string[] {
    return [];
  }

  @Post() @RequirePermission('billing:invoice:create') create(): string {
    return 'created';
  }

  @Get('within') @RequirePermission('invoice:read') @InOrganization() within(
    @CurrentOrganizationId() id?: string,
  ): string {
    return id ?? 'none';
  }

  @Get('of/:organization') @RequirePermission('invoice:read') @InOrganization({ parameter: 'organization' }) ofOne(
    @CurrentOrganizationId() id: string,
  ): string {
    return id;
  }

  @Get('of/:organization/:id')
  @RequirePermission('invoice:delete')
  @InOrganization({ parameter: 'organization' })
  @OwnedBy(InvoiceOwner)
  oneOf(@CurrentOrganizationId() id?: string): string {
    return id ?? 'none';
  }

  @Get(':id') @RequirePermission('invoice:delete') @OwnedBy(InvoiceOwner) one(@Param('id') id: string): string {
    return id;
  }
}

export type Platform = 'express' | 'fastify';

/** Express is what Nest takes without an adapter. */
export async function createOn(platform: Platform, root: Type): Promise<INestApplication> {
  const options = { logger: false, abortOnError: false } as const;
  return platform === 'express'
    ? NestFactory.create(root, options)
    : NestFactory.create(root, new FastifyAdapter(), options);
}

export interface GuardedAppParts {
  readonly controller?: Type;
  /** An origin whose pages may call it, without cookies. Express only. */
  readonly origin?: string;
}

/** Another service with the guard, which listens on a free port. */
export class GuardedApp {
  private constructor(
    readonly app: INestApplication,
    readonly url: string,
  ) {}

  static async start(
    platform: Platform,
    options: RemoteIdentityOptions,
    { controller = InvoicesController, origin }: GuardedAppParts = {},
  ): Promise<GuardedApp> {
    @Module({
      imports: [RemoteIdentityModule.forRoot(options)],
      controllers: [controller],
      providers: [InvoiceOwner],
    })
    class Root {}

    const app = await createOn(platform, Root);
    app.enableShutdownHooks([]);
    if (origin !== undefined) app.enableCors({ origin, allowedHeaders: ['authorization'] });
    await app.listen(0, '127.0.0.1');
    return new GuardedApp(app, await app.getUrl());
  }

  send(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
    return fetch(`${this.url}/invoices${path}`, { method, headers });
  }

  async status(path: string, cookie: string): Promise<number> {
    const response = await this.send(path, { cookie });
    await response.text();
    return response.status;
  }

  async stop(): Promise<void> {
    await this.app.close();
  }
}
