import type { OpenAPIObject } from '@nestjs/swagger';

type Schemes = NonNullable<NonNullable<OpenAPIObject['components']>['securitySchemes']>;
type Scheme = Exclude<Schemes[string], { $ref: string }>;

const cookie = (kind: string, description: string): Scheme => ({
  type: 'apiKey',
  in: 'cookie',
  name: `iam_${kind}`,
  description,
});

const bearer = (description: string): Scheme => ({ type: 'http', scheme: 'bearer', description });

/** The credentials that routes accept. Routes without a session name theirs by `@ApiSecurity`. */
export const securitySchemes: Readonly<Record<string, Scheme>> = {
  session: cookie(
    'access',
    'Set by a login. The setting `jwt.cookie_prefix` changes its name, in production `__Host-iam_access` by default',
  ),
  bearer: bearer('The access token of a session. Only used without the cookie'),
  machine: {
    ...bearer(
      'Access token of the client credentials grant with `resource=urn:castellan:<scope>`. Only used without the cookie',
    ),
    bearerFormat: 'JWT',
  },
  refresh: cookie('refresh', 'Set by a login. A token in the body takes precedence'),
  actor: cookie('actor', 'Set while a user acts as another: the way back to the own session'),
  mfa: cookie('mfa', 'Set by a login that requires a second factor. `mfa_token` in the body takes precedence'),
  bind: cookie(
    'bind',
    'Set by a login with a third-party account that is not linked yet. `temp_token` in the body takes precedence',
  ),
  oauth: bearer('An access token that this service issued to an application (RFC 6750)'),
  client: {
    type: 'http',
    scheme: 'basic',
    description: 'Client id and secret of an application (RFC 6749 §2.3.1), or in the body if it is registered so',
  },
};
