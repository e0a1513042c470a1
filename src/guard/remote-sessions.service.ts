import { Injectable } from '@nestjs/common';
import { createLru } from '../platform/cache/lru';
import { platformErrors } from '../platform/errors';
import { MaybePromise } from '../platform/maybe-promise';
import { CastellanClientService } from './castellan-client.service';
import { GuardedRoutesService } from './guarded-routes.service';
import type { Credentials } from './request-credentials';
import { CheckResponse, SessionView, sessionView } from './session-view';

/** No view is used longer, counted from the start of its request: so every change takes effect within this time. */
const MAX_AGE_MS = 1_000;
/** A view in use is replaced in the background from this age on, so that requests rarely wait. */
const RENEW_MS = 600;
const MAX_SESSIONS = 10_000;
/** Requests to Castellan at a time. More would only queue up there. */
const MAX_PENDING = 256;
const RETRY_AFTER_SECONDS = 1;

/** What a check is about. */
interface Subject {
  readonly credentials: Credentials;
  readonly organizationId: string | undefined;
}

interface Entry {
  readonly view: SessionView;
  /** By `performance.now()`, like the time below. */
  readonly renewFrom: number;
  readonly until: number;
}

/** Copies the text: a part of a header would keep the whole header in memory. */
const flat = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** What Castellan says about sessions, kept for at most a second and dropped when it reports a change. */
@Injectable()
export class RemoteSessionsService {
  private readonly entries = createLru<Entry>(MAX_SESSIONS);
  private readonly pending = new Map<string, Promise<SessionView>>();

  constructor(
    private readonly castellan: CastellanClientService,
    private readonly routes: GuardedRoutesService,
  ) {}

  /**
   * Returns the view of the credentials, within the organisation if one is named, at once if it is in memory. Errors:
   * `unavailable` if Castellan cannot be reached or rejects this service.
   */
  get(credentials: Credentials, organizationId?: string): MaybePromise<SessionView> {
    const subject = { credentials, organizationId };
    const key = keyOf(subject);
    const entry = this.entries.get(key);
    const now = performance.now();
    if (!entry || now >= entry.until) return this.load(key, subject);
    // A failure is no matter yet: the view is good until it is a second old, and the next request asks again.
    if (now >= entry.renewFrom && this.pending.size < MAX_PENDING) this.load(key, subject).catch(() => undefined);
    return entry.view;
  }

  /** Drops the views of these sessions and users. Views that are being loaded may already be outdated: none is kept. */
  drop(subjects: readonly string[]): void {
    const dropped = new Set(subjects);
    this.pending.clear();
    for (const [key, { view }] of this.entries.entries()) {
      if (view.subjects.some((subject) => dropped.has(subject))) this.entries.delete(key);
    }
  }

  dropAll(): void {
    this.pending.clear();
    this.entries.clear();
  }

  private load(key: string, subject: Subject): Promise<SessionView> {
    const running = this.pending.get(key);
    if (running) return running;
    if (this.pending.size >= MAX_PENDING) {
      throw platformErrors.unavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    const loading = this.request(subject);
    this.pending.set(key, loading);
    void this.keep(flat(key), loading, performance.now());
    return loading;
  }

  private async keep(key: string, loading: Promise<SessionView>, from: number): Promise<void> {
    const view = await loading.catch(() => undefined);
    // A change was reported meanwhile: the view may be older than it.
    if (this.pending.get(key) !== loading) return;
    this.pending.delete(key);
    if (!view) return;
    const age = view.live ? Math.min(MAX_AGE_MS, view.expiresIn * 1_000) : MAX_AGE_MS;
    this.entries.set(key, { view, renewFrom: from + RENEW_MS, until: from + age });
  }

  private async request({ credentials: { kind, tokens }, organizationId }: Subject): Promise<SessionView> {
    const shown = kind === 'assertion' ? { assertion: tokens[0] } : { tokens };
    const within = organizationId === undefined ? {} : { organization_id: organizationId };
    const body = { ...shown, ...within, acting: true, permissions: this.routes.permissions };
    try {
      const response = await this.castellan.call({ method: 'POST', path: '/api/guard/check', body });
      return sessionView(response as CheckResponse);
    } catch (error) {
      throw platformErrors.unavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
    }
  }
}

/** An assertion in a cookie is no assertion, so the two never share a view, nor do two organisations. */
function keyOf({ credentials: { kind, tokens }, organizationId }: Subject): string {
  const [only = ''] = tokens;
  if (kind === 'assertion') return `assertion ${only} ${organizationId ?? ''}`;
  if (organizationId === undefined) return tokens.length === 1 ? only : tokens.join(' ');
  return `${tokens.join(' ')} in ${organizationId}`;
}
