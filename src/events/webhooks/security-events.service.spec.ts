import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt } from 'jose';
import { IssuerService } from '../../platform/http';
import { EffectiveClaimsService } from '../../rbac';
import { SigningKeysService } from '../../session';
import { SecurityEventsService } from './security-events.service';
import { fake } from '../../../test/support/service/fake';

const CLAIMS_CHANGE = 'https://schemas.openid.net/secevent/caep/event-type/token-claims-change';
const EVENT = { id: 'e1', at: '2026-01-31T09:30:00.500Z', actor: null, request_id: null, data: { version: 1 } };

describe('SecurityEventsService', () => {
  const reloaded: string[] = [];
  let held: string[];
  let events: SecurityEventsService;

  beforeEach(() => {
    reloaded.length = 0;
    held = ['before'];
    const names = {
      reload: async (userId: string) => {
        reloaded.push(userId);
        held = ['after'];
      },
      roles: async () => held,
      permissions: async () => held,
    };
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    events = new SecurityEventsService(
      fake<SigningKeysService>({ current: async () => ({ kid: 'k1', privateKey }) }),
      names as unknown as EffectiveClaimsService,
      { url: 'https://id.example.com' } as IssuerService,
    );
  });

  const sign = async (type: string): Promise<unknown> => {
    const payload = JSON.stringify({ ...EVENT, type, subject: { type: 'user', id: 'ann' } });
    return decodeJwt(await events.sign(payload, 'https://app.example.com'))['events'];
  };

  it('signs what the user holds in the database, not what a cache still has', async () => {
    const claims = { roles: ['after'], permissions: ['after'] };
    expect(await sign('role.unassigned')).toMatchObject({ [CLAIMS_CHANGE]: { claims } });
    expect(reloaded).toEqual(['ann']);
  });

  it('reads nothing for a signal without such claims', async () => {
    await sign('user.password_changed');
    expect(reloaded).toEqual([]);
  });
});
