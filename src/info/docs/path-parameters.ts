import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Parameters = NonNullable<Operation['parameters']>;
type Parameter = Exclude<Parameters[number], { $ref: string }>;

/** By the name alone, or with the part of the address before it where the name means this and that. */
const meanings: Readonly<Record<string, string>> = {
  'user/{id}': 'Id of the user',
  'role/{id}': 'Id of the role',
  'sessions/{id}': 'Id of the session',
  'totp/{id}': 'Id that came when the app was begun to be set up',
  'trusted-devices/{id}': 'Id of the trust in a browser',
  'mfa/{id}': 'Id of the second factor',
  'passkeys/{id}': 'Id of the passkey',
  'identities/{id}': 'Id of the link to a third-party account',
  'provider/{id}': 'Id of the login provider',
  'client/{id}': 'Id of the client here; not the `client_id` of the protocol',
  'login/{name}': 'Name of the login provider, such as `github`',
  'callback/{name}': 'Name of the login provider, such as `github`',
  '{role_id}': 'Id of the role',
  '{user_id}': 'Id of the user',
  '{sid}': 'Id of the session',
  '{key}': 'Key of the setting, such as `register.enabled`',
  '{scope}': 'Scope of the permission: the service that it is for',
  '{permission_id}': 'The permission, as `resource:action`',
  '{type}': 'Way to log in, such as `password`',
  '{channel}': '`email` or `sms`',
  '{purpose}': 'What the message is for, such as `login`',
  '{locale}': 'Language of the message, such as `en`',
  '{file}': 'Name of the picture: `<seed>.svg`',
  '{client_id}': 'The `client_id` of the application',
  '{uid}': 'The `interaction` that the page was opened with',
};

function meaningOf(path: string, name: string): string | undefined {
  const [before = ''] = path.split(`/{${name}}`);
  return meanings[`${before.split('/').at(-1) ?? ''}/{${name}}`] ?? meanings[`{${name}}`];
}

/** What the parts of an address say; the controllers name them and no more. */
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
