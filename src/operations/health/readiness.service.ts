import { Injectable } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { KeyValueCache } from '../../platform/cache';
import { Database, DatabaseHealthMonitor } from '../../platform/database';

export type CheckResult = 'ok' | 'degraded' | 'unavailable';

class ChecksDto {
  @ApiProperty({ enum: ['ok', 'unavailable'] }) database: CheckResult;
  @ApiProperty({ enum: ['ok', 'degraded'] }) cache: CheckResult;
  @ApiProperty({ enum: ['ok', 'unavailable'] }) migrations: CheckResult;
}

@ApiSchema({ description: 'Status of the service and its dependencies' })
export class ReadinessDto {
  @ApiProperty({ enum: ['ok', 'degraded', 'unavailable'] }) status: CheckResult;
  @ApiProperty({ type: ChecksDto }) checks: ChecksDto;
}

/** Readiness of this instance for requests. */
@Injectable()
export class ReadinessService {
  /** Resolves when the data is migrated and seeded, by this or by another instance. */
  readonly whenPrepared: Promise<void>;
  private prepared = false;
  private draining = false;
  private announce: () => void;

  constructor(
    private readonly database: Database,
    private readonly healthMonitor: DatabaseHealthMonitor,
    private readonly cache: KeyValueCache,
  ) {
    this.whenPrepared = new Promise((resolve) => {
      this.announce = resolve;
    });
  }

  get isPrepared(): boolean {
    return this.prepared;
  }

  /** Call it when the data is migrated and seeded. */
  markPrepared(): void {
    this.prepared = true;
    this.announce();
  }

  /** Call it when the process is about to stop. */
  markDraining(): void {
    this.draining = true;
  }

  async check(): Promise<ReadinessDto> {
    const database = await this.checkDatabase();
    const migrations: CheckResult = this.prepared ? 'ok' : 'unavailable';
    const cache: CheckResult = this.cache.isDegraded ? 'degraded' : 'ok';
    const isDown = this.draining || database === 'unavailable' || migrations === 'unavailable';
    return { status: isDown ? 'unavailable' : cache, checks: { database, cache, migrations } };
  }

  private async checkDatabase(): Promise<CheckResult> {
    try {
      await this.database.answers();
      return 'ok';
    } catch (error) {
      this.healthMonitor.report(error);
      return 'unavailable';
    }
  }
}
