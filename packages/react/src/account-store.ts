import type { CastellanClient, Pending, User } from 'castellan-client';

/**
 * `loading` until the service has answered for the first time; `pending` while the user has something to do before
 * anything else.
 */
export interface Account {
  readonly status: 'loading' | 'signed_in' | 'pending' | 'signed_out';
  /** Null also while `pending`. */
  readonly user: User | null;
  readonly pending: Pending | null;
}

const LOADING: Account = { status: 'loading', user: null, pending: null };
const SIGNED_OUT: Account = { status: 'signed_out', user: null, pending: null };

function accountOf(user: User | null): Account {
  if (!user) return SIGNED_OUT;
  const { pending: duty } = user;
  if (duty) return { status: 'pending', user: null, pending: { duty, user } };
  return { status: 'signed_in', user, pending: null };
}

/** The logged-in user, whatever is due. */
export const holderOf = ({ user, pending }: Account): User | null => user ?? pending?.user ?? null;

/** The logged-in user for all components, kept up to date while it is started. */
export class AccountStore {
  private account: Account;
  private readonly listeners = new Set<() => void>();
  /** Counts what was learnt, so that an older response does not replace it. */
  private changes = 0;

  /** @param user as the server that rendered the page knows it; undefined: unknown */
  constructor(
    private readonly client: CastellanClient,
    user?: User | null,
  ) {
    this.account = user === undefined ? LOADING : accountOf(user);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly get = (): Account => this.account;

  readonly reload = async (): Promise<void> => {
    const before = this.changes;
    try {
      const { data, response } = await this.client.GET('/api/auth/me');
      if (this.changes !== before) return;
      if (data) this.set(data);
      else if (response.status === 401) this.set(null);
    } catch {
      // The service cannot be reached. The client follows it, and reports the account as soon as it can.
    }
  };

  /** Starts to follow the service; the returned function stops it. */
  readonly start = (): (() => void) => {
    const stops = [
      this.client.on('change', ({ user }) => {
        this.set(user);
      }),
      this.client.on('login', ({ user }) => {
        this.set(user);
      }),
      this.client.on('logout', () => {
        this.set(null);
      }),
      this.client.on('acting', () => void this.reload()),
    ];
    document.addEventListener('visibilitychange', this.returned);
    if (this.account.status === 'loading') void this.reload();
    return () => {
      document.removeEventListener('visibilitychange', this.returned);
      for (const stop of stops) stop();
    };
  };

  /** While the page was away, its access token may have expired, so that the client could not follow the service. */
  private readonly returned = (): void => {
    if (document.visibilityState === 'visible' && holderOf(this.account)) void this.reload();
  };

  private set(user: User | null): void {
    this.changes += 1;
    if (JSON.stringify(user) === JSON.stringify(holderOf(this.account)) && this.account.status !== 'loading') return;
    this.account = accountOf(user);
    for (const listener of [...this.listeners]) listener();
  }
}
