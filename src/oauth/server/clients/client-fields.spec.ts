import { Caller } from '../../../platform/context';
import { newClient } from './client-fields';
import { CreateClientDto } from './client.dto';

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
