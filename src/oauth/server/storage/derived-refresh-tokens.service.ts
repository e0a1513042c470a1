import { Injectable } from '@nestjs/common';
import { SecretBox, sha256 } from '../../../platform/crypto';
import { Provider } from '../engine/library';

const PURPOSE = 'oauth_refresh_successor';

/**
 * Names the one token that can follow a refresh token: by it and by a key, so that there is one, however often it is asked
 * for. Which key it is the first use of the token settles, whatever key comes first elsewhere or later.
 */
@Injectable()
export class DerivedRefreshTokensService {
  private readonly settled = new WeakMap<object, string>();

  constructor(private readonly box: SecretBox) {}

  /** The id of the key that a first use settles on here. */
  get key(): string {
    return this.box.activeKid;
  }

  /** To be called while the library answers: for whatever follows in this request. */
  settle(key: string): void {
    if (Provider.ctx) this.settled.set(Provider.ctx, key);
  }

  /** @param key left out: the one settled in this request. One that is gone gives way to the first. */
  of(token: string, key = Provider.ctx && this.settled.get(Provider.ctx)): string {
    return sha256(this.box.mac(PURPOSE, token, key));
  }
}
