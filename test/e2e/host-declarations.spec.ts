import 'reflect-metadata';
import { Controller, Get, Injectable, Module, Post, Type } from '@nestjs/common';
import {
  AllowClients,
  AllowDuring,
  AllowWhileActing,
  ApiController,
  Authenticated,
  CurrentCaller,
  IdentityGuarded,
  IdentityModule,
  OwnedBy,
  OwnershipRule,
  PreValidationGuards,
  Public,
  RequirePermission,
  RequireRecentLogin,
  installHttp,
} from '../../src';
import { createHost, identityOptions } from '../support/hosts/host-app';
import { auditRoutes } from '../support/documents/route-audit';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

async function start(controller: Type, providers: Type[] = []): Promise<void> {
  @Module({
    imports: [IdentityModule.forRoot(identityOptions(database))],
    controllers: [controller],
    providers,
  })
  class HostModule {}

  const app = await createHost(HostModule);
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
    ['@AllowWhileActing()', AllowWhileActing()],
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
    await expect(auditRoutes(OnClassController)).rejects.toThrow(failure('OnClassController.read'));
    await expect(auditRoutes(OnMethodController)).rejects.toThrow(failure('OnMethodController.read'));
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

    await expect(auditRoutes(PlainController)).rejects.toThrow(`${name} on PlainController.read`);
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

    await expect(auditRoutes(HandlersController)).rejects.toThrow(
      '@Authenticated() on HandlersController.handle guards nothing',
    );
    await expect(auditRoutes(ClosedController)).rejects.toThrow(
      '@RequirePermission() on ClosedController guards nothing',
    );
  });

  it('end the start: @CurrentCaller() on a plain @Controller', async () => {
    @Controller('asking')
    class AskingController {
      @Get()
      read(@CurrentCaller() _caller: unknown): void {}
    }

    await expect(auditRoutes(AskingController)).rejects.toThrow('@CurrentCaller() on AskingController.read');
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

  it('end the start on a resolver of a field, for which Nest runs no guard', async () => {
    @ApiController('fine')
    class FineController {
      @Get()
      @Public()
      read(): void {}
    }

    @Injectable()
    @IdentityGuarded()
    class SalaryResolver {
      @RequirePermission('hr:salary:read')
      salary(): void {}
    }

    await expect(auditRoutes(FineController, [SalaryResolver])).rejects.toThrow(
      '@RequirePermission() on SalaryResolver.salary guards nothing, since Nest runs no guard there',
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

    const failure: unknown = await auditRoutes(OddController).catch((error: unknown) => error);
    expect((failure as Error).message).toMatch(/^[^\n]*OddController\.read[^\n]*$/);
    expect((failure as Error).message).toContain(sentence);
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
      await expect(auditRoutes(controller)).rejects.toThrow(
        `${controller.name} extends a @ServiceController or @ApiController without being one: write the decorator on it`,
      );
    }
    await expect(auditRoutes(FineController)).resolves.toBeUndefined();
  });

  it('throw: @RequirePermission() without a permission', () => {
    const none = [] as unknown as [string];
    expect(() => RequirePermission(...none)).toThrow(
      '@RequirePermission() names no permission: write @Authenticated()',
    );
  });
});
