import { Injectable } from '@nestjs/common';
import { PasswordHasher } from '../../../platform/crypto';
import { LoginMethod, LoginProof } from '../login-method';
import { UserView, NamedUserWithPassword, StoredPassword, UserLookupService, UserRepository } from '../../../users';
import { loginErrors } from '../login.errors';
import { PasswordLoginDto } from '../dto/login.dto';

@Injectable()
export class PasswordLoginMethod extends LoginMethod<PasswordLoginDto, NamedUserWithPassword> {
  readonly type = 'password';
  override readonly amr = ['pwd'];
  readonly credentials = PasswordLoginDto;
  readonly createError = loginErrors.invalidCredentials;

  constructor(
    private readonly users: UserRepository,
    private readonly hasher: PasswordHasher,
    private readonly names: UserLookupService,
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
    user: UserView | undefined,
    { password: stored }: NamedUserWithPassword,
  ): Promise<LoginProof | undefined> {
    const isRight = stored
      ? await this.hasher.verify(password, stored.hash)
      : await this.hasher.verifyNothing(password);
    if (!isRight || !user || !stored) return undefined;
    const renewed = this.hasher.needsRehash(stored.hash) ? await this.hasher.hash(password) : undefined;
    return { consume: (current) => this.confirm(current, stored, renewed) };
  }

  /**
   * Rejects a password that changed after its verification. Replaces a hash of another system or of outdated parameters
   * in the transaction of the login.
   */
  private async confirm(current: UserView, verified: StoredPassword, renewed: string | undefined): Promise<void> {
    if (!current.hasPassword || current.passwordVersion !== verified.version) throw this.createError();
    if (renewed !== undefined) await this.users.replacePasswordHash(current.id, verified.hash, renewed);
  }
}
