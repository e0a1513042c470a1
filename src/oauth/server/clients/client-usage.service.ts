import { Injectable } from '@nestjs/common';
import { Log } from '../../../platform/logging';
import { ClientRepository } from './client.repository';

/** Writes down when clients were last used. */
@Injectable()
export class ClientUsageService {
  constructor(
    private readonly clients: ClientRepository,
    private readonly log: Log,
  ) {}

  /** Never fails: the request itself succeeded, and an error here would lose the client its token. */
  async note(clientId: string): Promise<void> {
    try {
      await this.clients.touch(clientId);
    } catch (error) {
      this.log.warn('The use of an application could not be written down', { client_id: clientId, err: error });
    }
  }
}
