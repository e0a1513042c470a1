import type { Adapter, AdapterPayload } from 'oidc-provider';
import { sha256 } from '../../../platform/crypto';
import { errors, Provider } from '../core/library';
import { proofUsed } from '../core/patch-errors';
import { StoredOidcModel } from './oidc-model-lookup.repository';
import { OidcModelRepository, NewOidcModel } from './oidc-model.repository';

/** The key of a library session: this service's session, not a cookie. */
const boundTo = (sessionId: string): string => sha256(`session|${sessionId}`);
const ANYTHING_SECONDS = 86_400;
/** Models whose payload names this service's session. */
const OF_SESSIONS: ReadonlySet<string> = new Set(['AccessToken', 'RefreshToken', 'AuthorizationCode']);

const alreadyUsed: Readonly<Record<string, () => Error>> = {
  PushedAuthorizationRequest: () => new errors.InvalidRequestUri('request_uri was already used'),
};

interface StoredForm {
  readonly jti?: string;
  readonly consumed?: boolean;
  readonly returnTo?: string;
}

/** Stores one of the library's models in the database, with digests as ids and the database's time. */
export class OidcModelAdapter implements Adapter {
  constructor(
    protected readonly model: string,
    protected readonly artifacts: OidcModelRepository,
  ) {}

  async upsert(id: string, payload: AdapterPayload, seconds = ANYTHING_SECONDS): Promise<void> {
    if (seconds < 1) return;
    const artifact = this.artifactOf(id, payload);
    if (this.model === 'Session' && artifact.sessionId !== null) {
      const key = boundTo(artifact.sessionId);
      await this.artifacts.saveBrowserSession({ ...artifact, id: key }, seconds);
    } else if (this.model === 'RefreshToken') {
      // A second refresh within the grace period derives the same successor, which must not be overwritten.
      await this.artifacts.saveOnce(artifact, seconds);
    } else if (this.model === 'ReplayDetection') {
      if (!(await this.artifacts.saveOnce(artifact, seconds))) throw proofUsed();
    } else {
      await this.artifacts.save(artifact, seconds);
    }
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const stored = await this.artifacts.find(this.model, sha256(id));
    return stored && (await this.revive(id, stored));
  }

  /** @param uid the id of this service's session. */
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const stored = await this.artifacts.find(this.model, boundTo(uid));
    return stored && timed(stored);
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  /** Succeeds for only one of several concurrent callers. Errors: those that the protocol defines for a second use. */
  async consume(id: string): Promise<void> {
    if (await this.artifacts.consume(this.model, sha256(id))) return;
    throw alreadyUsed[this.model]?.() ?? new errors.InvalidGrant('already used');
  }

  async destroy(id: string): Promise<void> {
    if (!isEndedAtOnce()) await this.artifacts.delete(this.model, sha256(id));
  }

  async revokeByGrantId(): Promise<void> {
    if (!isEndedAtOnce()) throw new Error('A grant must be ended as a whole');
  }

  protected async revive(id: string, stored: StoredOidcModel): Promise<AdapterPayload> {
    const { returnTo } = stored.payload;
    return {
      ...timed(stored),
      jti: id,
      ...(returnTo !== undefined && { returnTo: `${returnTo}${id}` }),
      ...(stored.consumedSeconds !== null && { consumed: true }),
    };
  }

  private artifactOf(id: string, payload: AdapterPayload): NewOidcModel {
    // The column stores whether the token was consumed.
    const { jti: _jti, consumed: _consumed, returnTo, ...rest } = payload as StoredForm;
    return {
      model: this.model,
      id: sha256(id),
      // The URL to continue ends with the id, which is stored only as a digest.
      payload: { ...rest, ...(returnTo !== undefined && { returnTo: returnTo.slice(0, -id.length) }) },
      grantId: payload.grantId ?? null,
      clientId: clientOf(payload) ?? null,
      userId: payload.accountId ?? null,
      sessionId: this.sessionOf(payload) ?? null,
    };
  }

  private sessionOf({ sessionUid, uid, accountId }: AdapterPayload): string | undefined {
    if (OF_SESSIONS.has(this.model)) return sessionUid;
    if (this.model === 'Session') return accountId === undefined ? undefined : uid;
    return this.model === 'Grant' ? Provider.ctx?.oidc.session?.uid : undefined;
  }
}

/**
 * Routes on which a replay or revocation ends the whole grant afterwards (`ReplayHandlerService`,
 * `RevocationsService`), so the library must not delete model by model.
 */
const ENDED_AT_ONCE: ReadonlySet<string> = new Set(['token', 'revocation']);
const isEndedAtOnce = (): boolean => ENDED_AT_ONCE.has(Provider.ctx?.oidc.route ?? '');

/** The client. An interaction names it in the parameters of its request. */
function clientOf({ clientId, params }: AdapterPayload): string | undefined {
  return clientId ?? (params as { client_id?: string } | undefined)?.client_id;
}

/** Converts the remaining lifetime to this process's clock, so that a clock skew does not change it. */
function timed({ payload, secondsLeft }: StoredOidcModel): AdapterPayload {
  return { ...payload, exp: Math.floor(Date.now() / 1_000) + Math.ceil(secondsLeft) };
}
