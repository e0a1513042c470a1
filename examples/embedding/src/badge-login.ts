import { Injectable } from '@nestjs/common';
import { defineErrors, LoginMethod, PasswordHasher, TextField, UserLookupService } from 'castellan';
import type { UserView, LoginProof, LoginSubject } from 'castellan';
import { DataSource } from 'typeorm';
import { Badge } from './database';

const { badgeRefused } = defineErrors({ badgeRefused: 401 });

export class BadgeLoginDto {
  @TextField({ description: 'Always `badge`', max: 32 }) type!: string;
  @TextField({ description: 'Username, or verified e-mail or phone', max: 254 }) username!: string;
  @TextField({ description: 'The number on the badge', min: 6, max: 64 }) number!: string;
}

/**
 * `POST /api/auth/login` with `{ "type": "badge", "username", "number" }`. The service handles lockout, sessions and
 * audit.
 */
@Injectable()
export class BadgeLogin extends LoginMethod<BadgeLoginDto> {
  readonly type = 'badge';
  override readonly amr = ['hwk'];
  readonly credentials = BadgeLoginDto;
  readonly createError = badgeRefused;

  constructor(
    private readonly database: DataSource,
    private readonly names: UserLookupService,
    private readonly hasher: PasswordHasher,
  ) {
    super();
  }

  async isConfigured(): Promise<boolean> {
    return true;
  }

  findSubject({ username }: BadgeLoginDto): Promise<LoginSubject> {
    return this.names.find(username);
  }

  async verify({ number }: BadgeLoginDto, user: UserView | undefined): Promise<LoginProof | undefined> {
    const badge = user && (await this.database.getRepository(Badge).findOneBy({ owner: user.id }));
    // Hash in any case, or the response time would reveal which users have a badge.
    if (!badge) await this.hasher.verifyNothing(number);
    return badge && (await this.hasher.verify(number, badge.hash)) ? {} : undefined;
  }
}
