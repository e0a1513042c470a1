import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Log } from '../../../platform/logging';
import { ClientRepository } from './client.repository';

const MAX_NOTED = 2_000;
const NOTED_EVERY_MS = 60_000;

/** Records when clients were last used: to the minute, because `last_used_at` needs no more. */
@Injectable()
export class ClientUsageService {
  private readonly noted = new LRUCache<string, true>({ max: MAX_NOTED, ttl: NOTED_EVERY_MS });

  constructor(
    private readonly clients: ClientRepository,
    private readonly log: Log,
  ) {}

  /**
   * Writes at most once a minute for each client and act. Never fails: the request has already succeeded, and an error
   * would lose the client its token.
   */
  async note(clientId: string, act: 'token' | 'request'): Promise<void> {
    const key = `${act} ${clientId}`;
    if (this.noted.has(key)) return;
    this.noted.set(key, true);
    try {
      await this.clients.touch(clientId);
    } catch (error) {
      this.noted.delete(key);
      this.log.warn('Recording the use of an OAuth client failed', { client_id: clientId, err: error });
    }
  }
}
