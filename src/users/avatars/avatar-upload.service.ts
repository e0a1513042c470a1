import { Injectable } from '@nestjs/common';
import { accessErrors } from '../../platform/access';
import { Caller } from '../../platform/context';
import { randomToken } from '../../platform/crypto';
import { Transactions } from '../../platform/database';
import { DomainEvents } from '../../platform/jobs/events';
import { RateLimiterService } from '../../platform/http';
import { AccountChangesService } from '../account-changes.service';
import { avatarChanged, userDeleting } from '../user.events';
import { pictureNameOf } from '../rules/avatar';
import { UserRepository } from '../user.repository';
import { UserView, userView } from '../user.cache';
import { AvatarPictures } from './avatar-pictures';
import { avatarUploadsPerHourPerUser } from './avatars.settings';
import { readPicture } from './picture';
import { picturePath } from './picture-path';

const LIMIT = { setting: avatarUploadsPerHourPerUser, windowSeconds: 3_600 };
const NAME_BYTES = 16;

/** Makes an uploaded picture the avatar of its user. A picture is kept while it is the avatar. */
@Injectable()
export class AvatarUploadService {
  constructor(
    private readonly pictures: AvatarPictures,
    private readonly users: UserRepository,
    private readonly changes: AccountChangesService,
    private readonly limiter: RateLimiterService,
    private readonly transactions: Transactions,
    events: DomainEvents,
  ) {
    events.on(avatarChanged, ({ userId }) => this.deleteFormer(userId));
    events.on(userDeleting, ({ userId }) => this.deleteFormer(userId));
  }

  /**
   * @param encoded the picture in base64, as `UploadAvatarDto` accepts it.
   * Throws `rate_limited`, or `session_revoked` for a deleted user.
   */
  async upload({ userId }: Caller, encoded: string): Promise<UserView> {
    const picture = readPicture(encoded);
    if (typeof picture === 'string') throw new Error(`A picture that breaks the rule ${picture} passed validation`);
    await this.limiter.count(LIMIT, userId);
    return this.transactions.run(async () => {
      const before = await this.users.lock(userId);
      if (!before) throw accessErrors.sessionRevoked();
      const name = randomToken(NAME_BYTES);
      const change = { avatar: picturePath(name, picture.format) };
      await this.pictures.add(userId, name, picture);
      const after = await this.users.update(userId, change);
      if (!after) throw accessErrors.sessionRevoked();
      await this.changes.recordUpdate(before, after, change);
      return userView(after);
    });
  }

  /**
   * Deletes all pictures but the current avatar. After the commit, because a picture outside of the database would not come
   * back with a rollback. Locks the user, because another upload may have changed the avatar meanwhile.
   */
  private deleteFormer(userId: string): Promise<void> {
    return this.transactions.afterCommit(() =>
      this.transactions.run(async () => {
        const user = await this.users.lock(userId);
        await this.pictures.deleteOthers(userId, user ? pictureNameOf(user.avatar) : undefined);
      }),
    );
  }
}
