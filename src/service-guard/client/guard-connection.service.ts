import { BeforeApplicationShutdown, Inject, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { platformErrors } from '../../platform/errors';
import { membersOf } from '../../platform/util';
import { CastellanClientService, CastellanRejection } from './castellan-client.service';
import { ChangeStreamService } from './change-stream.service';
import { GrowingIntervals } from './growing-intervals';
import { GuardedRoutesService } from './guarded-routes.service';
import { REMOTE_IDENTITY_OPTIONS } from './remote-identity.options';
import type { RemoteIdentityOptions } from './remote-identity.options';

const RETRY_MS = 1_000;
const RETRY_AFTER_SECONDS = 2;

interface Registration {
  readonly scope: string;
  readonly accessCookie: string;
}

/** Registers the service at Castellan when it starts, and then follows its changes. */
@Injectable()
export class GuardConnectionService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('RemoteIdentity');
  private readonly stopping = new AbortController();
  /** It is tried again each second. */
  private readonly failures = new GrowingIntervals();
  private registration: Registration | undefined;

  constructor(
    private readonly castellan: CastellanClientService,
    private readonly routes: GuardedRoutesService,
    private readonly changes: ChangeStreamService,
    @Inject(REMOTE_IDENTITY_OPTIONS) private readonly options: RemoteIdentityOptions,
  ) {}

  /**
   * Fails the start if Castellan rejects the client or a permission. If Castellan cannot be reached, the service starts
   * without it and answers 503 until it can.
   */
  async onApplicationBootstrap(): Promise<void> {
    if (await this.register()) this.changes.follow(this.stopping.signal);
    else this.registerLater();
  }

  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  /** Name of the cookie with the access token. Errors: `unavailable` until Castellan has been reached once. */
  accessCookie(): string {
    const { registration } = this;
    if (!registration) throw platformErrors.unavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS });
    return this.changes.accessCookie ?? registration.accessCookie;
  }

  /** The permission with its explicit scope, for the error message. */
  describe(permission: string): { permission: string; scope: string } {
    const [action = '', resource = '', scope = this.registration?.scope ?? ''] = permission.split(':').reverse();
    return { permission: `${resource}:${action}`, scope };
  }

  private async register(): Promise<boolean> {
    try {
      const call = { method: 'PUT', path: '/api/guard/catalogue', body: { permissions: this.catalogue() } } as const;
      const { scope, access_cookie: accessCookie, added } = membersOf(await this.castellan.call(call));
      if (typeof scope !== 'string' || typeof accessCookie !== 'string') throw new Error('Unknown response');
      this.registration = { scope, accessCookie };
      this.log.log(
        `Registered at ${this.options.url} as ${scope}; new permissions: ${Array.isArray(added) ? added.length : 0}`,
      );
      return true;
    } catch (error) {
      if (error instanceof CastellanRejection) {
        throw new Error(`Castellan rejected the registration: ${error.message}`, { cause: error });
      }
      const reason = error instanceof Error ? describe(error) : String(error);
      if (this.failures.isDue()) {
        this.log.warn(
          `Castellan cannot be reached at ${this.options.url}: ${reason}. Guarded routes answer 503 until it can`,
        );
      }
      return false;
    }
  }

  private registerLater(): void {
    setTimeout(() => {
      if (this.stopping.signal.aborted) return;
      this.onApplicationBootstrap().catch((error: unknown) => {
        // The start can no longer fail: the routes stay closed.
        if (this.failures.isDue()) this.log.error(error instanceof Error ? error.message : error);
        this.registerLater();
      });
    }, RETRY_MS).unref();
  }

  private catalogue(): object[] {
    const described = this.options.permissions ?? {};
    const names = new Set([...this.routes.permissions, ...Object.keys(described)]);
    return [...names].map((name) => {
      const { description, requiredLevel } = described[name] ?? {};
      return {
        permission_id: name,
        ...(description !== undefined && { description }),
        ...(requiredLevel !== undefined && { required_level: requiredLevel }),
      };
    });
  }
}

/** The reason of a failed request is the cause of its error. */
function describe(error: Error): string {
  return error.cause instanceof Error ? describe(error.cause) : error.message;
}
