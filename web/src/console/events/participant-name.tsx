import type { ReactNode } from 'react';
import type { components } from '../../api/schema';
import { SubjectLink } from '../components/subject-link';

export type FeedEvent = components['schemas']['FeedEventDto'];
type Participant = NonNullable<FeedEvent['subject']>;

/** Name or id of an actor or a subject, with a link to its page. */
export function ParticipantName({ participant }: { readonly participant: Participant | null }): ReactNode {
  return participant ? <SubjectLink type={participant.type} id={participant.id} name={participant.name} /> : '–';
}
