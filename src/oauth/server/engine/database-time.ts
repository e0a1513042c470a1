import type Provider from 'oidc-provider';
import type { DatabaseClock } from '../../../platform/database';

interface Undeclared {
  readonly save: (ttl: number) => Promise<string>;
}

/**
 * A login has the time of the database. What the library compares it with is that clock's too: the age that `max_age`
 * bounds, and the moment from which on an application wants a newer login.
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
