import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Parameters = NonNullable<Operation['parameters']>;
type Parameter = Exclude<Parameters[number], { $ref: string }>;

/** By name, or by the preceding path segment and the name where a name has several meanings. */
const meanings: Readonly<Record<string, string>> = {
  'user/{id}': 'Id of the user',
  'role/{id}': 'Id of the role',
  'group/{id}': 'Id of the group',
  'organization/{id}': 'Id of the organization',
  'sessions/{id}': 'Id of the session',
  'totp/{id}': 'Id from the response that started the set-up of the authenticator app',
  'trusted-devices/{id}': 'Id of the trusted browser',
  'mfa/{id}': 'Id of the second factor',
  'passkeys/{id}': 'Id of the passkey',
  'identities/{id}': 'Id of the link to a third-party account',
  'provider/{id}': 'Id of the login provider',
  'client/{id}': 'Internal id of the client, not its `client_id`',
  'login/{name}': 'Name of the login provider, such as `github`',
  'callback/{name}': 'Name of the login provider, such as `github`',
  'webhook/{id}': 'Id of the webhook',
  'domains/{domain}': 'The domain, as the list names it',
  '{invitation_id}': 'Id of the invitation',
  'invitation/{token}': 'The part of the link after `#`',
  '{delivery_id}': 'Id of the delivery',
  '{role_id}': 'Id of the role',
  '{user_id}': 'Id of the user',
  '{sid}': 'Id of the session',
  '{key}': 'Key of the setting, such as `register.enabled`',
  '{scope}': 'Scope of the permission: the service that it belongs to',
  '{permission_id}': 'The permission, as `resource:action`',
  '{type}': 'Login method, such as `password`',
  '{channel}': '`email` or `sms`',
  '{purpose}': 'Purpose of the message, such as `login`',
  '{locale}': 'Language of the message, such as `en`',
  '{file}': 'Name of the image: `<seed>.svg`',
  '{client_id}': 'The `client_id` of the application',
  '{uid}': 'The `interaction` parameter in the URL of the page',
};

function meaningOf(path: string, name: string): string | undefined {
  const [before = ''] = path.split(`/{${name}}`);
  return meanings[`${before.split('/').at(-1) ?? ''}/{${name}}`] ?? meanings[`{${name}}`];
}

/** Adds descriptions to the path parameters, because the controllers only name them. */
export function describePathParameters(path: string, parameters: Parameters, ids: ReadonlySet<unknown>): Parameters {
  return parameters.map((parameter) => {
    if ('$ref' in parameter || parameter.in !== 'path') return parameter;
    return described(path, parameter, ids);
  });
}

function described(path: string, parameter: Parameter, ids: ReadonlySet<unknown>): Parameter {
  const description = parameter.description ?? meaningOf(path, parameter.name);
  return {
    ...parameter,
    ...(description !== undefined && { description }),
    ...(ids.has(parameter.name) && { schema: { ...parameter.schema, format: 'uuid' } }),
  };
}
