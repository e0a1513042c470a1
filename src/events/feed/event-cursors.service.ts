import { Injectable } from '@nestjs/common';
import { AuditPositionRepository } from '../../audit';
import { platformErrors, ProblemError } from '../../platform/errors';
import { CursorsService } from '../../platform/lists';
import { FEED_START, FeedPosition } from './feed-position';

const LIST = 'event';
/** The minimum of setting `audit.retention_days`, before which nothing is deleted. */
const KEPT_MS = 30 * 86_400_000;

/** Cursors of the feed. They are valid for every filter and do not expire before the events after them. */
@Injectable()
export class EventCursorsService {
  constructor(
    private readonly cursors: CursorsService,
    private readonly acts: AuditPositionRepository,
  ) {}

  write({ position, id, ordinal, at }: FeedPosition): string {
    return this.cursors.seal(LIST, [position, id, String(ordinal), at?.toISOString() ?? '']);
  }

  /**
   * Errors: `validation_failed` for a forged cursor, one after which events may have been deleted, or one of a state of
   * the database that was lost.
   */
  async read(cursor: string): Promise<FeedPosition> {
    const [position = '', id = '', ordinal = '', at = ''] = this.cursors.open(LIST, cursor);
    const found = { position, id, ordinal: Number(ordinal), at: at === '' ? null : new Date(at) };
    if (await this.isLost(found)) throw lostCursor();
    return found;
  }

  private async isLost({ position, id, at }: FeedPosition): Promise<boolean> {
    if (await this.acts.isAhead(position)) return true;
    if (at === null || id === FEED_START.id || Date.now() - at.getTime() < KEPT_MS) return false;
    // Whole months are deleted, oldest first: if the event of the cursor exists, so do all after it.
    return !(await this.acts.exists({ id, at }));
  }
}

const lostCursor = (): ProblemError =>
  platformErrors.validationFailed({ fields: [{ field: 'cursor', code: 'cursor_lost' }] });
