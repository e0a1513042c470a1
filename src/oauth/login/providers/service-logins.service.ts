import { Injectable } from '@nestjs/common';
import { LoginMethodRegistry } from '../../../auth/login';
import { ServiceLogins, ServiceProvider } from '../../../organizations/settings';
import { IdentityProviderRegistry } from './identity-provider.registry';

/** The login methods and providers among which organizations choose. */
@Injectable()
export class ServiceLoginsService extends ServiceLogins {
  constructor(
    private readonly loginMethods: LoginMethodRegistry,
    private readonly identityProviders: IdentityProviderRegistry,
  ) {
    super();
  }

  async methods(): Promise<readonly string[]> {
    const types = await Promise.all(
      this.loginMethods.all().map(async (method) => {
        const isOffered = (await this.loginMethods.isEnabled(method.type)) && (await method.isConfigured());
        return isOffered ? [method.type] : [];
      }),
    );
    return types.flat();
  }

  providers(): Promise<readonly ServiceProvider[]> {
    return this.identityProviders.enabled();
  }

  readProviders(): Promise<readonly ServiceProvider[]> {
    return this.identityProviders.readEnabled();
  }
}
