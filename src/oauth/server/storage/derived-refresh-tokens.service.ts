import { Injectable } from '@nestjs/common';
import { SecretBox, sha256 } from '../../../platform/crypto';
import { Provider } from '../core/library';

const PURPOSE = 'oauth_refresh_successor';

/**
 * Derives the only token that can follow a refresh token, from the token and a key, so that every request gets the same
 * one. The first use of the token decides on the key, even if another key becomes active later or on another instance.
 */
@Injectable()
export class DerivedRefreshTokensService {
  private readonly settled = new WeakMap<object, string>();

  constructor(private readonly box: SecretBox) {}

  /** The id of the key for a first use. */
  get key(): string {
    return this.box.activeKid;
  }

  /** Sets the key for the rest of the current request. Call it while the library handles the request. */
  settle(key: string): void {
    if (Provider.ctx) this.settled.set(Provider.ctx, key);
  }

  /** @param key default: the key set in this request. A deleted key is replaced by the active one. */
  derive(token: string, key = Provider.ctx && this.settled.get(Provider.ctx)): string {
    return sha256(this.box.mac(PURPOSE, token, key));
  }
}
