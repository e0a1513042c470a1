import { Caller } from '../../../platform/context';
import { changeOf, disablingOf, narrows, newClient, takesAway, updateEntries } from './client-fields';
import { ChangeClientDto, CreateClientDto } from './client.dto';
import { OAuthClient } from './client.entity';
import type { ClientChange } from './client.repository';

describe('newClient', () => {
  const created = (body: Partial<CreateClientDto> = {}): ReturnType<typeof newClient> =>
    newClient(
      { userId: 'ann' } as Caller,
      { name: 'App', redirect_uris: [], ...body },
      {
        scopes: [],
        ownerId: 'ann',
        secret: undefined,
      },
    );

  it('has a client id of 128 random bits', () => {
    const { clientId } = created();
    expect(clientId).toMatch(/^[\w-]{22}$/);
    expect(created().clientId).not.toBe(clientId);
  });

  it('is confidential, enabled, open to all users and needs PKCE by default', () => {
    expect(created()).toMatchObject({
      isPublic: false,
      enabled: true,
      disabledByService: false,
      firstParty: false,
      requirePkce: true,
      idTokenClaims: false,
      idTokenSignedResponseAlg: 'RS256',
      grantTypes: ['authorization_code', 'refresh_token'],
      access: { mode: 'everybody' },
      organizationId: null,
      organizationSetBy: null,
    });
  });
});

const client: OAuthClient = Object.assign(
  new OAuthClient(),
  newClient(
    { userId: 'ann' } as Caller,
    { name: 'App', redirect_uris: ['https://app.example/a', 'https://app.example/b'] },
    { scopes: ['openid', 'email'], ownerId: 'ann', secret: undefined },
  ),
);

const BOB = { userId: 'bob', isAnsweredFor: true };

const clientWith = (more: Partial<OAuthClient>): OAuthClient => Object.assign(new OAuthClient(), client, more);

describe('changeOf', () => {
  const changed = (body: ChangeClientDto, scopes?: readonly string[]): ClientChange =>
    changeOf(client, body, scopes, BOB);

  it('leaves out what stays', () => {
    expect(changed({})).toEqual({});
    expect(changed({ name: 'App', description: null, logo: null, redirect_uris: [...client.redirectUris] })).toEqual(
      {},
    );
  });

  it('makes the caller the grantor of scopes and introspection resources, even unchanged', () => {
    expect(changed({}, client.scopes)).toEqual({ scopesSetBy: 'bob' });
    expect(changed({ introspection_resources: [] })).toEqual({ introspectionSetBy: 'bob' });
  });

  it('makes the caller the grantor of an organization, if there is one', () => {
    expect(changed({ organization_id: 'acme' })).toEqual({ organizationId: 'acme', organizationSetBy: 'bob' });
    expect(changed({ organization_id: null })).toEqual({});
  });

  it('makes the caller the grantor of the same organization only if it has none who may be', () => {
    const tied = clientWith({ organizationId: 'acme', organizationSetBy: 'ann' });
    const changed = (body: ChangeClientDto, isAnsweredFor: boolean): ClientChange =>
      changeOf(tied, body, undefined, { userId: 'bob', isAnsweredFor });
    expect(changed({ organization_id: 'acme' }, true)).toEqual({});
    expect(changed({ enabled: true }, true)).toEqual({});
    expect(changed({ organization_id: 'acme' }, false)).toEqual({ organizationSetBy: 'bob' });
    expect(changed({ enabled: true }, false)).toEqual({ organizationSetBy: 'bob' });
    expect(changed({ name: 'Other' }, false)).toEqual({ name: 'Other' });
  });

  it('keeps each address once, with its origin', () => {
    const uri = 'https://other.example/c';
    expect(changed({ redirect_uris: [uri, uri], post_logout_redirect_uris: [uri, uri] })).toEqual({
      redirectUris: [uri],
      origins: ['https://other.example'],
      postLogoutRedirectUris: [uri],
    });
  });

  it('removes the address of logout notices', () => {
    const notified = clientWith({ backchannelLogoutUri: 'https://app.example/out' });
    const change = changeOf(notified, { backchannel_logout_uri: null }, undefined, BOB);
    expect(change).toEqual({ backchannelLogoutUri: null });
  });
});

describe('takesAway', () => {
  it.each<[ClientChange, boolean]>([
    [{}, false],
    [{ name: 'Other' }, false],
    [{ enabled: false }, true],
    [{ enabled: true }, false],
    [{ firstParty: false }, true],
    [{ firstParty: true }, false],
    [{ organizationId: 'acme' }, true],
    [{ organizationId: null }, true],
    [{ scopes: ['openid'] }, true],
    [{ scopes: ['openid', 'email', 'phone'] }, false],
  ])('judges %j', (change, expected) => {
    expect(takesAway(client, change)).toBe(expected);
  });
});

describe('narrows', () => {
  it.each<[ClientChange, boolean]>([
    [{}, false],
    [{ requirePkce: true }, true],
    [{ requirePkce: false }, false],
    [{ redirectUris: ['https://app.example/a'] }, true],
    [{ redirectUris: [...client.redirectUris, 'https://app.example/c'] }, false],
    [{ grantTypes: ['authorization_code'] }, true],
    [{ grantTypes: [...client.grantTypes, 'client_credentials'] }, false],
  ])('judges %j', (change, expected) => {
    expect(narrows(client, change)).toBe(expected);
  });
});

describe('disablingOf', () => {
  const off = clientWith({ enabled: false, disabledByService: true });

  it.each<[string, OAuthClient, boolean | undefined, boolean, ClientChange]>([
    ['another change', off, undefined, true, {}],
    ['the service disables it', client, false, true, { disabledByService: true }],
    ['the owner disables it', client, false, false, {}],
    ['the owner disables it again', off, false, false, {}],
    ['the service enables it', off, true, true, { disabledByService: false }],
  ])('notes who may enable it: %s', (_, before, enabled, byService, expected) => {
    expect(disablingOf(before, enabled === undefined ? {} : { enabled }, byService)).toEqual(expected);
  });
});

describe('updateEntries', () => {
  const tied = (organizationId: string | null): OAuthClient => clientWith({ organizationId });
  const entries = (before: string | null, after: string | null): unknown =>
    updateEntries(tied(before), tied(after)).map(({ action, target }) => [action, target?.organizationId]);

  it.each<[string | null, string | null, unknown]>([
    ['acme', 'acme', [['oauth_client.update', 'acme']]],
    [
      null,
      'acme',
      [
        ['oauth_client.update', null],
        ['oauth_client.tie', 'acme'],
      ],
    ],
    [
      'acme',
      null,
      [
        ['oauth_client.update', null],
        ['oauth_client.untie', 'acme'],
      ],
    ],
    [
      'acme',
      'globex',
      [
        ['oauth_client.update', null],
        ['oauth_client.untie', 'acme'],
        ['oauth_client.tie', 'globex'],
      ],
    ],
  ])('writes an entry of its part for each organization: %s to %s', (before, after, expected) => {
    expect(entries(before, after)).toEqual(expected);
  });
});
