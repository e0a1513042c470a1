import { Injectable } from '@nestjs/common';
import { platformErrors } from '../platform/errors';
import { SettingsReader } from '../platform/settings';
import { avatarPath } from './avatar-path';
import { isExternalAvatar, pictureNameOf, shownAvatar } from './rules';
import { User } from './user.entity';
import type { UserChange } from './user.repository';
import { externalAvatars } from './users.settings';

/** Schemes, hosts and ports that can be written in a policy. URLs allow hosts with `;` or `*`. */
const PLAIN_ORIGIN = /^https:\/\/[a-z0-9.-]+(?::\d+)?$/;

function originOf(picture: string): string[] {
  const { origin } = URL.canParse(picture) ? new URL(picture) : { origin: '' };
  return PLAIN_ORIGIN.test(origin) ? [origin] : [];
}

/**
 * Which avatars may be set, and from where pages load pictures. The host of a picture sees when and from where it is
 * looked at; `ShownUsersService` replaces what is stored already.
 */
@Injectable()
export class ExternalAvatarsService {
  constructor(private readonly settings: SettingsReader) {}

  /** The avatar of a new account: a generated one, unless the wanted one may be set. */
  async forNew(wanted: string | undefined): Promise<string> {
    const isAllowed = wanted !== undefined && (!isExternalAvatar(wanted) || (await this.settings.get(externalAvatars)));
    return isAllowed ? wanted : avatarPath();
  }

  /**
   * The change without an avatar that is only shown in place of the stored one. Pictures are uploaded, not referenced,
   * so that no user depends on the picture of another. Throws `validation_failed`.
   */
  async check(before: User, change: UserChange): Promise<UserChange> {
    const { avatar, ...rest } = change;
    if (avatar === undefined || avatar === before.avatar) return change;
    if (pictureNameOf(avatar) !== undefined) throw rejected('avatar');
    if (await this.settings.get(externalAvatars)) return change;
    if (isExternalAvatar(avatar)) throw rejected('own_avatar');
    return avatar === shownAvatar(before) ? rest : change;
  }

  /**
   * The value of `img-src` for a page whose settings name these pictures. Never waits for the database, for pages that
   * say it is out of reach.
   */
  imageSources(pictures: readonly string[]): string {
    if (this.settings.getCached(externalAvatars) ?? externalAvatars.defaultValue) return "'self' https: data:";
    return ["'self'", ...new Set(pictures.flatMap(originOf)), 'data:'].join(' ');
  }
}

const rejected = (code: string): Error => platformErrors.validationFailed({ fields: [{ field: 'avatar', code }] });
