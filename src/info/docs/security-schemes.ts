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

/** By what a request is let in; routes name theirs by `@ApiSecurity`, unless it is a session. */
export const securitySchemes: Readonly<Record<string, Scheme>> = {
  session: cookie(
    'access',
    'Set by a login; named after setting `jwt.cookie_prefix`, `__Host-iam_access` by default in production',
  ),
  bearer: bearer('The access token of a session; only where no cookie is sent'),
  machine: {
    ...bearer('Access token by client credentials with `resource=urn:castellan:<scope>`; only where no cookie is sent'),
    bearerFormat: 'JWT',
  },
  refresh: cookie('refresh', 'Set by a login; a token in the body stands above it'),
  mfa: cookie('mfa', 'Set by a login that asks for a second factor; `mfa_token` in the body stands above it'),
  bind: cookie(
    'bind',
    'Set by a login at a third party that belongs to nobody yet; `temp_token` in the body stands above it',
  ),
  oauth: bearer('An access token that this provider gave to an application (RFC 6750)'),
  client: {
    type: 'http',
    scheme: 'basic',
    description: 'Id and secret of an application (RFC 6749 §2.3.1); or in the body, as it is registered',
  },
};
