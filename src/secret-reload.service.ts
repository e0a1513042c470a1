import { Inject, Injectable } from '@nestjs/common';
import { Environment, readEnvironment } from './platform/config';
import { EncryptionKeys, SecretBox } from './platform/crypto';
import { areSameServers, Database, DatabaseUrls, StartupTasks } from './platform/database';
import { Log } from './platform/logging';

const databaseUrlsOf = (environment: Environment): DatabaseUrls => ({
  ...(environment.databaseUrl !== undefined && { url: environment.databaseUrl }),
  ...(environment.databaseDirectUrl !== undefined && { directUrl: environment.databaseDirectUrl }),
  replicaUrls: environment.databaseReplicaUrls,
});

/** Reads the files of secrets again while the service runs: the encryption keys and the credentials of the database. */
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

  /** Never fails: what cannot be used is logged, and the former value stays in use. Calls run one after the other. */
  run(read: () => Environment = readEnvironment): Promise<void> {
    this.last = this.last.then(() => this.reload(read));
    return this.last;
  }

  private async reload(read: () => Environment): Promise<void> {
    try {
      const environment = read();
      this.reloadCredentials(environment);
      await this.reloadKeys(environment);
    } catch (error) {
      this.log.error('The files of secrets could not be used; the former values stay in use', { err: error });
    }
  }

  private reloadCredentials(environment: Environment): void {
    const urls = databaseUrlsOf(environment);
    if (!areSameServers(databaseUrlsOf(this.started), urls)) {
      this.log.warn('The address of the database has changed; a restart is needed to use it');
      return;
    }
    this.database.useCredentials(urls);
    this.log.info('New connections to the database use the credentials that were just read');
  }

  /** While stored values are sealed again, the former keys still open; they go only if nothing needs them. */
  private async reloadKeys({ encryptionKeys }: Environment): Promise<void> {
    const former = this.box.ring;
    if (encryptionKeys === undefined) return;
    const ring = EncryptionKeys.parse(encryptionKeys);
    if (ring.equals(former)) return;
    this.box.use(ring.followedBy(former));
    try {
      await this.database.prepare(false, () => this.startup.runStage('secrets'));
      this.box.use(ring);
      await this.startup.runChecks();
    } catch (error) {
      this.box.use(former);
      throw error;
    }
    this.log.info('The encryption keys were replaced', { kids: ring.kids });
  }
}
