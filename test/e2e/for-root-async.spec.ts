import 'reflect-metadata';
import { DynamicModule, Injectable, Module } from '@nestjs/common';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  AvatarGenerator,
  IdentityAsyncOptions,
  IdentityModule,
  IdentityOptions,
  IdentityValues,
  installHttp,
  SmsSender,
} from '../../src';
import type { SendResult } from '../../src';
import { createHost, identityOptions } from '../support/hosts/host-app';
import { TestClient } from '../support/service/test-client';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';
import { ADMIN } from '../support/service/test-service';
import { fake } from '../support/service/fake';

let database: TestDatabase;

/** Configuration that a host reads asynchronously. */
@Injectable()
class HostConfiguration {
  async read(): Promise<Record<string, unknown>> {
    return { ...identityOptions(database).environment, SERVICE_SCOPE: 'of_the_host' };
  }
}

@Injectable()
class Brush {
  readonly color = 'teal';
}

@Module({ providers: [HostConfiguration], exports: [HostConfiguration] })
class HostConfigurationModule {}

@Module({})
class BrushModule {
  static async register(): Promise<DynamicModule> {
    return { module: BrushModule, providers: [Brush], exports: [Brush] };
  }
}

@Injectable()
class HostAvatars extends AvatarGenerator {
  constructor(private readonly brush: Brush) {
    super();
  }

  draw(): string {
    return `<svg xmlns="http://www.w3.org/2000/svg"><rect fill="${this.brush.color}"/></svg>`;
  }
}

@Injectable()
class HostTexts extends SmsSender {
  constructor(readonly brush: Brush) {
    super();
  }

  async isOffered(): Promise<boolean> {
    return false;
  }

  async send(): Promise<SendResult> {
    return { outcome: 'rejected', provider: 'host' };
  }
}

const apps: NestFastifyApplication[] = [];

async function start(identity: DynamicModule): Promise<NestFastifyApplication> {
  @Module({ imports: [identity] })
  class HostRoot {}

  const app = await createHost(HostRoot);
  apps.push(app);
  installHttp(app);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return app;
}

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  for (const app of apps) await app.close();
  await database.drop();
});

const values = async (configuration: HostConfiguration): Promise<IdentityValues> => {
  const { environment: _environment, ...others } = identityOptions(database);
  return { ...others, environment: (await configuration.read()) as Record<string, string> };
};

describe('forRootAsync', () => {
  it('reads its values from a factory and injects dependencies from the imports', async () => {
    const app = await start(
      IdentityModule.forRootAsync({
        imports: [HostConfigurationModule, BrushModule.register()],
        inject: [HostConfiguration],
        useFactory: values,
        extensions: { avatarGenerator: HostAvatars, smsSender: HostTexts },
      }),
    );
    const admin = new TestClient(app);
    const login = { type: 'password', username: ADMIN.username, password: ADMIN.password };
    const answer = await admin.post<{ user: { avatar: string } }>('/api/auth/login', login);
    expect(answer.status).toBe(200);
    expect((await admin.get(answer.body.user.avatar)).text).toContain('fill="teal"');
    expect((await admin.get<{ scope: string }>('/api/info')).body.scope).toBe('of_the_host');
  });

  it('rejects options that a factory cannot provide', async () => {
    const late = fake<IdentityAsyncOptions>({ useFactory: () => ({ extensions: {} }) });
    await expect(start(IdentityModule.forRootAsync(late))).rejects.toThrow(
      /^Pass extensions to IdentityModule\.forRootAsync next to useFactory, not in its result$/,
    );
  });

  it('ends the start with the message of the invalid variable', async () => {
    const useFactory = (): IdentityOptions => ({ environment: { SERVICE_SCOPE: 'Not A Scope' } });
    await expect(start(IdentityModule.forRootAsync({ useFactory }))).rejects.toThrow(/SERVICE_SCOPE/);
  });
});
