import type { EventDefinition } from '../../../src/audit';
import { PAYLOAD_VERSION } from '../../../src/events/feed/feed-event';
import { identityEvents } from '../../../src/host-api/identity-event';

const participant = (description: string, type?: string): object => ({
  description,
  anyOf: [
    {
      type: 'object',
      properties: {
        type: type === undefined ? { type: 'string' } : { const: type },
        id: { type: 'string' },
        name: { type: ['string', 'null'] },
      },
      required: ['type', 'id', 'name'],
      additionalProperties: false,
    },
    { type: 'null' },
  ],
});

function schemaOf(type: string, { meaning, subject, data, optional = [] }: EventDefinition): object {
  return {
    title: type,
    description: meaning,
    type: 'object',
    properties: {
      id: { type: 'string', format: 'uuid', description: 'The same at each delivery' },
      type: { const: type },
      at: { type: 'string', format: 'date-time' },
      actor: participant('null: unknown, or the service itself'),
      on_behalf_of: participant('The user that the actor acted as; absent for acts in the own name', 'user'),
      subject: participant('Events of one subject arrive in order', subject),
      data: {
        type: 'object',
        properties: { version: { const: PAYLOAD_VERSION }, ...data },
        required: ['version', ...Object.keys(data).filter((name) => !optional.includes(name))],
        additionalProperties: false,
      },
      request_id: { type: ['string', 'null'] },
      organization_id: {
        type: 'string',
        format: 'uuid',
        description: 'The organization that the event concerns. Absent for events of the service',
      },
    },
    required: ['id', 'type', 'at', 'actor', 'subject', 'data', 'request_id'],
    additionalProperties: false,
  };
}

/** JSON Schema of the events, for `docs/events.schema.json`. */
export const eventSchema = (): object => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Events of Castellan',
  description:
    'Types group.*, organization.* and invitation.* follow from the act: their data has the changed fields and ids.',
  oneOf: Object.entries(identityEvents).map(([type, definition]) => schemaOf(type, definition)),
});
