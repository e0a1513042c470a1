import { Injectable } from '@nestjs/common';
import { PasswordHasher } from '../../platform/crypto';
import { LoginMethod, LoginProof } from '../../session';
import { KnownUser, NamedUserWithPassword, StoredPassword, UserNames, UserRepository } from '../../users';
import { authErrors } from '../auth.errors';
import { PasswordLoginDto } from '../dto/login.dto';

@Injectable()
export class PasswordLoginMethod extends LoginMethod<PasswordLoginDto, NamedUserWithPassword> {
  readonly type = 'password';
  override readonly amr = ['pwd'];
  readonly credentials = PasswordLoginDto;
  readonly refusal = authErrors.invalidCredentials;

  constructor(
    private readonly users: UserRepository,
    private readonly hasher: PasswordHasher,
    private readonly names: UserNames,
  ) {
    super();
  }

  async isConfigured(): Promise<boolean> {
    return true;
  }

  findSubject({ username }: PasswordLoginDto): Promise<NamedUserWithPassword> {
    return this.names.findWithPassword(username);
  }

  async verify(
    { password }: PasswordLoginDto,
    user: KnownUser | undefined,
    { password: stored }: NamedUserWithPassword,
  ): Promise<LoginProof | undefined> {
    const isRight = stored
      ? await this.hasher.verify(password, stored.hash)
      : await this.hasher.verifyNothing(password);
    if (!isRight || !user || !stored) return undefined;
    const renewed = this.hasher.needsRehash(stored.hash) ? await this.hasher.hash(password) : undefined;
    return { spend: (current) => this.confirm(current, stored, renewed) };
  }

  /**
   * A password changed while this one was being judged ends the old one's worth. A hash of another system, or of former
   * parameters, goes with the login that proves its password: either both stand or neither.
   */
  private async confirm(current: KnownUser, judged: StoredPassword, renewed: string | undefined): Promise<void> {
    if (!current.hasPassword || current.passwordVersion !== judged.version) throw this.refusal();
    if (renewed !== undefined) await this.users.replacePasswordHash(current.id, judged.hash, renewed);
  }
}
