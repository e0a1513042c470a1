import { Get } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import { ServiceController } from './api-controller';
import { definePermissions } from './permission-declarations';
import { AllowClients, Public, RequirePermission, RequireRecentLogin, Authenticated } from './policy';
import { RouteAuditService } from './route-audit.service';

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

class Foreign {
  @Get() theirs(): void {}
}

const audit = (...controllers: unknown[]): void => {
  const discovery = { getControllers: () => controllers.map((metatype) => ({ metatype })), getProviders: () => [] };
  const modules = { get: () => ({}) };
  new RouteAuditService(discovery as unknown as DiscoveryService, modules as unknown as ModuleRef).refuseUndeclared();
};

describe('the audit of routes at the start', () => {
  it('passes routes that say who may call them, and leaves those of others alone', () => {
    expect(() => {
      audit(Good, Foreign, null);
    }).not.toThrow();
  });

  it('names a route without an access policy', () => {
    expect(() => {
      audit(Good, Bare);
    }).toThrow('Routes without an access policy: Bare.forgotten');
  });

  it('names a permission that no module declares', () => {
    expect(() => {
      audit(Good, Unknown);
    }).toThrow('Permissions no module declares: audited_thing:reed');
    expect(() => {
      audit(Good, Machines);
    }).toThrow('Permissions no module declares: audited_thing:reed');
  });

  it('names a permission that is none', () => {
    expect(() => {
      audit(Good, Unreadable);
    }).toThrow('"order read" of Unreadable.blank, "shop:order:read:all" of Unreadable.long');
  });

  it('names a route for machines that is public, or that asks for a login', () => {
    expect(() => {
      audit(Good, Contradictory);
    }).toThrow('no login: Contradictory.open, Contradictory.recent');
  });
});
