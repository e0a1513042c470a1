import type { ReactNode } from 'react';
import type { components } from '../../api/schema';
import { SubjectLink } from '../components/subject-link';

type Target = NonNullable<components['schemas']['AuditEntryDto']['target']>;

/** What an action was done to, with a link to its page. */
export function AuditTarget({ target }: { readonly target: Target | null }): ReactNode {
  return target ? <SubjectLink type={target.type} id={target.id} name={target.label} /> : '–';
}
