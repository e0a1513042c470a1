import { Injectable } from '@nestjs/common';
import { PasswordHasher } from '../../platform/crypto';
import { SettingsReader } from '../../platform/settings';
import { LoginMethod, LoginProof, LoginSubject } from '../../session';
import {
  classifyIdentifier,
  defaultRegion,
  knownUser,
  KnownUser,
  normalizeEmail,
  normalizePhone,
  User,
  UserRepository,
} from '../../users';
import { authErrors } from '../auth.errors';
import { PasswordLoginDto } from '../dto/login.dto';

@Injectable()
export class PasswordLoginMethod extends LoginMethod<PasswordLoginDto> {
  readonly type = 'password';
  readonly credentials = PasswordLoginDto;
  readonly refusal = authErrors.invalidCredentials;

  constructor(
    private readonly users: UserRepository,
    private readonly hasher: PasswordHasher,
    private readonly settings: SettingsReader,
  ) {
    super();
  }

  async isConfigured(): Promise<boolean> {
    return true;
  }

  async findSubject({ username }: PasswordLoginDto): Promise<LoginSubject> {
    const user = await this.find(username);
    return user ? { user: knownUser(user), key: user.id } : { user: undefined, key: username.toLowerCase() };
  }

  async verify({ password }: PasswordLoginDto, user: KnownUser | undefined): Promise<LoginProof | undefined> {
    // Asked for unknown users, too: a query less would tell them apart.
    const stored = await this.users.findPassword(user?.id);
    const isRight = stored
      ? await this.hasher.verify(password, stored.hash)
      : await this.hasher.verifyNothing(password);
    if (!isRight || !user || !stored) return undefined;
    return {
      spend: () => this.confirmUnchanged(user.id, stored.version),
      afterwards: () => this.rehash(user.id, password, stored.hash),
    };
  }

  private find(name: string): Promise<User | null> {
    switch (classifyIdentifier(name)) {
      case 'username':
        return this.users.findByUsername(name);
      case 'email':
        return this.findByEmail(name);
      case 'phone':
        return this.findByPhone(name);
    }
  }

  private async findByEmail(name: string): Promise<User | null> {
    const email = normalizeEmail(name);
    return email ? this.users.findByEmail(email.key, { verified: true }) : null;
  }

  private async findByPhone(name: string): Promise<User | null> {
    const phone = normalizePhone(name, await this.settings.get(defaultRegion));
    return phone ? this.users.findByPhone(phone, { verified: true }) : null;
  }

  /** A password changed while this one was being judged ends the old one's worth. */
  private async confirmUnchanged(userId: string, version: number): Promise<void> {
    if ((await this.users.findPassword(userId))?.version !== version) throw this.refusal();
  }

  private async rehash(userId: string, password: string, hash: string): Promise<void> {
    if (!this.hasher.needsRehash(hash)) return;
    await this.users.replacePasswordHash(userId, hash, await this.hasher.hash(password));
  }
}
