import { Get } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ServiceController } from './api-controller';
import { definePermissions } from './permission-declarations';
import { Public, RequirePermission } from './policy';
import { RouteAudit } from './route-audit';

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

class Foreign {
  @Get() theirs(): void {}
}

const audit = (...controllers: unknown[]): void => {
  const discovery = { getControllers: () => controllers.map((metatype) => ({ metatype })) };
  new RouteAudit(discovery as unknown as DiscoveryService).refuseUndeclared();
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
  });
});
