import type { components } from '../../api/schema';
import type { ClientAccess } from '../organizations/use-client-access';

export type Client = components['schemas']['ClientDto'];

export interface ClientPartProps {
  readonly client: Client;
  readonly editable: boolean;
  readonly access: ClientAccess;
  /** Called with the client as it was stored. */
  readonly onSaved: (client: Client) => void;
}
