import { Injectable } from '@nestjs/common';
import { Log } from '../../../platform/logging';
import { ClientRepository } from './client.repository';

/** Records when clients were last used. */
@Injectable()
export class ClientUsageService {
  constructor(
    private readonly clients: ClientRepository,
    private readonly log: Log,
  ) {}

  /** Never fails: the request has already succeeded, and an error would lose the client its token. */
  async note(clientId: string): Promise<void> {
    try {
      await this.clients.touch(clientId);
    } catch (error) {
      this.log.warn('Recording the use of an OAuth client failed', { client_id: clientId, err: error });
    }
  }
}
