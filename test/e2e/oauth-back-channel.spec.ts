import { createServer, Server } from 'node:http';
import { decodeJwt } from 'jose';
import { eventually } from '../support/eventually';
import { holderOf } from '../support/holders';
import { ISSUER, logInAt, register, relyingParty } from '../support/oauth';
import { TestService } from '../support/test-service';

const SLOW_MS = 500;

describe('a logout is told to applications in the back channel', () => {
  const told: string[] = [];
  let application: Server;
  let service: TestService;
  let waitMs = 0;

  beforeAll(async () => {
    application = createServer((request, response) => {
      request.on('data', (part: Buffer) => told.push(part.toString()));
      request.on('end', () => setTimeout(() => response.end(), waitMs));
    });
    await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
  });

  afterAll(() => new Promise((resolve) => application.close(resolve)));

  beforeEach(async () => {
    told.length = 0;
    service = await TestService.start();
  });

  /** Logs out again from so many applications at once; answers what the last of them knows of the session. */
  async function logOutFrom(applications: number): Promise<object> {
    const { port } = application.address() as { port: number };
    const admin = await service.admin();
    const ann = await holderOf(service, admin, 'ann');
    let known = {};
    for (let count = 0; count < applications; count++) {
      const client = await register(admin, { backchannel_logout_uri: `http://127.0.0.1:${port}/logout` });
      const tokens = await logInAt(await relyingParty(() => service, client), ann.client);
      known = { iss: ISSUER, aud: client.client_id, sub: ann.id, sid: tokens.claims()!['sid'] };
    }
    await ann.client.post('/api/auth/logout');
    return known;
  }

  it('without holding it up', async () => {
    const known = await logOutFrom(1);
    await eventually(
      async () => told.join(''),
      (text) => text.startsWith('logout_token='),
    );
    expect(decodeJwt(new URLSearchParams(told.join('')).get('logout_token')!)).toMatchObject(known);
    await service.stop();
  });

  it('before the service has stopped', async () => {
    waitMs = SLOW_MS;
    await logOutFrom(2);
    await service.stop();
    expect(told).toHaveLength(2);
  });
});
