import { Injectable } from '@nestjs/common';
import { isDatabaseUnavailable } from '../../../platform/database';
import { SentDelivery } from '../../../platform/outbound/deliveries';
import { Log } from '../../../platform/logging';
import { OutboundError } from '../../../platform/outbound';
import { OidcEngineService } from '../engine/oidc-engine.service';
import { LogoutNotice } from '../storage/logout-notice.repository';
import { OidcModelRepository } from '../storage/oidc-model.repository';

interface NotifiableClient {
  backchannelLogout(userId: string | undefined, sid: string): Promise<void>;
}

const NO_ANSWER = { status: null, answer: null, error: null };

/** Sends one logout token, which is created now (OpenID Connect Back-Channel Logout 1.0). */
@Injectable()
export class BackchannelLogoutSenderService {
  constructor(
    private readonly engine: OidcEngineService,
    private readonly artifacts: OidcModelRepository,
    private readonly log: Log,
  ) {}

  /** Never fails: the result says why. `unwanted`: the application does not want notices any more. */
  async send(notice: LogoutNotice): Promise<SentDelivery | 'unwanted'> {
    try {
      const client = await (await this.engine.current()).Client.find(notice.clientId);
      if (!client?.backchannelLogoutUri) return 'unwanted';
      await (client as unknown as NotifiableClient).backchannelLogout(await this.subjectOf(notice), notice.sid);
      return { isDelivered: true, ...NO_ANSWER };
    } catch (error) {
      return { isDelivered: isCall(error) ? false : null, ...NO_ANSWER, error: this.reasonOf(error) };
    }
  }

  /**
   * A library that matches `sub` ends all sessions of the user. One that matches `sid` ends this session (§2.4). A late
   * notice with `sub` would also end a session that began after the logout.
   */
  private async subjectOf({ clientId, userId, allSessions }: LogoutNotice): Promise<string | undefined> {
    if (!allSessions || (await this.artifacts.hasBrowserSession(clientId, userId))) return undefined;
    return userId;
  }

  /** The library's message contains the URL, in which a client's owner may have put a secret. */
  private reasonOf(error: unknown): string {
    if (error instanceof OutboundError) return error.reason;
    const { response } = error as { response?: unknown };
    if (response instanceof Response) return `status_${response.status}`;
    this.log.debug('Sending a logout notice failed', { err: error });
    return 'failed';
  }
}

/** Whether the application was called, judged by the error. */
const isCall = (error: unknown): boolean =>
  !isDatabaseUnavailable(error) && !(error instanceof OutboundError && error.reason === 'busy');
