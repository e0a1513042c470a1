import { Inject, Injectable } from '@nestjs/common';
import { readIdentityEnvironment } from '../identity/identity.variables';
import { Environment } from '../platform/config';
import { EncryptionKeys, SecretBox } from '../platform/crypto';
import { areSameServers, Database, DatabaseUrls, StartupTasks } from '../platform/database';
import { Log } from '../platform/logging';

const databaseUrlsOf = (environment: Environment): DatabaseUrls => ({
  ...(environment.databaseUrl !== undefined && { url: environment.databaseUrl }),
  ...(environment.databaseDirectUrl !== undefined && { directUrl: environment.databaseDirectUrl }),
  replicaUrls: environment.databaseReplicaUrls,
});

/** Rereads secret files while the service runs: the encryption keys and the database credentials. */
@Injectable()
export class SecretReloadService {
  private last: Promise<void> = Promise.resolve();

  constructor(
    @Inject(Environment) private readonly started: Environment,
    private readonly database: Database,
    private readonly startup: StartupTasks,
    private readonly box: SecretBox,
    private readonly log: Log,
  ) {}

  /** Never rejects: logs unusable values and keeps the previous ones. Calls run one after the other. */
  run(read: () => Environment = readIdentityEnvironment): Promise<void> {
    this.last = this.last.then(() => this.reload(read));
    return this.last;
  }

  private async reload(read: () => Environment): Promise<void> {
    try {
      const environment = read();
      this.reloadCredentials(environment);
      await this.reloadKeys(environment);
    } catch (error) {
      this.log.error('Could not use the secret files; keeping the previous values', { err: error });
    }
  }

  private reloadCredentials(environment: Environment): void {
    const urls = databaseUrlsOf(environment);
    if (!areSameServers(databaseUrlsOf(this.started), urls)) {
      this.log.warn('The database address has changed; restart to use it');
      return;
    }
    this.database.useCredentials(urls);
    this.log.info('New database connections use the reloaded credentials');
  }

  /** The previous keys still open values while they are resealed, and are dropped only when no value needs them. */
  private async reloadKeys({ encryptionKeys }: Environment): Promise<void> {
    const previous = this.box.ring;
    if (encryptionKeys === undefined) return;
    const ring = EncryptionKeys.parse(encryptionKeys);
    if (ring.equals(previous)) return;
    this.box.use(ring.followedBy(previous));
    try {
      await this.database.prepare(false, () => this.startup.runStage('secrets'));
      this.box.use(ring);
      await this.startup.runChecks();
    } catch (error) {
      this.box.use(previous);
      throw error;
    }
    this.log.info('Replaced the encryption keys', { kids: ring.kids });
  }
}
