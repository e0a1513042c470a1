import { TestService } from '../service/test-service';

/** An audit event with the members that tests of commands read. */
export interface CommandEvent {
  readonly action: string;
  readonly outcome: string;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly after: Record<string, unknown> | null;
}

/** The audit events of the operator on the target, oldest first. */
export function eventsOfOperator(service: TestService, targetId: string): Promise<CommandEvent[]> {
  return service.query<CommandEvent>(
    `SELECT action, outcome, actor_id, actor_name, after FROM audit_event
     WHERE target_id = $1 AND actor_name = 'command line' ORDER BY at, id`,
    [targetId],
  );
}
