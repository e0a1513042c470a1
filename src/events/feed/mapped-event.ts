import { OrderedAuditEvent } from '../../audit';

/** What an audited act means to other systems. */
export interface MappedEvent {
  readonly type: string;
  readonly subject?: Subject | undefined;
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface Subject {
  readonly type: string;
  readonly id: string;
  readonly name?: string | null;
}

export type ActMapper = (act: OrderedAuditEvent) => MappedEvent[];

type State = Readonly<Record<string, unknown>>;

export const stateOf = (state: object | null): State => (state ?? {}) as State;

/** The target of the act as the subject; undefined without a target. */
export function targetOf({ targetId, targetLabel }: OrderedAuditEvent, type: string): Subject | undefined {
  return targetId === null ? undefined : { type, id: targetId, name: targetLabel };
}

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];

/** The names of the members that differ. */
export function changedFields({ before, after }: OrderedAuditEvent): string[] {
  const [old, current] = [stateOf(before), stateOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(current)])];
  return names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(current[name]));
}
