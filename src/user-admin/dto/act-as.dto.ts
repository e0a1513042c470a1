import { TextField } from '../../platform/http/input';

export class ActAsDto {
  @TextField({
    description: 'Why, for the audit log',
    min: 3,
    max: 500,
    example: 'Ticket 4711: the invoice list is empty',
  })
  reason: string;
}
