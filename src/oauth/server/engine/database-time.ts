import type Provider from 'oidc-provider';
import type { DatabaseClock } from '../../../platform/database';

interface Undeclared {
  readonly save: (ttl: number) => Promise<string>;
}

/**
 * Logins are dated by the database's clock. This makes the library use the same clock for `max_age` and for the time
 * after which an application requires a newer login.
 */
export function keepDatabaseTime({ Interaction, Session }: Provider, clock: DatabaseClock): void {
  const nowSeconds = (): number => Math.floor(clock.now() / 1_000);
  const { save } = Interaction.prototype as unknown as Undeclared;
  Object.assign(Interaction.prototype, {
    save(this: { iat?: number }, ttl: number): Promise<string> {
      this.iat ??= nowSeconds();
      return save.call(this, ttl);
    },
  });
  Object.assign(Session.prototype, {
    past(this: { loginTs?: number }, maxAge: number | string): boolean {
      return this.loginTs === undefined || nowSeconds() - this.loginTs > Number(maxAge);
    },
  });
}
