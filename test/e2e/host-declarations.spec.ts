import 'reflect-metadata';
import { Body, Controller, Get, Injectable, Module, Post, Query, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  ApiController,
  PreValidationGuards,
  CurrentCaller,
  AllowDuring,
  AllowClients,
  IdentityModule,
  installHttp,
  OwnedBy,
  OwnershipRule,
  Public,
  RequirePermission,
  RequireRecentLogin,
  Authenticated,
  UncheckedInput,
} from '../../src';
import { identityOptions } from '../support/host-app';
import { createTestDatabase, TestDatabase } from '../support/test-database';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

const create = async (module: Type): Promise<NestFastifyApplication> =>
  NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), { logger: false, abortOnError: false });

async function start(controller: Type, providers: Type[] = []): Promise<void> {
  @Module({
    imports: [IdentityModule.forRoot(identityOptions(database))],
    controllers: [controller],
    providers,
  })
  class HostModule {}

  const app = await create(HostModule);
  try {
    installHttp(app);
    await app.init();
  } finally {
    await app.close();
  }
}

class NoProvider extends OwnershipRule {
  async isOwner(): Promise<boolean> {
    return true;
  }
}

class NoGuard {
  canActivate(): boolean {
    return true;
  }
}

describe('decorators without effect', () => {
  it.each<[string, MethodDecorator & ClassDecorator]>([
    ['@Public()', Public()],
    ['@Authenticated()', Authenticated()],
    ['@RequirePermission()', RequirePermission('shop:order:read')],
    ['@RequireRecentLogin()', RequireRecentLogin()],
    ['@OwnedBy()', OwnedBy(NoProvider)],
    ['@AllowDuring()', AllowDuring('password_change')],
  ])('end the start: %s on a plain @Controller, on its class or on a method', async (name, decorator) => {
    @Controller('on-class')
    @decorator
    class OnClassController {
      @Get()
      read(): void {}
    }

    @Controller('on-method')
    class OnMethodController {
      @Get()
      @decorator
      read(): void {}
    }

    const failure = (of: string): string =>
      `${name} on ${of} guards nothing, since the controller is a plain @Controller: write @ServiceController or @ApiController`;
    await expect(start(OnClassController)).rejects.toThrow(failure('OnClassController.read'));
    await expect(start(OnMethodController)).rejects.toThrow(failure('OnMethodController.read'));
  });

  it.each<[string, MethodDecorator]>([
    ['@AllowClients()', AllowClients()],
    ['@PreValidationGuards()', PreValidationGuards(NoGuard)],
  ])('end the start: %s on a method of a plain @Controller', async (name, decorator) => {
    @Controller('plain')
    class PlainController {
      @Get()
      @decorator
      read(): void {}
    }

    await expect(start(PlainController)).rejects.toThrow(`${name} on PlainController.read`);
  });

  it('end the start: a policy on a plain @Controller without a route, for example for messages', async () => {
    @Controller()
    class HandlersController {
      @Authenticated()
      handle(): void {}
    }

    @Controller()
    @RequirePermission('shop:order:read')
    class ClosedController {
      handle(): void {}
    }

    await expect(start(HandlersController)).rejects.toThrow(
      '@Authenticated() on HandlersController.handle guards nothing',
    );
    await expect(start(ClosedController)).rejects.toThrow('@RequirePermission() on ClosedController guards nothing');
  });

  it('end the start: @CurrentCaller() on a plain @Controller', async () => {
    @Controller('asking')
    class AskingController {
      @Get()
      read(@CurrentCaller() _caller: unknown): void {}
    }

    await expect(start(AskingController)).rejects.toThrow('@CurrentCaller() on AskingController.read');
  });

  it('end the start: a policy on a provider, for example a gateway', async () => {
    @ApiController('fine')
    class FineController {
      @Get()
      @Authenticated()
      read(): void {}
    }

    @Injectable()
    class ChatGateway {
      @RequirePermission('shop:order:read')
      listen(): void {}
    }

    await expect(start(FineController, [ChatGateway])).rejects.toThrow(
      '@RequirePermission() on ChatGateway.listen guards nothing',
    );
  });

  it('do not end the start when every decorator is in an effective place', async () => {
    @ApiController('fine')
    class FineController {
      @Get(':id')
      @RequirePermission('shop:order:read')
      @OwnedBy(NoProvider)
      @PreValidationGuards(NoGuard)
      @RequireRecentLogin()
      read(): void {}
    }

    await expect(start(FineController, [NoProvider, NoGuard])).resolves.toBeUndefined();
  });

  it('throw: two policies on one method or on one class', () => {
    expect(() => {
      class TwiceController {
        @Authenticated()
        @Public()
        read(): void {}
      }
      return TwiceController;
    }).toThrow(
      'TwiceController.read has two access policies: keep one of @Public, @Authenticated and @RequirePermission',
    );
    expect(() => {
      @Authenticated()
      @RequirePermission('shop:order:read')
      class TwiceController {}
      return TwiceController;
    }).toThrow('TwiceController has two access policies');
  });

  it.each<[string, MethodDecorator, MethodDecorator, string]>([
    ['@OwnedBy without a permission', Authenticated(), OwnedBy(NoProvider), 'use it with @RequirePermission'],
    [
      '@RequireRecentLogin on a public route',
      Public(),
      RequireRecentLogin(),
      'use it with @Authenticated or @RequirePermission',
    ],
    [
      '@OwnedBy with a rule that is no provider',
      RequirePermission('shop:order:read'),
      OwnedBy(NoProvider),
      'NoProvider',
    ],
    ['@PreValidationGuards with a guard that is no provider', Authenticated(), PreValidationGuards(NoGuard), 'NoGuard'],
  ])('end the start: %s', async (_what, policy, beside, sentence) => {
    @ApiController('odd')
    class OddController {
      @Get()
      @policy
      @beside
      read(): void {}
    }

    const failure: unknown = await start(OddController).catch((error: unknown) => error);
    expect((failure as Error).message).toMatch(/^[^\n]*OddController\.read[^\n]*$/);
    expect((failure as Error).message).toContain(sentence);
  });

  it('end the start: a body or query class without declared fields', async () => {
    class NotedDto {
      note: string;
    }
    class OddQueryDto {
      q?: string;
    }
    @ApiController('host-notes')
    class NotesController {
      @Post()
      @Authenticated()
      add(@Body() _body: NotedDto): void {}
    }
    @ApiController('host-odd')
    class OddController {
      @Get()
      @Authenticated()
      list(@Query() _query: OddQueryDto): void {}
    }
    await expect(start(NotesController)).rejects.toThrow(
      'NotesController.add uses NotedDto, which declares no field: put @TextField() or another field decorator on its properties',
    );
    await expect(start(OddController)).rejects.toThrow('OddController.list uses OddQueryDto');
  });

  it.each<[string, ParameterDecorator]>([
    ['@Body()', Body()],
    ['@Query()', Query()],
  ])('end the start: %s of a type that is no class, unless declared as unchecked', async (name, decorator) => {
    interface Note {
      readonly text: string;
    }
    @ApiController('host-notes')
    class NotesController {
      @Post()
      @Authenticated()
      add(@decorator _note: Note): void {}
    }
    @ApiController('host-unknown')
    class UnknownController {
      @Post()
      @Authenticated()
      add(@decorator _note: unknown): void {}
    }
    @ApiController('host-either')
    class EitherController {
      @Post()
      @Authenticated()
      add(@decorator _note: Note | string): void {}
    }
    @ApiController('host-declared')
    class DeclaredController {
      @Post()
      @Authenticated()
      add(@decorator @UncheckedInput() _note: unknown): void {}
    }
    for (const controller of [NotesController, UnknownController, EitherController]) {
      const failure: unknown = await start(controller).catch((error: unknown) => error);
      expect((failure as Error).message).toMatch(/^[^\n]*declare a class [^\n]* or put @UncheckedInput\(\)[^\n]*$/);
      expect((failure as Error).message).toContain(`${controller.name}.add has ${name} of a type that is no class`);
    }
    await expect(start(DeclaredController)).resolves.toBeUndefined();
  });

  it('end the start: a plain @Controller that extends one of ours', async () => {
    @ApiController('base')
    class BaseController {
      @Get()
      @Authenticated()
      read(): void {}
    }
    @Controller('derived')
    class DerivedController extends BaseController {
      @Post()
      add(): void {}
    }
    class UndecoratedController extends BaseController {}
    @ApiController('derived')
    class FineController extends BaseController {}

    for (const controller of [DerivedController, UndecoratedController]) {
      await expect(start(controller)).rejects.toThrow(
        `${controller.name} extends a @ServiceController or @ApiController without being one: write the decorator on it`,
      );
    }
    await expect(start(FineController)).resolves.toBeUndefined();
  });

  it('throw: @RequirePermission() without a permission', () => {
    const none = [] as unknown as [string];
    expect(() => RequirePermission(...none)).toThrow(
      '@RequirePermission() names no permission: write @Authenticated()',
    );
  });
});
