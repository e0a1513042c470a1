import { Injectable } from '@nestjs/common';
import { ClientRepository } from '../../oauth';
import { keyPrefix, readEvictionPolicy, redisServers } from '../../platform/cache';
import { Environment, EnvironmentError } from '../../platform/config';
import { SecretBoxError } from '../../platform/crypto';
import { DatabaseServerRepository, StartupTasks } from '../../platform/database';
import { MailSetupService } from '../../messaging';
import { RolesService } from '../../rbac';
import {
  Finding,
  evaluateAdministrator,
  evaluateClock,
  evaluateKeys,
  evaluateMail,
  evaluatePkce,
  evaluateRedis,
  evaluateScheme,
  RedisStatus,
} from './findings';

const MAX_NAMES = 10;

/** Checks what every deployment depends on: encryption keys, administrator, clock, Redis, mail, and PKCE of the OAuth clients. */
@Injectable()
export class DeploymentProbeService {
  constructor(
    private readonly environment: Environment,
    private readonly mail: MailSetupService,
    private readonly clients: ClientRepository,
    private readonly roles: RolesService,
    private readonly server: DatabaseServerRepository,
    private readonly startup: StartupTasks,
  ) {}

  async look(secure: boolean): Promise<Finding[]> {
    const { isProduction } = this.environment;
    return [
      evaluateScheme(secure, isProduction),
      evaluateKeys(await this.areKeysForeign()),
      evaluateAdministrator(await this.roles.hasAdministrator()),
      evaluateClock(await this.skewMs()),
      evaluateRedis(await this.redis(), isProduction),
      ...(await this.ofMail()),
      evaluatePkce(await this.clients.namesWithoutPkce(MAX_NAMES)),
    ];
  }

  /** Skips the check when the account cannot be decrypted, which the finding on keys reports. */
  private async ofMail(): Promise<Finding[]> {
    try {
      return [evaluateMail(await this.mail.look())];
    } catch (error) {
      if (error instanceof SecretBoxError) return [];
      throw error;
    }
  }

  private async areKeysForeign(): Promise<boolean> {
    try {
      await this.startup.runChecks();
      return false;
    } catch (error) {
      if (error instanceof EnvironmentError) return true;
      throw error;
    }
  }

  /** The clock skew against the database, measured at the middle of the round trip. */
  private async skewMs(): Promise<number> {
    const before = Date.now();
    const now = await this.server.clock();
    const middle = (before + Date.now()) / 2;
    return middle - (now?.getTime() ?? middle);
  }

  private async redis(): Promise<RedisStatus> {
    const servers = redisServers(this.environment);
    if (!servers) return { kind: 'none' };
    try {
      return { kind: 'up', policy: await readEvictionPolicy(servers, keyPrefix(this.environment)) };
    } catch {
      return { kind: 'away' };
    }
  }
}
