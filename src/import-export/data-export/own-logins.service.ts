import { Injectable } from '@nestjs/common';
import { FactorsService, factorDto, trustedDeviceDto, TrustedDevicesService } from '../../mfa';
import { ConsentRow, ConsentsService, IdentitiesService, identityDto } from '../../oauth';
import { Caller } from '../../platform/context';
import { SessionDto, sessionDto, SessionsService } from '../../session';

/** Reads how a user logs in and which applications have access, without secrets. */
@Injectable()
export class OwnLoginsService {
  constructor(
    private readonly identities: IdentitiesService,
    private readonly factors: FactorsService,
    private readonly devices: TrustedDevicesService,
    private readonly sessions: SessionsService,
    private readonly consents: ConsentsService,
  ) {}

  async collect(caller: Caller): Promise<Readonly<Record<string, readonly object[]>>> {
    const { userId, sessionId } = caller;
    return {
      identities: (await this.identities.list(userId)).map(identityDto),
      second_factors: (await this.factors.list(caller)).items.map(factorDto),
      trusted_devices: (await this.devices.list(caller)).map(trustedDeviceDto),
      sessions: (await this.sessions.list(userId)).map((session) => ownSession(sessionDto(session, sessionId))),
      connected_applications: (await this.consents.list(userId)).map(applicationOf),
    };
  }
}

/** The address and the browser of who acts as the user are not data of the user. */
const ownSession = (session: SessionDto): object =>
  session.actor ? Object.assign({}, session, { ip: null, user_agent: null, device: null }) : session;

const applicationOf = ({ clientId, name, scopes, grantedAt, lastUsedAt }: ConsentRow): object => ({
  client_id: clientId,
  name,
  scopes,
  granted_at: grantedAt.toISOString(),
  last_used_at: lastUsedAt.toISOString(),
});
