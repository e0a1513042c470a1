import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../audit';
import { newId } from '../../../platform/crypto';
import { IdentityRepository, NamedIdentity } from './identity.repository';
import { StableSubjectsService, SubjectPlace } from '../providers';
import { endsOf } from './external-identity';
import { identityActs } from '../third-party-login.acts';

export interface ImportedLink extends NamedIdentity {
  readonly userId: string;
}

export interface FoundIdentities {
  /** The configured providers among those named, enabled or not. */
  readonly providers: ReadonlySet<string>;
  /** The requested identities that are linked to a user. */
  readonly links: readonly { readonly identity: NamedIdentity; readonly userId: string }[];
}

/** Links of accounts imported from another system. Providers are matched by name. */
@Injectable()
export class ImportedIdentitiesService {
  constructor(
    private readonly repository: IdentityRepository,
    private readonly subjects: StableSubjectsService,
    private readonly audit: AuditService,
  ) {}

  /** The providers, by name, for which the user id of another system can become a link. */
  places(): Promise<ReadonlyMap<string, SubjectPlace>> {
    return this.subjects.find();
  }

  /** Locks the providers until the caller's transaction ends. */
  async find(asked: readonly NamedIdentity[]): Promise<FoundIdentities> {
    if (asked.length === 0) return { providers: new Set(), links: [] };
    const providers = await this.repository.holdProviders([...new Set(asked.map(({ provider }) => provider))]);
    return { providers: new Set(providers), links: await this.repository.findNamed(asked) };
  }

  /**
   * Runs in the caller's transaction, for accounts created in it. Taken subjects violate `user_identity_subject_pk`.
   */
  async link(links: readonly ImportedLink[]): Promise<void> {
    if (links.length === 0) return;
    const made = links.map((link) => ({ ...link, id: newId(), subjectHint: endsOf(link.subjects[0]?.value ?? '') }));
    await this.repository.insertNamed(made);
    await this.audit.recordAll(
      made.map(({ id, userId, provider, issuer, subjectHint }) =>
        identityActs.link({
          target: { type: 'identity', id, label: provider },
          after: { provider, issuer, subject_hint: subjectHint, user_id: userId, source: 'import' },
        }),
      ),
    );
  }
}
