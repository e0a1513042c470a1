import { Injectable } from '@nestjs/common';
import { SigningKeys } from '../platform/crypto';
import { StartupTasks } from '../platform/database';

/** There is a key for session tokens before the first of them is asked for. */
@Injectable()
export class SessionKeys {
  constructor(keys: SigningKeys, startup: StartupTasks) {
    startup.add({ name: 'signing keys', run: () => keys.ensure('session') });
  }
}
