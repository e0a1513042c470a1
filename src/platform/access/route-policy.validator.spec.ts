import { Get } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import { ServiceController } from './api-controller';
import {
  definePermissions,
  AllowClients,
  Public,
  RequirePermission,
  RequireRecentLogin,
  Authenticated,
} from './policy';
import { RoutePolicyValidator } from './route-policy.validator';

const { read } = definePermissions({ read: 'audited_thing:read' });

@ServiceController('good')
class Good {
  @Get() @RequirePermission(read) declared(): void {}
  @Get('open') @Public() open(): void {}
}

@ServiceController('bare')
class Bare {
  @Get() forgotten(): void {}
}

@ServiceController('unknown')
class Unknown {
  @Get() @RequirePermission(read, 'audited_thing:reed') misspelt(): void {}
}

@ServiceController('unreadable')
class Unreadable {
  @Get() @RequirePermission('order read') blank(): void {}
  @Get('whole') @RequirePermission('shop:order:read:all') long(): void {}
  @Get('fine') @RequirePermission('shop:order:read') fine(): void {}
}

@ServiceController('machines')
class Machines {
  @Get() @Authenticated() @AllowClients('audited_thing:reed') misspelt(): void {}
}

@ServiceController('contradictory')
class Contradictory {
  @Get() @Public() @AllowClients() open(): void {}
  @Get('recent') @Authenticated() @RequireRecentLogin() @AllowClients(read) recent(): void {}
  @Get('fine') @Authenticated() @AllowClients(read) fine(): void {}
}

@ServiceController('derived')
class Derived extends Good {
  @Get('more') more(): void {}
}

class Foreign {
  @Get() theirs(): void {}
}

const audit = (...controllers: unknown[]): void => {
  const discovery = { getControllers: () => controllers.map((metatype) => ({ metatype })), getProviders: () => [] };
  const modules = { get: () => ({}) };
  new RoutePolicyValidator(
    discovery as unknown as DiscoveryService,
    modules as unknown as ModuleRef,
  ).rejectUndeclared();
};

describe('RoutePolicyValidator', () => {
  it('accepts routes with a policy and ignores foreign controllers', () => {
    expect(() => {
      audit(Good, Foreign, null);
    }).not.toThrow();
  });

  it('rejects a route without an access policy', () => {
    expect(() => {
      audit(Good, Bare);
    }).toThrow('Routes without an access policy: Bare.forgotten');
  });

  it('rejects a route without a policy that a subclass adds', () => {
    expect(() => {
      audit(Derived);
    }).toThrow('Routes without an access policy: Derived.more');
  });

  it('rejects a permission that no module declares', () => {
    expect(() => {
      audit(Good, Unknown);
    }).toThrow('Permissions no module declares: audited_thing:reed');
    expect(() => {
      audit(Good, Machines);
    }).toThrow('Permissions no module declares: audited_thing:reed');
  });

  it('rejects a malformed permission', () => {
    expect(() => {
      audit(Good, Unreadable);
    }).toThrow('"order read" of Unreadable.blank, "shop:order:read:all" of Unreadable.long');
  });

  it('rejects a client route that is public or requires a recent login', () => {
    expect(() => {
      audit(Good, Contradictory);
    }).toThrow('recent login: Contradictory.open, Contradictory.recent');
  });
});
