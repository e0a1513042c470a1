import { NewOrganization } from '../organizations';
import { CandidateOrganization } from './candidate-organization';

/** An organization that an earlier import created. */
export interface KnownOrganization extends Pick<NewOrganization, 'id' | 'name'> {
  readonly sourceId: string;
}

/** An organization to create. */
export interface PlannedOrganization extends KnownOrganization, NewOrganization {
  readonly domains: readonly string[];
}

/** Plans the organizations of an import. A planned slug conflicts with later ones, as the database's constraint requires. */
export class ImportedOrganizationPlan {
  private readonly known = new Map<string, KnownOrganization>();
  private readonly taken = new Set<string>();
  private unwritten: PlannedOrganization[] = [];

  constructor(private readonly newId: () => string) {}

  /** Adds the state of the database: earlier imported organizations, and slugs of any. */
  learn(known: readonly KnownOrganization[], takenSlugs: Iterable<string>): void {
    for (const one of known) this.known.set(one.sourceId, one);
    for (const slug of takenSlugs) this.taken.add(slug);
  }

  /**
   * The organization that an import created, or is going to create. Undefined if its slugs are taken: an import adds no user to an
   * organization that was created here.
   */
  place({ sourceId, slugs, name, domains }: CandidateOrganization): KnownOrganization | undefined {
    const known = this.known.get(sourceId);
    if (known) return known;
    const slug = slugs.find((one) => !this.taken.has(one));
    if (slug === undefined) return undefined;
    const planned = { sourceId, id: this.newId(), slug, name, domains };
    this.taken.add(slug);
    this.known.set(sourceId, planned);
    this.unwritten.push(planned);
    return planned;
  }

  /** The organizations planned since the last call. */
  takeNew(): readonly PlannedOrganization[] {
    const made = this.unwritten;
    this.unwritten = [];
    return made;
  }
}
