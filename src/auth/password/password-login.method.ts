import { Injectable } from '@nestjs/common';
import { PasswordHasher } from '../../platform/crypto';
import { SettingsReader } from '../../platform/settings';
import { LoginMethod, LoginProof, LoginSubject } from '../../session';
import {
  classifyIdentifier,
  defaultRegion,
  IdentifierKind,
  isUsername,
  knownUser,
  KnownUser,
  normalizeEmail,
  normalizePhone,
  User,
  UserRepository,
  usernameKey,
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
    const name = await this.read(username);
    const user = name.looked === undefined ? null : await this.find(name.kind, name.looked);
    if (user) return { user: knownUser(user), key: user.id };
    // What is no name in any spelling stands for itself alone, as it does beside a known account.
    return { user: undefined, key: `${name.kind} ${name.looked ?? username}` };
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

  /** The name as it is looked up, the same for every spelling; undefined where nobody can have it. */
  private async read(text: string): Promise<{ kind: IdentifierKind; looked: string | undefined }> {
    const kind = classifyIdentifier(text);
    switch (kind) {
      case 'username':
        return { kind, looked: isUsername(text) ? usernameKey(text) : undefined };
      case 'email':
        return { kind, looked: normalizeEmail(text)?.key };
      case 'phone':
        return { kind, looked: normalizePhone(text, await this.settings.get(defaultRegion)) };
    }
  }

  private find(kind: IdentifierKind, looked: string): Promise<User | null> {
    switch (kind) {
      case 'username':
        return this.users.findByUsername(looked);
      case 'email':
        return this.users.findByEmail(looked, { verified: true });
      case 'phone':
        return this.users.findByPhone(looked, { verified: true });
    }
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
