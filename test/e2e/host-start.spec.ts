import 'reflect-metadata';
import { DynamicModule, Get, Injectable, Module, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import * as surface from '../../src';
import {
  ApiController,
  IdentityModule,
  IdentityOptions,
  installHttp,
  LoginMethod,
  platformErrors,
  RequirePermission,
} from '../../src';
import { openTestDatabase, testOptions } from '../../src/testing';
import { createHost, identityOptions } from '../support/hosts/host-app';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

/** A Fastify adapter that reports the type of Express, which the start check reads. */
class Express extends FastifyAdapter {
  override getType(): string {
    return 'express';
  }
}

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

interface Start {
  readonly controllers?: Type[];
  readonly options?: Partial<IdentityOptions>;
  readonly adapter?: FastifyAdapter;
  readonly install?: boolean;
}

async function start({
  controllers = [],
  options = {},
  adapter = new FastifyAdapter(),
  install = true,
}: Start): Promise<void> {
  @Module({ imports: [IdentityModule.forRoot({ ...identityOptions(database), ...options })], controllers })
  class HostModule {}

  const app = await NestFactory.create<NestFastifyApplication>(HostModule, adapter, {
    logger: false,
    abortOnError: false,
  });
  try {
    if (install) installHttp(app);
    await app.init();
  } finally {
    await app.close();
  }
}

describe('unsafe start', () => {
  it('is rejected on Express', async () => {
    await expect(start({ adapter: new Express() })).rejects.toThrow(
      /^Castellan runs on Fastify: create the application with FastifyAdapter$/,
    );
  });

  it('is rejected with the module imported twice', async () => {
    const own = await openTestDatabase();
    const identity = (): DynamicModule => IdentityModule.forRoot(testOptions(own));

    @Module({ imports: [identity()] })
    class OrdersModule {}

    @Module({ imports: [identity(), OrdersModule] })
    class HostModule {}

    const starting = createHost(HostModule);
    await expect(starting).rejects.toThrow(/^IdentityModule\.forRoot is imported twice: [^\n]+$/);
    await own.close();
  });

  it('is rejected without installHttp', async () => {
    await expect(start({ install: false })).rejects.toThrow(
      /^Call installHttp\(app\) before app\.listen\(\) or app\.init\(\)$/,
    );
  });

  it('is rejected with a route that has no access policy', async () => {
    @ApiController('bare')
    class BareController {
      @Get('open')
      open(): void {}
    }

    await expect(start({ controllers: [BareController] })).rejects.toThrow(
      /^Routes without an access policy: BareController\.open$/,
    );
  });

  it('is rejected with a permission that no module declares', async () => {
    @ApiController('strange')
    class StrangeController {
      @Get()
      @RequirePermission('strange:read')
      read(): void {}
    }

    await expect(start({ controllers: [StrangeController] })).rejects.toThrow(/strange:read/);
  });

  it.each([
    ['two login methods of one type', 'password', /^Duplicate login method password$/],
    [
      'a login method whose type is too long to be stored',
      'x'.repeat(33),
      /^The login method type x{33} has more than 32 characters$/,
    ],
  ])('is rejected with %s', async (_, name, failure) => {
    class NoCredentials {}

    @Injectable()
    class HostMethod extends LoginMethod<NoCredentials> {
      readonly type = name;
      readonly credentials = NoCredentials;
      readonly createError = platformErrors.unauthenticated;
      async isConfigured(): Promise<boolean> {
        return true;
      }
      async findSubject(): Promise<{ user: undefined; key: string }> {
        return { user: undefined, key: '' };
      }
      async verify(): Promise<undefined> {}
    }

    await expect(start({ options: { extensions: { loginMethods: [HostMethod] } } })).rejects.toThrow(failure);
  });

  it('is rejected with an invalid variable and names it', async () => {
    const environment = { ...identityOptions(database).environment, SERVICE_SCOPE: 'Not A Scope' };
    await expect(start({ options: { environment } })).rejects.toThrow(/SERVICE_SCOPE/);
  });

  it('is rejected when a table of the host has a name of the service, and creates no table', async () => {
    const own = await createTestDatabase();
    try {
      await own.query('DROP SCHEMA public CASCADE');
      await own.query('CREATE SCHEMA public');
      await own.query('CREATE TABLE role (title text)');
      await expect(start({ options: identityOptions(own) })).rejects.toThrow(
        /^The database has "role" in schema public, [^\n.]+\.$/,
      );
      const tables = await own.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
      expect(tables).toEqual([{ tablename: 'role' }]);
    } finally {
      await own.drop();
    }
  });

  it('only warns of a misspelt variable and suggests the right name', async () => {
    const lines: string[] = [];
    const { environment, ...rest } = identityOptions(database, (line) => lines.push(line));
    await start({ options: { ...rest, environment: { ...environment, DATABSE_URL: 'postgres://elsewhere' } } });
    const warnings = lines.filter((line) => line.includes('"level":"warn"') && line.includes('DATABSE_URL'));
    expect(warnings).toEqual([expect.stringContaining('DATABASE_URL')]);
    expect(warnings[0]).not.toContain('elsewhere');
  });

  it('does not happen with a valid configuration', async () => {
    await expect(start({})).resolves.toBeUndefined();
  });
});

describe('public API', () => {
  it('exports exactly these names', () => {
    expect(Object.keys(surface).sort()).toEqual([
      'AllowClients',
      'AllowDuring',
      'AllowWhileActing',
      'ApiController',
      'AuditApi',
      'Authenticated',
      'AvatarGenerator',
      'AvatarPictures',
      'BooleanField',
      'ChoiceField',
      'CurrentCaller',
      'CurrentCallerOrClient',
      'EmbeddedDatabase',
      'IdField',
      'IdListField',
      'IdPipe',
      'IdentityGuarded',
      'IdentityModule',
      'InOrganization',
      'IntegerField',
      'JsonField',
      'KeyValueCache',
      'ListField',
      'Log',
      'LoginMethod',
      'Mailer',
      'NO_CLAIMS',
      'NestLog',
      'OAuthProviderAdapter',
      'OPENID_CLAIMS',
      'OnIdentityEvent',
      'OnUserCreate',
      'OwnedBy',
      'OwnershipRule',
      'PasswordHasher',
      'PermissionsApi',
      'PreValidationGuards',
      'ProblemError',
      'ProblemResponses',
      'ProviderCalls',
      'ProviderFailure',
      'Public',
      'QueryBooleanField',
      'QueryIntegerField',
      'RequirePermission',
      'RequireRecentLogin',
      'ServiceController',
      'SessionsApi',
      'SettingsApi',
      'SettingsReader',
      'SmsSender',
      'TextField',
      'TimeField',
      'USER_CREATED',
      'UncheckedInput',
      'UserEventsService',
      'UserLookupService',
      'UsersApi',
      'boolean',
      'choice',
      'contextOf',
      'createEmbeddedPool',
      'currentRequest',
      'defineAttribute',
      'defineErrors',
      'definePermissions',
      'defineProblem',
      'defineSetting',
      'hostModules',
      'installHttp',
      'integer',
      'isOAuthClient',
      'isServiceRoute',
      'multilineText',
      'platformErrors',
      'text',
      'textList',
      'tokenAnswer',
    ]);
  });
});
