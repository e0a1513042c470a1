import { Module } from '@nestjs/common';
import { Feature } from '../platform/feature';
import { loginProvidersFeature, LoginProvidersModule, thirdPartyLoginFeature, ThirdPartyLoginModule } from './login';
import { authorizationServerFeature, AuthorizationServerModule } from './server';

const parts = [LoginProvidersModule, ThirdPartyLoginModule, AuthorizationServerModule];

/**
 * Both sides of OAuth 2.0: login through third parties, and Castellan as authorization server and OpenID Connect
 * provider.
 */
@Module({ imports: parts, exports: parts })
export class OAuthModule {}

const features = [thirdPartyLoginFeature, loginProvidersFeature, authorizationServerFeature];

export const oauthFeature: Feature = {
  module: OAuthModule,
  entities: features.flatMap(({ entities = [] }) => entities),
  tags: Object.assign({}, ...features.map(({ tags }) => tags)) as Record<string, string>,
};
